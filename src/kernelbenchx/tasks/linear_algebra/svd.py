"""Singular value decomposition A = U diag(S) Vh of real matrices (..., m, n), with k = min(m, n).

Returns (U, S, Vh). S (..., k) holds the singular values, at least 0 and in descending order. With
full_matrices=True U is (..., m, m) and Vh (..., n, n); otherwise U is (..., m, k) and Vh (..., k,
n). The columns of U and the rows of Vh are orthonormal to the precision of A's dtype, also where
singular values are zero or equal. The sign of each pair, the basis of equal singular values and
the surplus columns of U and rows of Vh are free. A is finite, float32 or float64 (computed in its
own dtype, no TF32), of any strides, batched over its leading dimensions, and stays as it is; m, n
and leading sizes are at least 1.

The published reference accepts one choice of signs only; here every valid decomposition is right.
"""

import math

import torch
import triton
import triton.language as tl

from kernelbenchx.spec import (
    Call,
    Cost,
    Descending,
    Draw,
    Matches,
    Mutant,
    NonNegative,
    Orthonormal,
    Patch,
    Property,
    Reconstructs,
    Task,
    call,
    case,
    grid,
)

FLOATS = (torch.float32, torch.float64)
SINGLE = (torch.float32,)
Triple = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
Shape = tuple[int, ...]


def svd(A: torch.Tensor, full_matrices: bool = True) -> Triple:
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    return u, s, vh


def inputs(
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    kind: str = "normal",
    layout: str = "contiguous",
    scale: float = 1.0,
    **options: bool,
) -> Call:
    """`kind`: normal; graded (columns over six orders of magnitude); flat (rank 1); eye; zero."""
    a = scale * draw.normal(shape, torch.float64)
    if kind == "graded":
        a = a * torch.logspace(-3, 3, shape[-1], dtype=torch.float64, device=draw.device)
    if kind == "flat":
        a = a[..., :1] * a[..., :1, :]
    if kind in ("eye", "zero"):
        a = torch.zeros_like(a) + (torch.eye(*shape[-2:]).to(a) if kind == "eye" else 0.0)
    return call(draw.laid_out(a.to(dtype), layout), **options)


def cost(shape: Shape, dtype: torch.dtype, full_matrices: bool = True, **_: object) -> Cost:
    *lead, m, n = shape
    k = min(m, n)
    u, v = (m * m, n * n) if full_matrices else (m * k, k * n)
    moved = math.prod(lead) * (m * n + u + k + v)
    flops = 4 * max(m, n) ** 2 * k + 8 * max(m, n) * k * k + 9 * k**3
    return Cost(flops=math.prod(lead) * flops, bytes=moved * dtype.itemsize)


def _growth(call: Call) -> float:
    """Up to fifteen sweeps turn each column k times, and each turn rounds it twice."""
    m, n = call.args[0].shape[-2:]
    return float(16 + 30 * min(m, n))


def _product(factors: tuple[torch.Tensor, ...]) -> torch.Tensor:
    u, s, vh = factors
    k = s.shape[-1]
    return (u[..., :k] * s.unsqueeze(-2)) @ vh[..., :k, :]


@triton.jit
def _rotated(w, partner, cos, sin):
    """Every column turned with its partner."""
    other = tl.gather(w, tl.broadcast_to(partner[None, :], w.shape), axis=1)
    return w * cos[None, :] - other * sin[None, :]


@triton.jit
def _sweep(w, v, cols, TINY: tl.constexpr, BN: tl.constexpr):
    """Turn each pair of columns once until it is orthogonal; the pairs of one step are disjoint."""
    worst = tl.sum(tl.zeros((BN,), dtype=w.dtype), axis=0)
    for step in range(1, BN):
        partner = cols ^ step
        other = tl.gather(w, tl.broadcast_to(partner[None, :], w.shape), axis=1)
        mine, theirs = tl.sum(w * w, axis=0), tl.sum(other * other, axis=0)
        cross = tl.sum(w * other, axis=0)
        bound = tl.sqrt(mine) * tl.sqrt(theirs)
        apart = tl.abs(cross) > TINY * bound
        worst = tl.maximum(worst, tl.max(tl.where(apart, 1.0, 0.0).to(w.dtype), axis=0))
        zeta = (theirs - mine) / tl.where(apart, 2.0 * cross, 1.0)
        sign = tl.where((zeta > 0) | ((zeta == 0) & (cols < partner)), 1.0, -1.0)
        size = tl.abs(zeta)
        # Beyond this size its square adds nothing, and may overflow.
        tangent = sign / (size + tl.where(size < 1e8, tl.sqrt(1.0 + size * size), size))
        tangent = tl.where(apart, tangent, 0.0)
        cos = 1.0 / tl.sqrt(1.0 + tangent * tangent)
        w = _rotated(w, partner, cos, cos * tangent)
        v = _rotated(v, partner, cos, cos * tangent)
    return w, v, worst


@triton.jit
def _svd(
    u, s, v, a, m, n, wide, u_b, u_row, u_col, v_b, v_row, v_col, a_b, a_row, a_col,
    TINY: tl.constexpr, SWEEPS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """One matrix with m >= n: Jacobi rotations, a sort, reflections that complete the basis."""
    matrix = tl.program_id(0).to(tl.int64)
    rows, cols, across = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BM)
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    a += matrix * a_b + rows[:, None] * a_row + cols[None, :] * a_col
    w = tl.load(a, mask=inside, other=0.0)
    kind = w.dtype
    top = tl.max(tl.max(tl.abs(w), axis=1), axis=0)
    top = tl.where(top > 0, top, 1.0)
    w /= top
    down = tl.arange(0, BN)
    turned = tl.where(down[:, None] == cols[None, :], 1.0, 0.0).to(kind)
    sweeps = 0
    worst = top * 0.0 + 1.0
    while (worst > 0.0) & (sweeps < SWEEPS):
        w, turned, worst = _sweep(w, turned, cols, TINY, BN)
        sweeps += 1
    values = tl.sqrt(tl.sum(w * w, axis=0))
    # The place of a column: how many are larger, or as large and before it.
    before = (values[:, None] > values[None, :]) | (
        (values[:, None] == values[None, :]) & (down[:, None] < cols[None, :])
    )
    place = tl.sum(before.to(tl.int32), axis=0)
    order = tl.sum(tl.where(place[:, None] == cols[None, :], down[:, None], 0), axis=0)
    w = tl.gather(w, tl.broadcast_to(order[None, :], w.shape), axis=1)
    turned = tl.gather(turned, tl.broadcast_to(order[None, :], turned.shape), axis=1)
    values = tl.gather(values, order, axis=0)
    tl.store(s + matrix * n + cols, values * top, mask=cols < n)
    v += matrix * v_b + down[:, None] * v_row + cols[None, :] * v_col
    tl.store(v, turned, mask=(down[:, None] < n) & (cols[None, :] < n))
    basis = tl.where(rows[:, None] == across[None, :], 1.0, 0.0).to(kind)
    for j in range(n):
        column = tl.sum(tl.where(cols[None, :] == j, w, 0.0), axis=1)
        column = tl.where(rows >= j, column, 0.0)
        largest = tl.max(tl.abs(column), axis=0)
        unit = column / tl.where(largest > 0, largest, 1.0)
        head = tl.sum(tl.where(rows == j, unit, 0.0), axis=0)
        length = tl.sqrt(tl.sum(unit * unit, axis=0))
        length = tl.where(head > 0, -length, length)
        x = unit - tl.where(rows == j, length, 0.0)
        square = tl.sum(x * x, axis=0)
        factor = tl.where(square > 0, 2.0 / tl.where(square > 0, square, 1.0), 0.0)
        w -= x[:, None] * (factor * tl.sum(x[:, None] * w, axis=0))[None, :]
        basis -= (factor * tl.sum(basis * x[None, :], axis=1))[:, None] * x[None, :]
        # The reflection takes the column to `length` times this axis: its sign goes to U.
        basis = tl.where((across[None, :] == j) & (length < 0), -basis, basis)
        w = tl.where((rows[:, None] == j) & (length < 0), -w, w)
    u += matrix * u_b + rows[:, None] * u_row + across[None, :] * u_col
    tl.store(u, basis, mask=(rows[:, None] < m) & (across[None, :] < wide))


def witness(A: torch.Tensor, full_matrices: bool = True) -> Triple:
    lead, (m, n) = A.shape[:-2], A.shape[-2:]
    count, k = math.prod(lead), min(m, n)
    u_wide, v_wide = (m, n) if full_matrices else (k, k)
    a = A.reshape(count, m, n)
    u = torch.empty((count, m, u_wide), dtype=A.dtype, device=A.device)
    s = torch.empty((count, k), dtype=A.dtype, device=A.device)
    vh = torch.empty((count, v_wide, n), dtype=A.dtype, device=A.device)
    left, right = u, vh.mT
    if m < n:  # the transpose: U and V change places
        a, left, right = a.mT, right, left
    tall = max(m, n)
    _svd[(count,)](
        left, s, right, a, tall, k, left.shape[2], *left.stride(), *right.stride(), *a.stride(),
        TINY=5e-7 if A.dtype == torch.float32 else 1e-15, SWEEPS=20,
        BM=max(2, triton.next_power_of_2(tall)), BN=max(2, triton.next_power_of_2(k)),
        num_warps=4 if tall * k <= 1024 else 8,
    )  # fmt: skip
    return u.view(*lead, m, u_wide), s.view(*lead, k), vh.view(*lead, v_wide, n)


def _reduced(A, full_matrices=True):
    """Fills the surplus with zeros."""
    u, s, vh = torch.linalg.svd(A, full_matrices=False)
    if full_matrices:
        u = torch.nn.functional.pad(u, (0, A.shape[-2] - u.shape[-1]))
        vh = torch.nn.functional.pad(vh, (0, 0, 0, A.shape[-1] - vh.shape[-2]))
    return u, s, vh


def _by_gram(A, full_matrices=True):
    """Eigenvalues of the Gram matrix: small singular values are lost."""
    if A.shape[-2] < A.shape[-1] or full_matrices:
        return svd(A, full_matrices)
    squares, v = torch.linalg.eigh(A.mT @ A)
    s, v = squares.clamp(min=0.0).sqrt().flip(-1), v.flip(-1)
    return (A @ v) / s.unsqueeze(-2).clamp(min=1e-30), s, v.mT.contiguous()


def _ascending(A, full_matrices=True):
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    k = s.shape[-1]
    left = torch.cat((u[..., :k].flip(-1), u[..., k:]), -1)
    return left, s.flip(-1), torch.cat((vh[..., :k, :].flip(-2), vh[..., k:, :]), -2)


def _one_sign(A, full_matrices=True):
    """Flips a column of U without its row of Vh."""
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    return torch.cat((-u[..., :1], u[..., 1:]), -1), s, vh


def _both_signs(A, full_matrices=True):
    """A negative singular value with the other sign in U."""
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    return torch.cat((-u[..., :1], u[..., 1:]), -1), torch.cat((-s[..., :1], s[..., 1:]), -1), vh


TASK = Task(
    reference=svd,
    inputs=inputs,
    cost=cost,
    contract=Property(
        NonNegative(1),
        Descending(1),
        Matches(1, growth=_growth),
        Orthonormal(0, growth=_growth),
        Orthonormal(2, "rows", growth=_growth),
        Reconstructs(_product, lambda call: call.args[0], _growth, by="matrix"),
    ),
    checks=(
        grid(shape=((9, 6), (6, 9)), dtype=FLOATS, full_matrices=(True, False))
        + grid(shape=((2, 5, 5),), dtype=FLOATS, layout=("transposed", "strided"))
        + case(shape=(17, 11), dtype=torch.float32)
        + grid(shape=((8, 4),), dtype=FLOATS, kind=("graded",), full_matrices=(False,))
        + grid(shape=((6, 4), (3, 5)), dtype=SINGLE, kind=("flat", "eye", "zero"))
        + grid(shape=((3, 7),), dtype=SINGLE, scale=(1e-8, 1e8))
        + grid(shape=((1, 1), (3, 1), (1, 3)), dtype=SINGLE)
    ),
    timings=(
        # Large: torch waits for the host within a call, for as long whatever the size.
        grid(shape=((16384, 16, 16), (8192, 32, 32)), dtype=SINGLE)
        + case(shape=(16384, 32, 16), dtype=torch.float32, full_matrices=False)
    ),
    witness=witness,
    mutants=(
        Mutant("surplus columns are zero", _reduced, ("full_matrices",)),
        Mutant("singular values from the Gram matrix", _by_gram, ("A",)),
        Mutant("ascending order", _ascending),
        Mutant("a sign in U without its partner", _one_sign, ("I-AMB",)),
        Mutant("a negative singular value", _both_signs, ("I-AMB",)),
        Patch("a single sweep", "(sweeps < SWEEPS)", "(sweeps < 1)", ("A",)),
        Patch("Vh is not sorted along", "turned = tl.gather(turned,", "sorted = tl.gather(turned,"),
        Patch(
            "the input is taken for contiguous",
            "rows[:, None] * a_row + cols[None, :] * a_col",
            "rows[:, None] * n + cols[None, :]",
            ("A",),
        ),
        Patch(
            "U keeps the signs of the reflections",
            "& (length < 0), -basis, basis)",
            "& (length < 0), basis, basis)",
        ),
        Patch("always full", "(m, n) if full_matrices else (k, k)", "(m, n)", ("full_matrices",)),
    ),
    dtypes=FLOATS,
    difficulty=4,
    audit=("I-AMB",),
)
