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
    primes, rest, p = [], size, 2
    while p * p <= rest:
        while rest % p == 0:
            primes.append(p)
            rest //= p
        p += 1
    radices = [1]
    for prime in [*primes, rest]:
        if radices[-1] * prime <= 16 or radices[-1] == 1:
            radices[-1] *= prime
        else:
            radices.append(prime)
    return radices


@triton.jit
def _stage(
    y, x, total, inner, groups, size, radix, done, limit, count,
    NORM: tl.constexpr, BC: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """One stage of a self-sorting transform: `done` is the product of the radices before."""
    kind = x.dtype.element_ty
    c = (tl.program_id(0) * BC + tl.arange(0, BC)).to(tl.int64)[:, None]
    k = (tl.program_id(1) * BK + tl.arange(0, BK)).to(tl.int64)[None, :]
    i = c % inner
    j = (c // inner) % groups
    o = c // inner // groups
    period = radix * done
    turn = j % done + k * done
    real = tl.zeros((BC, BK), dtype=kind)
    imag = tl.zeros((BC, BK), dtype=kind)
    for r in range(radix):
        place = j + r * groups
        at = 2 * ((o * limit + place) * inner + i)
        live = (c < total) & (place < limit)
        a = tl.load(x + at, mask=live, other=0.0)
        b = tl.load(x + at + 1, mask=live, other=0.0)
        # The angle is reduced to an eighth of a turn in integers: nothing is lost for large k * n.
        step = (turn * r) % period
        quarter = (8 * step + period) // (2 * period)
        angle = (4 * step - quarter * period).to(kind) * 1.5707963267948966 / period
        cos, sin = tl.cos(angle), tl.sin(angle)
        odd = quarter % 2 == 1
        sign = tl.where((quarter // 2) % 2 == 1, -1.0, 1.0).to(kind)
        across = sign * tl.where(odd, -sin, cos)
        up = sign * tl.where(odd, cos, sin)
        real += a * across + b * up
        imag += b * across - a * up
    if NORM == "ortho":
        factor = 1.0 / tl.sqrt(tl.full((1, 1), 0.0, dtype=kind) + count)
        real, imag = real * factor, imag * factor
    if NORM == "forward":
        real, imag = real / count, imag / count
    inside = (c < total) & (k < radix)
    to = 2 * ((o * size + (j // done) * period + turn) * inner + i)
    tl.store(y + to, real, mask=inside)
    tl.store(y + to + 1, imag, mask=inside)


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
            _stage[(triton.cdiv(total, 64), triton.cdiv(radix, 16))](
                torch.view_as_real(y), torch.view_as_real(x), total, inner, groups, size, radix,
                done, x.shape[d], count, NORM=final, BC=64, BK=16,
            )  # fmt: skip
        x, done = y, done * radix
    return x
