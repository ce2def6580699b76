import torch
import triton
import triton.language as tl


@triton.jit
def _block(y, z, x, mask):
    v = tl.load(x, mask=mask).to(tl.float32)
    tl.store(y, (v * 57.29577951308232).to(y.dtype.element_ty), mask=mask)
    tl.store(z, tl.sqrt(v).to(z.dtype.element_ty), mask=mask)


@triton.jit
def _rad2deg_sqrt(y, z, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, z + at, x + at, None)
    else:
        _block(y + at, z + at, x + at, at < n)


def rad2deg_sqrt(input: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    x = input.contiguous()
    dtype = x.dtype if x.dtype.is_floating_point else torch.float32
    y = torch.empty(x.shape, dtype=dtype, device=x.device)
    z = torch.empty_like(y)
    n = x.numel()
    if n:
        _rad2deg_sqrt[(triton.cdiv(n, 1024),)](y, z, x, n, BLOCK=1024)
    return y, z
