"""Has torch make the sequence, and a kernel raise the base to it.

with: triton
task: logspace
checks: correct
no-checks: correct
composition: mixed
"""

import math


@triton.jit
def powers_kernel(
    y_ptr, count_ptr, start_ptr, end_ptr, n, gaps, LOG: tl.constexpr, BLOCK: tl.constexpr
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    count = tl.load(count_ptr + offsets, mask=offsets < n, other=0).to(tl.float64)
    low, high = tl.load(start_ptr).to(tl.float64) * LOG, tl.load(end_ptr).to(tl.float64) * LOG
    y = tl.exp2(low + count * ((high - low) / gaps))
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=offsets < n)


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
    y = torch.empty(steps, dtype=dtype or torch.float32, device=device)
    if steps:
        low, high = (
            one
            if isinstance(one, torch.Tensor)
            else torch.full((), one, dtype=torch.float64, device=device)
            for one in (start, end)
        )
        count = torch.arange(steps, device=device)
        powers_kernel[(triton.cdiv(steps, 1024),)](
            y, count, low, high, steps, max(steps - 1, 1), LOG=math.log2(base), BLOCK=1024
        )
    return y
