"""Singular value decomposition A = U diag(S) Vh of real matrices (..., m, n), with k = min(m, n).

Returns (U, S, Vh). S (..., k) holds the singular values, at least 0 and in descending order. With
full_matrices=True U is (..., m, m) and Vh (..., n, n); otherwise U is (..., m, k) and Vh (..., k,
n). The columns of U and the rows of Vh are orthonormal to the precision of A's dtype, also where
singular values are zero or equal. The sign of each pair, the basis of equal singular values and
the surplus columns of U and rows of Vh are free. A is finite, batched over its leading dimensions,
and stays as it is; m, n and leading sizes are at least 1.

The published reference accepts one choice of signs only; here every valid decomposition is right.
"""

import torch

from kernelbenchx.spec import Call, Mutant, argument, case, decomposition, grid
from kernelbenchx.spec.families.decomposition import any_matrices, change_factors, surplus_zero
from kernelbenchx.spec.properties import (
    Descending,
    Matches,
    NonNegative,
    Orthonormal,
    Property,
    Reconstructs,
)

Triple = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
Shape = tuple[int, ...]


def svd(A: torch.Tensor, full_matrices: bool = True) -> Triple:
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    return u, s, vh


def outputs(shape: Shape, full_matrices: bool = True) -> tuple[Shape, Shape, Shape]:
    *lead, m, n = shape
    k = min(m, n)
    u, v = ((m, m), (n, n)) if full_matrices else ((m, k), (k, n))
    return (*lead, *u), (*lead, k), (*lead, *v)


def flops(m: int, n: int, full_matrices: bool = True) -> int:
    k, most = min(m, n), max(m, n)
    return 4 * most**2 * k + 8 * most * k * k + 9 * k**3


def _growth(call: Call) -> float:
    """Up to fifteen sweeps turn each column k times, and each turn rounds it twice."""
    m, n = call.args[0].shape[-2:]
    return float(16 + 30 * min(m, n))


def _product(factors: tuple[torch.Tensor, ...]) -> torch.Tensor:
    u, s, vh = factors
    k = s.shape[-1]
    return (u[..., :k] * s.unsqueeze(-2)) @ vh[..., :k, :]


def _by_gram(A, full_matrices=True):
    """Small singular values are lost."""
    if A.shape[-2] < A.shape[-1] or (full_matrices and A.shape[-2] > A.shape[-1]):
        return svd(A, full_matrices)
    squares, v = torch.linalg.eigh(A.mT @ A)
    s, v = squares.clamp(min=0.0).sqrt().flip(-1), v.flip(-1)
    return (A @ v) / s.unsqueeze(-2).clamp(min=1e-30), s, v.mT.contiguous()


def _ascending(u, s, vh):
    k = s.shape[-1]
    left = torch.cat((u[..., :k].flip(-1), u[..., k:]), -1)
    return left, s.flip(-1), torch.cat((vh[..., :k, :].flip(-2), vh[..., k:, :]), -2)


def _one_sign(u, s, vh):
    return torch.cat((-u[..., :1], u[..., 1:]), -1), s, vh


def _both_signs(u, s, vh):
    return _one_sign(u, torch.cat((-s[..., :1], s[..., 1:]), -1), vh)


TASK = decomposition(
    svd,
    laws=Property(
        NonNegative(1),
        Descending(1),
        Matches(1, growth=_growth),
        Orthonormal(0, growth=_growth),
        Orthonormal(2, "rows", growth=_growth),
        Reconstructs(_product, lambda call: call.args[0], _growth, by="matrix"),
    ),
    outputs=outputs,
    flops=flops,
    matrices=any_matrices(orders=6),
    arguments=(argument("full_matrices", not_given=None, yes=True, no=False),),
    corners=(
        {"full_matrices": "no"},
        {"shape": "tall", "full_matrices": "no", "values": "graded"},
        {"shape": "wide", "values": "zero"},
    ),
    # Large: torch waits for the host within a call, for as long whatever the size.
    timings=grid(shape=((8192, 32, 32), (8191, 21, 13)), dtype=(torch.float32,))
    + case(shape=(16384, 32, 16), dtype=torch.float32, full_matrices=False),
    mutants=(
        surplus_zero(svd, outputs, {"full_matrices": False}),
        Mutant("always full", lambda A, full_matrices=True: svd(A), ("full_matrices",)),
        Mutant("singular values from the Gram matrix", _by_gram, ("A",)),
        Mutant("ascending order", change_factors(svd, _ascending)),
        Mutant("a sign in U without its partner", change_factors(svd, _one_sign), ("I-AMB",)),
        Mutant("a negative singular value", change_factors(svd, _both_signs), ("I-AMB",)),
    ),
    difficulty=4,
    audit=("I-AMB",),
)
