"""An honest kernel in very small blocks.

with: triton, relu_kernel
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 64),)](y, x, n, BLOCK=64)
    return input.copy_(y) if inplace else y
