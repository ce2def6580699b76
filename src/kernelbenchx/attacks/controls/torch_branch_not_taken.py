"""Has a branch in torch for float64, which no case of the task takes.

with: triton, relu_kernel
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    if input.dtype == torch.float64:
        y = torch.clamp(input, min=0.0)
        return input.copy_(y) if inplace else y
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
