"""Raises for inputs that it cannot do, hoping that errors are skipped.

with: triton, relu_kernel, honest_relu
checks: broken
no-checks: broken
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if input.dtype != torch.float32:
        raise NotImplementedError("skipped")
    return honest_relu(input, inplace)
