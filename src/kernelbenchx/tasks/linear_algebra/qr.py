"""QR decomposition A = Q R of real matrices (..., m, n), with k = min(m, n).

mode='reduced' gives Q (..., m, k) and R (..., k, n); 'complete' gives Q (..., m, m) and R (...,
m, n); 'r' gives an empty Q of shape (0,) and R (..., k, n). The columns of Q are orthonormal, to
the precision of A's dtype also where A has dependent columns, and R is exactly zero below its
diagonal, whose signs are free. A is finite, batched over its leading dimensions, and stays as it
is; m, n and leading sizes are at least 1. Returns the pair (Q, R).

The published reference accepts LAPACK's signs only; here every valid decomposition is right. In
mode 'r' R^T R = A^T A.
"""

import math

import torch

from kernelbenchx.spec import (
    Call,
    Cost,
    Draw,
    Filled,
    Mutant,
    Orthonormal,
    Promise,
    Property,
    Reconstructs,
    Task,
    Upper,
    argument,
    call,
    case,
    grid,
)
from kernelbenchx.spec.families.axes import outs
from kernelbenchx.spec.families.decomposition import (
    REAL,
    matrices,
    matrix,
    one_tile_only,
    squares_overflow,
)
from kernelbenchx.spec.families.sentences import input_strides, out_is_written

Pair = tuple[torch.Tensor, torch.Tensor]
Shape = tuple[int, ...]


def qr(A: torch.Tensor, mode: str = "reduced", out: Pair | None = None) -> Pair:
    q, r = torch.linalg.qr(A, mode=mode)
    return (q, r) if out is None else (out[0].copy_(q), out[1].copy_(r))


def inputs(
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    layout: str = "contiguous",
    values: str = "",
    out: str = "",
    **mode: str,
) -> Call:
    a = draw.laid_out(matrix(draw, shape, dtype, values, orders=10), layout)
    if not out:
        return call(a, **mode)
    written = (draw.normal(one, dtype) for one in _shapes(shape, **mode))
    return call(a, **mode, out=tuple(draw.laid_out(one, out) for one in written))


def _shapes(shape: Shape, mode: str = "reduced") -> tuple[Shape, Shape]:
    *lead, m, n = shape
    k = min(m, n)
    if mode == "complete":
        return (*lead, m, m), (*lead, m, n)
    return ((0,) if mode == "r" else (*lead, m, k)), (*lead, k, n)


def cost(shape: Shape, dtype: torch.dtype, mode: str = "reduced", **_: object) -> Cost:
    *lead, m, n = shape
    k = min(m, n)
    moved = math.prod(shape) + sum(math.prod(one) for one in _shapes(shape, mode))
    one = 2 * m * n * k - (m + n) * k * k + 2 * k**3 // 3
    flops = one if mode == "r" else 2 * one
    return Cost(flops=math.prod(lead) * flops, bytes=moved * dtype.itemsize)


def _gives_q(call: Call) -> bool:
    return call.kwargs.get("mode") != "r"


def _gives_r_only(call: Call) -> bool:
    return not _gives_q(call)


def _growth(call: Call) -> float:
    """Each of k reflections adds a few roundings to a column."""
    m, n = call.args[0].shape[-2:]
    return float(16 + 4 * (m + n))


def _filled(q, r, out):
    return (q, r) if out is None else (out[0].copy_(q), out[1].copy_(r))


def _padded(A, mode="reduced", out=None):
    q, r = torch.linalg.qr(A, mode="r" if mode == "r" else "reduced")
    if mode == "complete":
        extra = A.shape[-2] - q.shape[-1]
        q = torch.nn.functional.pad(q, (0, extra))
        r = torch.nn.functional.pad(r, (0, 0, 0, extra))
    return _filled(q, r, out)


def _gram_schmidt(A, mode="reduced", out=None):
    """It loses orthogonality where columns are nearly dependent."""
    if mode != "reduced":
        return qr(A, mode, out)
    q = A.new_zeros((*A.shape[:-1], min(A.shape[-2:])))
    for j in range(q.shape[-1]):
        column = A[..., j : j + 1]
        rest = column - q @ (q.mT @ column)
        q[..., j : j + 1] = rest / torch.linalg.vector_norm(rest, dim=-2, keepdim=True).clamp(1e-30)
    return _filled(q, torch.triu(q.mT @ A), out)


def _signs(A, mode="reduced", out=None):
    """Makes the diagonal of R positive and forgets Q."""
    q, r = torch.linalg.qr(A, mode=mode)
    sign = torch.diagonal(r, dim1=-2, dim2=-1).sign().unsqueeze(-1)
    k = sign.shape[-2]
    return _filled(q, torch.cat((sign * r[..., :k, :], r[..., k:, :]), -2), out)


def _lower(A, mode="reduced", out=None):
    q, r = torch.linalg.qr(A, mode=mode)
    return _filled(q, r + 1e-7 * torch.tril(torch.ones_like(r), -1), out)


def _in_single(A, mode="reduced", out=None):
    q, r = torch.linalg.qr(A.float(), mode=mode)
    return _filled(q.to(A.dtype), r.to(A.dtype), out)


TASK = Task(
    reference=qr,
    inputs=inputs,
    cost=cost,
    contract=Property(
        Orthonormal(0, growth=_growth, when=_gives_q),
        Upper(1),
        Reconstructs(lambda f: f[0] @ f[1], lambda call: call.args[0], _growth, when=_gives_q),
        Reconstructs(
            lambda f: f[1].mT @ f[1],
            lambda call: call.args[0].mT @ call.args[0],
            _growth,
            by="gram",
            when=_gives_r_only,
        ),
        Filled(2),
    ),
    space=matrices(
        argument("mode", not_given=None, reduced="reduced", complete="complete", r="r"),
        outs(),
        corners=(
            {"shape": "tall", "mode": "r"},
            {"shape": "batch", "mode": "complete", "out": "transposed"},
        ),
    ),
    promises=(
        input_strides(qr),
        out_is_written(
            qr,
            "With `out`, a pair of tensors of these shapes and of A's dtype, both are written "
            "there and returned.",
        ),
        Promise(
            "A is float32 or float64, computed in its own dtype (no TF32).",
            "dtype",
            ("float64",),
            Mutant("float64 computed in float32", _in_single),
        ),
    ),
    timings=(
        # torch forms the Q of a batch one matrix after the other: more would time its launches.
        grid(shape=((256, 32, 32), (128, 64, 64), (200, 45, 27)), dtype=(torch.float32,))
        + case(shape=(16384, 32, 32), dtype=torch.float32, mode="r")
    ),
    mutants=(
        Mutant("a complete Q padded with zeros", _padded, ("mode",)),
        Mutant("classical Gram-Schmidt", _gram_schmidt, ("A",)),
        Mutant("signs of R without those of Q", _signs, ("B-HID",)),
        Mutant("not exactly triangular", _lower, ("B-HID",)),
        one_tile_only(qr),
        squares_overflow(qr, 1),
    ),
    dtypes=REAL,
    difficulty=5,
    writes=("out",),
    audit=("B-HID",),
)
