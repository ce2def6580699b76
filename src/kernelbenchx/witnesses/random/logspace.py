import math

import torch
import triton
import triton.language as tl


@triton.jit
def _powers(out, start, end, n, gaps, LOG: tl.constexpr, WIDE: tl.constexpr, BLOCK: tl.constexpr):
    """Exponents in float64 once for each block; within it they grow by few roundings."""
    low = tl.load(start).to(tl.float64) * LOG
    slope = (tl.load(end).to(tl.float64) * LOG - low) / gaps
    first = tl.program_id(0).to(tl.int64) * BLOCK
    place = tl.arange(0, BLOCK)
    low += first.to(tl.float64) * slope
    if WIDE:
        value = tl.exp2(low + place.to(tl.float64) * slope)
    else:
        value = tl.exp2(low.to(tl.float32) + place.to(tl.float32) * slope.to(tl.float32))
    value = value.to(out.dtype.element_ty)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        tl.store(out + first + place, value)
    else:
        tl.store(out + first + place, value, mask=first + place < n)


def logspace(
    start: float | torch.Tensor,
    end: float | torch.Tensor,
    steps: int,
    base: float = 10.0,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> torch.Tensor:
    kind = torch.float32 if dtype is None else dtype
    out = torch.empty(steps, dtype=kind, device=device)
    if steps:
        low, high = (
            one
            if isinstance(one, torch.Tensor)
            else torch.full((), one, dtype=torch.float64, device=device)
            for one in (start, end)
        )
        _powers[(triton.cdiv(steps, 1024),)](
            out, low, high, steps, max(steps - 1, 1), LOG=math.log2(base),
            WIDE=kind == torch.float64, BLOCK=1024,
        )  # fmt: skip
    return out
