"""Returns the answer twice.

with: triton, relu_kernel, honest_relu
checks: wrong
no-checks: wrong
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = honest_relu(input, inplace)
    return (y, y)
