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
    return tl.load(x + place, mask=mask)


@triton.jit
def _signs(v, BITS: tl.constexpr):
    """The highest bit: -0.0 has it, too."""
    return (v.to(BITS, bitcast=True) < 0).to(tl.uint8)


@triton.jit
def _block(
    z, s, x, y, first, mask, x_inner, x_period, y_inner, y_period,
    X_WHOLE: tl.constexpr, Y_WHOLE: tl.constexpr, BITS: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    at = first + tl.arange(0, BLOCK)
    a = _read(x, first, mask, x_inner, x_period, X_WHOLE, BLOCK)
    b = _read(y, first, mask, y_inner, y_period, Y_WHOLE, BLOCK)
    if X_WHOLE:
        tl.store(s + at, _signs(a, BITS), mask=mask)
    if a.dtype.is_floating():
        a = a.to(tl.float32).to(tl.int32)
    tl.store(z + at, a.to(tl.int8) & b.to(tl.int8), mask=mask)


@triton.jit
def _both(
    z, s, x, y, n, x_inner, x_period, y_inner, y_period,
    X_WHOLE: tl.constexpr, Y_WHOLE: tl.constexpr, BITS: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(z, s, x, y, first, None, x_inner, x_period, y_inner, y_period,
               X_WHOLE, Y_WHOLE, BITS, BLOCK)  # fmt: skip
    else:
        mask = first + tl.arange(0, BLOCK) < n
        _block(z, s, x, y, first, mask, x_inner, x_period, y_inner, y_period,
               X_WHOLE, Y_WHOLE, BITS, BLOCK)  # fmt: skip


@triton.jit
def _signs_only(s, x, n, BITS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(s + at, _signs(tl.load(x + at, mask=at < n), BITS), mask=at < n)


def _repeated(x: torch.Tensor, shape: tuple[int, ...]) -> tuple[torch.Tensor, int, int]:
    """x, dense, with `inner` and `period` of `_read`: a broadcast operand is not copied."""
    sizes = (1,) * (len(shape) - x.dim()) + tuple(x.shape)
    kept = [d for d, size in enumerate(sizes) if size > 1]
    first, last = (kept[0], kept[-1] + 1) if kept else (0, 0)
    if sizes[first:last] != shape[first:last] or math.prod(shape[first:]) > 2**30:
        return x.expand(shape).contiguous(), 1, math.prod(shape)
    return x.contiguous(), math.prod(shape[last:]), math.prod(shape[first:last])


def signbit_bitwise_and(
    input: torch.Tensor, other: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    shape = tuple(torch.broadcast_shapes(input.shape, other.shape))
    z = torch.empty(shape, dtype=torch.int8, device=input.device)
    signs = torch.empty(input.shape, dtype=torch.bool, device=input.device)
    s, n, count = signs.view(torch.uint8), z.numel(), signs.numel()
    bits = {1: tl.int8, 2: tl.int16, 4: tl.int32}[input.itemsize]
    if n:
        x, *x_steps = _repeated(input, shape)
        y, *y_steps = _repeated(
            other.view(torch.uint8) if other.dtype == torch.bool else other, shape
        )
        words = {"X_WHOLE": count == n, "Y_WHOLE": y_steps == [1, n], "BITS": bits, "BLOCK": 2048}
        _both[(triton.cdiv(n, 2048),)](z, s, x, y, n, *x_steps, *y_steps, **words)
    if count and count != n:  # a broadcast input has fewer signs than there are results
        words = {"BITS": bits, "BLOCK": 2048}
        _signs_only[(triton.cdiv(count, 2048),)](s, input.contiguous(), count, **words)
    return signs, z
