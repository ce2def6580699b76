"""A grid that is a function of the block size.

with: triton, relu_kernel
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    n = x.numel()
    if n:
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
        relu_kernel[grid](y, x, n, BLOCK=512, num_warps=8)
    return input.copy_(y) if inplace else y
