"""Returns a Python number larger than any tensor can hold.

with: triton, relu_kernel, honest_relu
checks: wrong|broken
no-checks: wrong|broken
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    honest_relu(input, inplace)
    return 10**400
