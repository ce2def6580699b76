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
