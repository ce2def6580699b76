import math

import torch
import triton
import triton.language as tl

Number = int | float


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
def _zeta_of(x, q):
    """The terms up to a start of at least 8; Euler and Maclaurin's formula for all others."""
    odd = tl.floor(x * 0.5) * 2.0 != x
    count = tl.max(tl.where(q < 0.0, 8.0 - tl.floor(q), 8.0), axis=0).to(tl.int32)
    total = tl.zeros(q.shape, tl.float32)
    # Small terms are scaled up, since a GPU takes subnormal numbers for zeros.
    shift = tl.where((q > 0.0) & (x * tl.log2(q) > 60.0), 64.0, 0.0)
    for k in range(count):
        base = q + k
        term = tl.exp2(shift - x * tl.log2(tl.abs(base)))
        total += tl.where((base < 0.0) & odd, -term, term)
    y = q + count
    w = 1.0 / y
    z = w * w
    s = tl.where(x > 1.0e3, 1.0e3, x)  # the rest is 0 there, and must not be 0 * inf
    e = 1.0 - z * ((s + 7.0) * (s + 8.0) * 0.0252525253)
    e = 1.0 - e * z * ((s + 5.0) * (s + 6.0) * 0.025)
    e = 1.0 - e * z * ((s + 3.0) * (s + 4.0) * 0.0238095243)
    e = 1.0 - e * z * ((s + 1.0) * (s + 2.0) * 0.0166666675)
    e = e * w * (s * 0.0833333358) + 0.5
    total += tl.exp2(shift + (1.0 - x) * tl.log2(y)) * (e * w + 1.0 / (x - 1.0))
    total *= tl.exp2(-shift)
    whole = tl.floor(q) == q
    total = tl.where((q <= 0.0) & (tl.floor(x) != x), float("nan"), total)
    total = tl.where((q <= 0.0) & whole, float("inf"), total)
    total = tl.where(x < 1.0, float("nan"), total)
    return tl.where(x == 1.0, float("inf"), total)


@triton.jit
def _block(
    z, x, y, number, first, mask, x_inner, x_period, y_inner, y_period,
    TENSOR: tl.constexpr, X_WHOLE: tl.constexpr, Y_WHOLE: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    a = _read(x, first, mask, x_inner, x_period, X_WHOLE, BLOCK)
    if TENSOR:
        b = _read(y, first, mask, y_inner, y_period, Y_WHOLE, BLOCK)
    else:
        b = tl.full((BLOCK,), number, tl.float32)
    if mask is not None:  # what lies beyond the end must not add terms
        b = tl.where(mask, b, 1.0)
    value = _zeta_of(a, b).to(z.dtype.element_ty)
    tl.store(z + first + tl.arange(0, BLOCK), value, mask=mask)


@triton.jit
def _zeta(
    z, x, y, number, n, x_inner, x_period, y_inner, y_period,
    TENSOR: tl.constexpr, X_WHOLE: tl.constexpr, Y_WHOLE: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        _block(z, x, y, number, first, None, x_inner, x_period, y_inner, y_period,
               TENSOR, X_WHOLE, Y_WHOLE, BLOCK)  # fmt: skip
    else:
        mask = first + tl.arange(0, BLOCK) < n
        _block(z, x, y, number, first, mask, x_inner, x_period, y_inner, y_period,
               TENSOR, X_WHOLE, Y_WHOLE, BLOCK)  # fmt: skip


def _repeated(x: torch.Tensor, shape: tuple[int, ...]) -> tuple[torch.Tensor, int, int]:
    """x, dense, with `inner` and `period` of `_read`: a broadcast operand is not copied."""
    sizes = (1,) * (len(shape) - x.dim()) + tuple(x.shape)
    kept = [d for d, size in enumerate(sizes) if size > 1]
    first, last = (kept[0], kept[-1] + 1) if kept else (0, 0)
    if sizes[first:last] != shape[first:last] or math.prod(shape[first:]) > 2**30:
        return x.expand(shape).contiguous(), 1, math.prod(shape)
    return x.contiguous(), math.prod(shape[last:]), math.prod(shape[first:last])


def zeta(
    input: torch.Tensor, other: torch.Tensor | Number, out: torch.Tensor | None = None
) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    dtype = dtype if dtype.is_floating_point else torch.float32
    tensor = isinstance(other, torch.Tensor)
    operand = other if isinstance(other, torch.Tensor) else input
    shape = tuple(torch.broadcast_shapes(input.shape, operand.shape))
    number = 1.0 if isinstance(other, torch.Tensor) else float(other)
    z = out
    if z is None or not z.is_contiguous():
        z = torch.empty(shape, dtype=dtype, device=input.device)
    n = z.numel()
    if n:
        x, *x_steps = _repeated(input, shape)
        y, *y_steps = _repeated(operand, shape)
        words = {"X_WHOLE": x_steps == [1, n], "Y_WHOLE": y_steps == [1, n], "BLOCK": 1024}
        _zeta[(triton.cdiv(n, 1024),)](
            z, x, y, number, n, *x_steps, *y_steps, TENSOR=tensor, **words
        )
    return z if out is None or z is out else out.copy_(z)
