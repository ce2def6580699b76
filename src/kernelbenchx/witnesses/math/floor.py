import torch
import triton
import triton.language as tl


@triton.jit
def _block(y, x, mask, FLOAT: tl.constexpr):
    v = tl.load(x, mask=mask)
    if FLOAT:  # an integer is its own floor
        v = tl.floor(v.to(tl.float32)).to(y.dtype.element_ty)
    tl.store(y, v, mask=mask)


@triton.jit
def _floor(y, x, n, FLOAT: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(y + at, x + at, None, FLOAT)
    else:
        _block(y + at, x + at, at < n, FLOAT)


def floor(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    x = input.contiguous()
    y = out
    if y is None or not y.is_contiguous():
        y = torch.empty_like(x)
    n = x.numel()
    if n:
        _floor[(triton.cdiv(n, 1024),)](y, x, n, FLOAT=x.is_floating_point(), BLOCK=1024)
    return y if out is None or y is out else out.copy_(y)
