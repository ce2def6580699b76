import math

import torch
import triton
import triton.language as tl


@triton.jit
def _read(x, first, mask, inner, period, WHOLE: tl.constexpr, BLOCK: tl.constexpr):
    """Element i // inner % period for element i of the result; `WHOLE`: just element i."""
    lane = tl.arange(0, BLOCK)
    if WHOLE:
        place = first + lane
    else:  # the block's start is reduced in 64 bits, so that lanes divide in 32
        place = ((first % (inner * period)).to(tl.int32) + lane) // inner % period
    return tl.load(x + place, mask=mask).to(tl.float32)


@triton.jit
def _mul(
    z, x, y, n, x_inner, x_period, y_inner, y_period,
    X_WHOLE: tl.constexpr, Y_WHOLE: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        a = _read(x, first, None, x_inner, x_period, X_WHOLE, BLOCK)
        b = _read(y, first, None, y_inner, y_period, Y_WHOLE, BLOCK)
        tl.store(z + at, (a * b).to(z.dtype.element_ty))
    else:
        mask = at < n
        a = _read(x, first, mask, x_inner, x_period, X_WHOLE, BLOCK)
        b = _read(y, first, mask, y_inner, y_period, Y_WHOLE, BLOCK)
        tl.store(z + at, (a * b).to(z.dtype.element_ty), mask=mask)


def _repeated(x: torch.Tensor, shape: tuple[int, ...]) -> tuple[torch.Tensor, int, int]:
    """x, dense, with `inner` and `period` of `_read`: a broadcast operand is not copied."""
    sizes = (1,) * (len(shape) - x.dim()) + tuple(x.shape)
    kept = [d for d, size in enumerate(sizes) if size > 1]
    first, last = (kept[0], kept[-1] + 1) if kept else (0, 0)
    if sizes[first:last] != shape[first:last] or math.prod(shape[first:]) > 2**30:
        return x.expand(shape).contiguous(), 1, math.prod(shape)
    return x.contiguous(), math.prod(shape[last:]), math.prod(shape[first:last])


def mul_bf16(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    shape = tuple(torch.broadcast_shapes(input.shape, other.shape))
    z = torch.empty(shape, dtype=input.dtype, device=input.device)
    n = z.numel()
    if n:
        x, *x_steps = _repeated(input, shape)
        y, *y_steps = _repeated(other, shape)
        words = {"X_WHOLE": x_steps == [1, n], "Y_WHOLE": y_steps == [1, n], "BLOCK": 1024}
        _mul[(triton.cdiv(n, 1024),)](z, x, y, n, *x_steps, *y_steps, **words)
    return z
