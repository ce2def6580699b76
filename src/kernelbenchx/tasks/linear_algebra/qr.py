"""QR decomposition A = Q R of real matrices (..., m, n), with k = min(m, n).

mode='reduced' gives Q (..., m, k) and R (..., k, n); 'complete' gives Q (..., m, m) and R (...,
m, n); 'r' gives an empty Q of shape (0,) and R (..., k, n). The columns of Q are orthonormal, to
the precision of A's dtype also where A has dependent columns, and R is exactly zero below its
diagonal, whose signs are free. A is finite, batched over its leading dimensions, and stays as it
is; m, n and leading sizes are at least 1. Returns the pair (Q, R).

The published reference accepts LAPACK's signs only; here every valid decomposition is right. In
mode 'r' R^T R = A^T A.
"""

import torch

from kernelbenchx.spec import Call, Mutant, argument, case, decomposition, grid
from kernelbenchx.spec.families.decomposition import (
    any_matrices,
    change_factors,
    fill_out,
    surplus_zero,
)
from kernelbenchx.spec.properties import Filled, Orthonormal, Property, Reconstructs, Upper

Pair = tuple[torch.Tensor, torch.Tensor]
Shape = tuple[int, ...]


def qr(A: torch.Tensor, mode: str = "reduced", out: Pair | None = None) -> Pair:
    q, r = torch.linalg.qr(A, mode=mode)
    return (q, r) if out is None else (out[0].copy_(q), out[1].copy_(r))


def outputs(shape: Shape, mode: str = "reduced") -> tuple[Shape, Shape]:
    *lead, m, n = shape
    k = min(m, n)
    if mode == "complete":
        return (*lead, m, m), (*lead, m, n)
    return ((0,) if mode == "r" else (*lead, m, k)), (*lead, k, n)


def flops(m: int, n: int, mode: str = "reduced") -> int:
    k = min(m, n)
    one = 2 * m * n * k - (m + n) * k * k + 2 * k**3 // 3
    return one if mode == "r" else 2 * one


def _gives_q(call: Call) -> bool:
    return call.kwargs.get("mode") != "r"


def _growth(call: Call) -> float:
    """Each of k reflections adds a few roundings to a column."""
    m, n = call.args[0].shape[-2:]
    return float(16 + 4 * (m + n))


def _gram_schmidt(A, mode="reduced", out=None):
    """It loses orthogonality where columns are nearly dependent."""
    if mode != "reduced":
        return qr(A, mode, out)
    q = A.new_zeros((*A.shape[:-1], min(A.shape[-2:])))
    for j in range(q.shape[-1]):
        column = A[..., j : j + 1]
        rest = column - q @ (q.mT @ column)
        q[..., j : j + 1] = rest / torch.linalg.vector_norm(rest, dim=-2, keepdim=True).clamp(1e-30)
    return fill_out((q, torch.triu(q.mT @ A)), out)


def _positive_diagonal(q, r):
    """Of R, and Q is forgotten."""
    sign = torch.diagonal(r, dim1=-2, dim2=-1).sign().unsqueeze(-1)
    k = sign.shape[-2]
    return q, torch.cat((sign * r[..., :k, :], r[..., k:, :]), -2)


def _lower(q, r):
    return q, r + 1e-7 * torch.tril(torch.ones_like(r), -1)


TASK = decomposition(
    qr,
    laws=Property(
        Orthonormal(0, growth=_growth, when=_gives_q),
        Upper(1),
        Reconstructs(lambda f: f[0] @ f[1], lambda call: call.args[0], _growth, when=_gives_q),
        Reconstructs(
            lambda f: f[1].mT @ f[1],
            lambda call: call.args[0].mT @ call.args[0],
            _growth,
            by="gram",
            when=lambda call: not _gives_q(call),
        ),
        Filled(2),
    ),
    outputs=outputs,
    flops=flops,
    matrices=any_matrices(orders=10),
    arguments=(argument("mode", not_given=None, reduced="reduced", complete="complete", r="r"),),
    corners=(
        {"shape": "tall", "mode": "r"},
        {"shape": "batches", "mode": "complete", "out": "transposed"},
    ),
    # torch forms the Q of a batch one matrix after the other: more would time its launches.
    timings=grid(shape=((128, 64, 64), (200, 45, 27)), dtype=(torch.float32,))
    + case(shape=(16384, 32, 32), dtype=torch.float32, mode="r"),
    mutants=(
        surplus_zero(qr, outputs, {"mode": "reduced"}),
        Mutant("classical Gram-Schmidt", _gram_schmidt, ("A",)),
        Mutant("signs of R without those of Q", change_factors(qr, _positive_diagonal), ("B-HID",)),
        Mutant("not exactly triangular", change_factors(qr, _lower), ("B-HID",)),
    ),
    difficulty=5,
    audit=("B-HID",),
)
