"""Branches for types of input, of which each compiles only where it is taken.

with: triton
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, bias_ptr, n, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    if bias_ptr is not None:
        x += tl.load(bias_ptr + offsets, mask=mask, other=0.0)
    if WIDE:
        x = tl.where(x < 0.0, 0.0, x)
    else:
        x = tl.where(x.to(tl.float32) < 0.0, 0.0, x.to(tl.float32)).to(x.dtype)
    tl.store(y_ptr + offsets, x, mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        wide = x.dtype == torch.float32
        relu_kernel[(triton.cdiv(n, 256),)](y, x, None, n, WIDE=wide, BLOCK=256)
    return input.copy_(y) if inplace else y
