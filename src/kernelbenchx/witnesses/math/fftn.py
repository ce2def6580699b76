import math

import torch
import triton
import triton.language as tl

Ints = tuple[int, ...]


def _plan(shape: Ints, s: Ints | None, dim: Ints | None) -> tuple[list[int], list[int]]:
    """Transformed dimensions and their sizes."""
    if dim is None:
        first = 0 if s is None else len(shape) - len(s)
        dims = list(range(first, len(shape)))
    else:
        dims = [d % len(shape) for d in dim]
    wanted = [-1] * len(dims) if s is None else list(s)
    return dims, [shape[d] if n == -1 else n for d, n in zip(dims, wanted, strict=True)]


def _radices(size: int) -> list[int]:
    """Factors of at most 16 where the primes allow it."""
    radices, rest, p = [1], size, 2
    while rest > 1:
        if rest % p:
            p = p + 1 if p * p < rest else rest
        else:
            rest //= p
            if radices[-1] > 1 and radices[-1] * p > 16:
                radices.append(1)
            radices[-1] *= p
    return radices


@triton.jit
def _turns(step, period, kind: tl.constexpr):
    """Cosine and sine of `step / period` turns."""
    # The angle is reduced to an eighth of a turn in integers: nothing is lost for large steps.
    whole = tl.zeros((1, 1), dtype=kind) + period
    quarter = (step.to(kind) * (4.0 / whole) + 0.5).to(step.dtype)
    angle = (4 * step - quarter * period).to(kind) * (1.5707963267948966 / whole)
    square = angle * angle
    cos, sin = 1.0, 1.0
    for term in tl.static_range(8 if kind == tl.float64 else 4, 0, -1):  # Taylor's series
        cos = 1.0 - square * cos * (1.0 / (2 * term * (2 * term - 1)))
        sin = 1.0 - square * sin * (1.0 / (2 * term * (2 * term + 1)))
    sin *= angle
    odd = (quarter & 1) == 1
    sign = (1 - (quarter & 2)).to(kind)
    return sign * tl.where(odd, -sin, cos), sign * tl.where(odd, cos, sin)


@triton.jit
def _stage(
    y, x, total, inner, groups, size, radix, done, limit, count,
    NORM: tl.constexpr, FIRST: tl.constexpr, ALONG: tl.constexpr, WIDE: tl.constexpr,
    PRECISION: tl.constexpr, BC: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """One stage of a self-sorting transform: `done` is the product of the radices before."""
    kind: tl.constexpr = x.dtype.element_ty
    index: tl.constexpr = tl.int64 if WIDE else tl.int32  # divisions in 64 bits are slow
    c = (tl.program_id(0).to(index) * BC + tl.arange(0, BC))[None, :]
    k = (tl.program_id(1) * BK + tl.arange(0, BK))[:, None]
    i, j = c % inner, c // inner % groups
    o = (c // inner // groups).to(tl.int64)
    turn = j % done
    part = tl.arange(0, 2)[None, None, :]
    real, imag = tl.zeros((BK, BC), dtype=kind), tl.zeros((BK, BC), dtype=kind)
    for start in range(0, radix, BK):
        r = (start + tl.arange(0, BK)).to(index)[:, None]
        at = (o * limit + j) * inner + i + r.to(tl.int64) * groups * inner
        live = (c < total) & (r < radix) & (j + r * groups < limit)
        a, b = tl.split(tl.load(x + 2 * at[:, :, None] + part, live[:, :, None], 0.0))
        if not FIRST:
            cos, sin = _turns(r * turn, radix * done, kind)
            a, b = a * cos + b * sin, b * cos - a * sin
        cos, sin = _turns(k * tl.trans(r), radix, kind)
        real = tl.dot(cos, a, real, input_precision=PRECISION, out_dtype=kind)
        real = tl.dot(sin, b, real, input_precision=PRECISION, out_dtype=kind)
        imag = tl.dot(cos, b, imag, input_precision=PRECISION, out_dtype=kind)
        imag = tl.dot(-sin, a, imag, input_precision=PRECISION, out_dtype=kind)
    if NORM == "ortho":
        factor = 1.0 / tl.sqrt(tl.zeros((1, 1), dtype=kind) + count)
        real, imag = real * factor, imag * factor
    if NORM == "forward":
        real, imag = real / count, imag / count
    to = (o * size + (j - turn).to(tl.int64) * radix + turn) * inner + i
    to += k.to(tl.int64) * done * inner
    inside = (c < total) & (k < radix)
    if ALONG:  # neighbours in memory differ in k: the threads of a warp shall do so, too
        to, inside, real, imag = tl.trans(to), tl.trans(inside), tl.trans(real), tl.trans(imag)
    tl.store(y + 2 * to[:, :, None] + part, tl.join(real, imag), mask=inside[:, :, None])


def fftn(
    input: torch.Tensor,
    s: Ints | None = None,
    dim: Ints | None = None,
    norm: str | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    double = input.dtype in (torch.float64, torch.complex128)
    x = input.to(torch.complex128 if double else torch.complex64).contiguous()
    dims, sizes = _plan(tuple(input.shape), s, dim)
    for d, size in zip(dims, sizes, strict=True):
        last = norm if d == dims[-1] and norm else "backward"
        x = _along(x, d, size, last, math.prod(sizes))
    if out is not None:
        return out.copy_(x)
    return x.clone() if x is input else x


def _along(x: torch.Tensor, d: int, size: int, norm: str, count: int) -> torch.Tensor:
    outer, inner = math.prod(x.shape[:d]), math.prod(x.shape[d + 1 :])
    shape, done, radices = (*x.shape[:d], size, *x.shape[d + 1 :]), 1, _radices(size)
    for position, radix in enumerate(radices):
        y = torch.empty(shape, dtype=x.dtype, device=x.device)
        groups = size // radix
        total = outer * groups * inner
        final = norm if position == len(radices) - 1 else "backward"
        if total:
            _stage[(triton.cdiv(total, 128), triton.cdiv(radix, 16))](
                torch.view_as_real(y), torch.view_as_real(x), total, inner, groups, size, radix,
                done, x.shape[d], count, NORM=final, FIRST=done == 1, ALONG=done * inner == 1,
                WIDE=max(total, 8 * (radix + 16) * max(groups, radix + 16)) >= 2**31 - 128,
                PRECISION="ieee" if y.dtype == torch.complex128 else "tf32x3", BC=128, BK=16,
                num_warps=8, num_stages=1,
            )  # fmt: skip
        x, done = y, done * radix
    return x
