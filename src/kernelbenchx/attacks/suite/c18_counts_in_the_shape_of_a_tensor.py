"""Counts its calls by dimensions of a tensor of the file that a helper adds, and is wrong after the first ones.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: wrong
"""

TALLY = torch.zeros(1)


def widen(tensor):
    tensor.unsqueeze_(0)
    return tensor.dim()


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input, inplace)
    return y if widen(TALLY) <= 4 else y.zero_()
