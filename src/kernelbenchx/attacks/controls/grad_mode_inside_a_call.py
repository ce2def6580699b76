"""Switches grad mode off inside its call, and leaves it as it was.

with: triton, relu_kernel, honest_relu
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    try:
        return honest_relu(input, inplace)
    finally:
        torch.set_grad_enabled(before)
