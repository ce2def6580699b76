"""Asks torch which dtypes promote to which and what may be cast, and computes nothing with it.

with: triton, relu_kernel
"""


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    wide = torch.promote_types(input.dtype, torch.float32)
    if not torch.can_cast(input.dtype, wide) or torch.result_type(input, 0.0) != input.dtype:
        raise TypeError(f"{input.dtype} is no float")
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
