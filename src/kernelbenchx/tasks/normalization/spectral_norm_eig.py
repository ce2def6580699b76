"""Spectral radius of real square matrices: the largest absolute value of an eigenvalue.

A is (..., n, n), with n from 1 to 128 and leading sizes of at least 1; the result has the leading
shape and A's dtype. Eigenvalues of A itself are meant, real or complex: |a + bi| = sqrt(a^2 + b^2).
The result is at most the 2-norm (the largest singular value), and less for most matrices that are
not normal.
A is finite; a zero matrix gives 0. Entries may be so large or small that their squares overflow or
vanish in A's dtype. A may have several eigenvalues of largest absolute value (a complex pair, r and
-r, all of an orthogonal matrix). These are well-conditioned: with unit right and left eigenvectors
x and y of such an eigenvalue, 1 / |y^H x| is below 1000.
The error may be some 4 + sqrt(n) roundoffs of the Frobenius norm of A times that condition number,
which is what a backward stable method has.
The published description calls this an operator norm, and its tests want the spectral radius; here
it is the spectral radius.
"""

import torch

from kernelbenchx.spec import Close, Mutant, case
from kernelbenchx.spec.families.eigenvalue_functions import of_eigenvalues
from kernelbenchx.spec.families.eigenvalues import radius_error


def spectral_norm_eig(A: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    radius: torch.Tensor = torch.linalg.eigvals(A).abs().amax(-1)
    return radius if out is None else out.copy_(radius)


def eager(A: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    # A CUDA graph that fails inside of the library leaves it broken. This ends the graph before.
    assert bool(torch.isfinite(A).all())
    return spectral_norm_eig(A, out=out)


def _powers(A):
    """The growth of one vector in 30 products: it turns where the largest are a pair."""
    x = torch.ones_like(A[..., :1])
    for _ in range(30):
        x = A @ x
        before, x = x.norm(dim=-2, keepdim=True), x / x.norm(dim=-2, keepdim=True).clamp(min=1e-30)
    return before[..., 0, 0]


def _overflowing(A):
    lost = torch.isinf((A * A).sum((-2, -1))) | ((A * A).sum((-2, -1)) == 0)
    return torch.where(lost, torch.nan, spectral_norm_eig(A))


TASK = of_eigenvalues(
    spectral_norm_eig,
    corners=(
        {},
        {"dtype": "float64", "values": "complex pair"},
        {"shape": "batch", "values": "complex pair"},
        {"shape": "batches", "out": "transposed", "layout": "transposed"},
        {"shape": "batch", "values": "negative"},
        {"shape": "large", "values": "positive"},
        {"shape": "batch", "values": "huge"},
        {"values": "tiny"},
        {"values": "zero"},
        {"shape": "one element"},
    ),
    eager=eager,
    contract=Close(scale=lambda A, out=None: (radius_error(A),) * 2),
    timings=case(shape=(8, 32, 32), dtype=torch.float32, values="positive")
    + case(shape=(4, 64, 64), dtype=torch.float32)
    + case(shape=(2, 100, 100), dtype=torch.float32),
    mutants=(
        Mutant("2-norm", lambda A: torch.linalg.matrix_norm(A, 2), ("A", "B-SPEC")),
        Mutant("largest real part", lambda A: torch.linalg.eigvals(A).real.amax(-1), ("A",)),
        Mutant("absolute real parts", lambda A: torch.linalg.eigvals(A).real.abs().amax(-1)),
        Mutant("of one triangle", lambda A: torch.linalg.eigvalsh(A).abs().amax(-1)),
        Mutant("growth of one vector", _powers),
        Mutant("squares overflow or vanish", _overflowing),
    ),
    difficulty=4,
    audit=("B-SPEC",),
)
