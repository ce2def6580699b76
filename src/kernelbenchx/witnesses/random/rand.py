from typing import Any

import torch
import triton
import triton.language as tl


def _asked(size: Any, generator: Any, out: Any, dtype: Any, device: Any) -> tuple[Any, Any, Any]:
    """Shape, dtype and device of the result."""
    shape = tuple(size[0]) if size and not isinstance(size[0], int) else tuple(size)
    if out is not None:
        return shape, out.dtype, out.device
    where = generator.device if device is None and generator is not None else device
    return shape, torch.float32 if dtype is None else dtype, where


@triton.jit
def _uniform(out, seed, n, WIDE: tl.constexpr, LANES: tl.constexpr):
    """As many random bits as the dtype tells apart in [0.5, 1), so that 1.0 cannot occur."""
    lane = tl.program_id(0) * LANES + tl.arange(0, LANES)
    a, b, c, d = tl.randint4x(tl.load(seed), lane)
    # All four words of a draw are used, side by side: a thread stores whole vectors.
    if WIDE:
        high = (tl.interleave(a, c) >> 5).to(tl.float64)
        low = (tl.interleave(b, d) >> 6).to(tl.float64)
        value = (high * 67108864.0 + low) * 1.1102230246251565e-16
    else:
        bits = tl.interleave(tl.interleave(a, c), tl.interleave(b, d))
        value = (bits >> 8).to(tl.float32) * 5.9604644775390625e-08
    BLOCK: tl.constexpr = LANES * (2 if WIDE else 4)
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        tl.store(out + at, value)
    else:
        tl.store(out + at, value, mask=at < n)


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
    values = out
    if values is None or not values.is_contiguous():
        values = torch.empty(shape, dtype=kind, device=where)
    n = values.numel()
    if n:
        seed = torch.randint(0, 2**62, (1,), generator=generator, device=where)
        wide = kind == torch.float64
        blocks = triton.cdiv(n, 2048 if wide else 4096)
        _uniform[(blocks,)](values, seed, n, WIDE=wide, LANES=1024)
    return values if out is None or values is out else out.copy_(values)
