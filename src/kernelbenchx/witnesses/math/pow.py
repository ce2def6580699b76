import math

import torch
import triton
import triton.language as tl

Number = int | float


@triton.jit
def _logarithm(a, NARROW: tl.constexpr):
    """ln of a finite a > 0 as the sum of two float32 numbers; for 16 bits the first will do."""
    tiny = a < 1.1754943508222875e-38
    bits = tl.where(tiny, a * 16777216.0, a).to(tl.int32, bitcast=True)
    k = (bits - 0x3F3504F3) >> 23  # a = m * 2**k with m between sqrt(1/2) and sqrt(2)
    m = (bits - (k << 23)).to(tl.float32, bitcast=True) - 1.0
    i = (k - tl.where(tiny, 24, 0)).to(tl.float32)
    r = 1.0 / (m + 2.0)
    q = m * r
    s = q * q
    p = tl.fma(tl.fma(tl.fma(s, 0.1293334961, 0.1419928074), s, 0.2000148296), s, 0.3333332539)
    if NARROW:
        return tl.fma(i, 0.6931471805599453, tl.fma(2.0 * q * s, p, 2.0 * q)), s * 0.0
    # ln(m + 1) = 2 atanh(m / (m + 2)): what q, its square and its cube lose is kept beside them.
    low = r * tl.fma(q, -m, tl.fma(q, -2.0, m))
    lost = tl.fma(q, low + low, tl.fma(q, q, -s))
    cube = s * q
    lost = tl.fma(s, low, tl.fma(lost, q, tl.fma(s, q, -cube)))
    rest = tl.fma(p, cube, tl.fma(p, lost, low))
    high = tl.fma(i, 0.693147182464599609375, 2.0 * q)
    back = tl.fma(i, -0.693147182464599609375, high)
    rest = tl.fma(i, -1.904654323148236017e-9, tl.fma(2.0, rest, 2.0 * q - back))
    total = high + rest
    return total, (high - total) + rest


@triton.jit
def _two_to(n):
    return ((n + 127) << 23).to(tl.float32, bitcast=True)


@triton.jit
def _power(x, e, NARROW: tl.constexpr):
    a = tl.abs(x)
    high, low = _logarithm(a, NARROW)
    high = tl.where(a == 0, float("-inf"), tl.where(a == float("inf"), a, high))
    t = high * e
    # exp(t + rest), as 2**n times something between sqrt(1/2) and sqrt(2)
    near = tl.minimum(tl.maximum(t, -110.0), 95.0)
    n = tl.floor(tl.fma(near, 1.4426950408889634, 0.5))
    f = tl.fma(n, 1.904654323148236017e-9, tl.fma(n, -0.693147182464599609375, near))
    if not NARROW:
        f += tl.fma(low, e, tl.fma(high, e, -t))
    whole = n.to(tl.int32)
    y = tl.exp2(f * 1.4426950408889634) * _two_to(whole >> 1) * _two_to(whole - (whole >> 1))
    y = tl.where(t > 89.5, float("inf"), tl.where(t < -105.0, 0.0, y))
    # The sign: an odd exponent keeps it, one that is no whole number has no real power.
    is_whole = tl.floor(e) == e
    odd = is_whole & (tl.floor(e * 0.5) != e * 0.5)
    y = tl.where(odd & (x.to(tl.int32, bitcast=True) < 0), -y, y)
    y = tl.where((x < 0) & (a != float("inf")) & (e - e == 0) & ~is_whole, float("nan"), y)
    y = tl.where((a == 1) & (tl.abs(e) == float("inf")), 1.0, y)
    y = tl.where((x != x) | (e != e), x + e, y)
    return tl.where((x == 1) | (e == 0), 1.0, y)


@triton.jit
def _integer_power(b, e):
    y = tl.full(b.shape, 1, b.dtype)
    while tl.max(e, axis=0) > 0:
        y = tl.where((e & 1) != 0, y * b, y)
        b *= b
        e >>= 1
    return y


@triton.jit
def _read(x, first, n, inner, period, WHOLE: tl.constexpr, BLOCK: tl.constexpr):
    """Element i // inner % period for element i of the result; `WHOLE`: just element i."""
    lane = tl.arange(0, BLOCK)
    if WHOLE:
        place = first + lane
    else:  # the block's start is reduced in 64 bits, so that lanes divide in 32
        place = ((first % (inner * period)).to(tl.int32) + lane) // inner % period
    if first + BLOCK <= n:  # no mask: vectors whatever n is
        v = tl.load(x + place)
    else:  # lanes beyond the end have the exponent 0, and no loop waits for them
        v = tl.load(x + place, mask=first + lane < n, other=0)
    return v


@triton.jit(do_not_specialize=["number", "x_inner", "x_period", "y_inner", "y_period"])
def _pow(
    z, x, y, number, n, x_inner, x_period, y_inner, y_period,
    TENSOR: tl.constexpr, X_WHOLE: tl.constexpr, Y_WHOLE: tl.constexpr, COMPUTE: tl.constexpr,
    BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    a = _read(x, first, n, x_inner, x_period, X_WHOLE, BLOCK).to(COMPUTE)
    if TENSOR:
        b = _read(y, first, n, y_inner, y_period, Y_WHOLE, BLOCK).to(COMPUTE)
    else:
        b = tl.full((BLOCK,), number, COMPUTE)
    if COMPUTE.is_int():
        v = _integer_power(a, b).to(z.dtype.element_ty)
    else:
        v = _power(a, b, z.dtype.element_ty.primitive_bitwidth == 16).to(z.dtype.element_ty)
    if first + BLOCK <= n:
        tl.store(z + at, v)
    else:
        tl.store(z + at, v, mask=at < n)


def _repeated(x: torch.Tensor, shape: tuple[int, ...]) -> tuple[torch.Tensor, int, int]:
    """x, dense, with `inner` and `period` of `_read`: a broadcast operand is not copied."""
    sizes = (1,) * (len(shape) - x.dim()) + tuple(x.shape)
    kept = [d for d, size in enumerate(sizes) if size > 1]
    first, last = (kept[0], kept[-1] + 1) if kept else (0, 0)
    if sizes[first:last] != shape[first:last] or math.prod(shape[first:]) > 2**30:
        return x.expand(shape).contiguous(), 1, math.prod(shape)
    return x.contiguous(), math.prod(shape[last:]), math.prod(shape[first:last])


def pow(
    input: torch.Tensor,
    /,
    exponent: torch.Tensor | Number,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    dtype = torch.result_type(input, exponent)
    compute = {torch.int32: tl.int32, torch.int64: tl.int64}.get(dtype, tl.float32)
    tensor = isinstance(exponent, torch.Tensor)
    operand = exponent if isinstance(exponent, torch.Tensor) else input
    shape = tuple(torch.broadcast_shapes(input.shape, operand.shape))
    number = 1 if tensor else exponent
    if dtype.is_floating_point:
        number = float(number)
    z = out
    if z is None or not z.is_contiguous():
        z = torch.empty(shape, dtype=dtype, device=input.device)
    n = z.numel()
    if n:
        x, *x_steps = _repeated(input, shape)
        y, *y_steps = _repeated(operand, shape)
        words = {
            "X_WHOLE": x_steps == [1, n],
            "Y_WHOLE": tensor and y_steps == [1, n],
            "BLOCK": 1024,
        }
        _pow[(triton.cdiv(n, 1024),)](
            z, x, y, number, n, *x_steps, *y_steps, TENSOR=tensor, COMPUTE=compute, **words
        )
    return z if out is None or z is out else out.copy_(z)
