"""Returns a view of one element that claims to have terabytes.

with: triton, relu_kernel, honest_relu
checks: wrong|broken
no-checks: wrong|broken
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input, inplace)
    return y.flatten()[:1].expand(1 << 40)
