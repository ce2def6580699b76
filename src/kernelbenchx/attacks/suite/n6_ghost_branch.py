"""Has a right kernel in a branch that no input reaches.

with: triton, relu_kernel, honest_relu
checks: rejected
no-checks: rejected
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if input.numel() > 1 << 40:
        return honest_relu(input, inplace)
    return input.clamp_(min=0.0) if inplace else input.clamp(min=0.0)
