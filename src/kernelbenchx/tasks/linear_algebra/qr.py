"""QR decomposition A = Q R of real matrices (..., m, n), with k = min(m, n).

mode='reduced' gives Q (..., m, k) and R (..., k, n); 'complete' gives Q (..., m, m) and R (...,
m, n); 'r' gives an empty Q of shape (0,) and R (..., k, n). The columns of Q are orthonormal, to
the precision of A's dtype also where A has dependent columns, and R is exactly zero below its
diagonal, whose signs are free. A is finite, float32 or float64 (computed in its own dtype, no
TF32), of any strides, batched over its leading dimensions, and stays as it is; m, n and leading
sizes are at least 1. Returns the pair (Q, R). With `out`, a pair of tensors of these shapes and
of A's dtype, both are written there and returned.

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
    Patch,
    Property,
    Reconstructs,
    Task,
    Upper,
    call,
    case,
    grid,
)

FLOATS = (torch.float32, torch.float64)
Pair = tuple[torch.Tensor, torch.Tensor]
Shape = tuple[int, ...]


def qr(A: torch.Tensor, mode: str = "reduced", out: Pair | None = None) -> Pair:
    q, r = torch.linalg.qr(A, mode=mode)
    return (q, r) if out is None else (out[0].copy_(q), out[1].copy_(r))


def inputs(
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    kind: str = "normal",
    layout: str = "contiguous",
    into: str = "",
    **options: str,
) -> Call:
    """`kind`: normal; graded (columns over 10 orders of magnitude); flat (rank 1); zero; near I."""
    a = draw.normal(shape, torch.float64)
    if kind == "graded":
        a = a * torch.logspace(-5, 5, shape[-1], dtype=torch.float64, device=draw.device)
    if kind == "flat":
        a = a[..., :1] * a[..., :1, :]
    if kind == "near":
        a = 1e-4 * a + torch.eye(*shape[-2:]).to(a)
    if kind == "zero":
        a = torch.zeros_like(a)
    written = {}
    if into:
        shapes = _shapes(shape, options.get("mode", "reduced"))
        written["out"] = tuple(draw.laid_out(draw.normal(one, dtype), into) for one in shapes)
    return call(draw.laid_out(a.to(dtype), layout), **options, **written)


def _shapes(shape: Shape, mode: str) -> tuple[Shape, Shape]:
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


def _filled(q: torch.Tensor, r: torch.Tensor, out: Pair | None) -> Pair:
    return (q, r) if out is None else (out[0].copy_(q), out[1].copy_(r))


def _reduced(A, mode="reduced", out=None):
    """Pads a reduced Q with zeros where a complete one is asked for."""
    q, r = torch.linalg.qr(A, mode="r" if mode == "r" else "reduced")
    if mode == "complete":
        extra = A.shape[-2] - q.shape[-1]
        q = torch.nn.functional.pad(q, (0, extra))
        r = torch.nn.functional.pad(r, (0, 0, 0, extra))
    return _filled(q, r, out)


def _gram_schmidt(A, mode="reduced", out=None):
    """Classical Gram-Schmidt: it loses orthogonality where columns are nearly dependent."""
    if mode != "reduced" or A.shape[-2] < A.shape[-1]:
        return qr(A, mode, out)
    q, r = torch.zeros_like(A), A.new_zeros((*A.shape[:-2], A.shape[-1], A.shape[-1]))
    for j in range(A.shape[-1]):
        column = A[..., j : j + 1]
        r[..., : j + 1, j : j + 1] = q[..., : j + 1].mT @ column
        rest = column - q @ r[..., j : j + 1]
        r[..., j : j + 1, j : j + 1] = torch.linalg.vector_norm(rest, dim=-2, keepdim=True)
        q[..., j : j + 1] = rest / r[..., j : j + 1, j : j + 1].clamp(min=1e-30)
    return _filled(q, r, out)


def _signs(A, mode="reduced", out=None):
    """Makes the diagonal of R positive and forgets Q."""
    q, r = torch.linalg.qr(A, mode=mode)
    sign = torch.sign(torch.diagonal(r, dim1=-2, dim2=-1)).unsqueeze(-1)
    return _filled(
        q, torch.cat((sign * r[..., : sign.shape[-2], :], r[..., sign.shape[-2] :, :]), -2), out
    )


def _lower(A, mode="reduced", out=None):
    q, r = torch.linalg.qr(A, mode=mode)
    return _filled(q, r + 1e-7 * torch.tril(torch.ones_like(r), -1), out)


def _leaves_out(A, mode="reduced", out=None):
    return qr(A, mode)


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
    checks=(
        grid(shape=((13, 7), (7, 13)), dtype=FLOATS, mode=("reduced", "complete", "r"))
        + grid(shape=((33, 18), (2, 3, 5, 5)), dtype=FLOATS, layout=("transposed", "strided"))
        + grid(shape=((12, 8),), dtype=FLOATS, kind=("graded", "flat", "near"))
        + grid(shape=((3, 6, 4),), dtype=(torch.float32,), kind=("zero",), mode=("complete",))
        + grid(
            shape=((2, 9, 6),),
            dtype=(torch.float32,),
            into=("transposed",),
            mode=("reduced", "complete"),
        )
        + grid(shape=((1, 1), (4, 1), (1, 4)), dtype=(torch.float32,))
    ),
    timings=(
        # torch forms the Q of a batch one matrix after the other: more would time its launches.
        grid(shape=((256, 32, 32), (128, 64, 64)), dtype=(torch.float32,))
        + case(shape=(16384, 32, 32), dtype=torch.float32, mode="r")
    ),
    mutants=(
        Mutant("a complete Q is padded with zeros", _reduced, ("mode",)),
        Mutant("classical Gram-Schmidt", _gram_schmidt, ("A",)),
        Mutant("signs of R without those of Q", _signs, ("B-HID",)),
        Mutant("not exactly triangular", _lower, ("B-HID",)),
        Mutant("out is not written", _leaves_out, ("out",)),
        Mutant("float64 is computed in float32", _in_single),
        Patch(
            "the sign loses the column's length",
            "tl.where(head > 0, -length, length)",
            "tl.where(head > 0, length, -length)",
            ("A",),
        ),
        Patch(
            "the last reflection is left out", "for j in range(inner)", "for j in range(inner - 1)"
        ),
        Patch(
            "the input is taken for contiguous",
            "rows[:, None] * a_row + cols[None, :] * a_col",
            "rows[:, None] * n + cols[None, :]",
            ("A",),
        ),
        Patch(
            "Q is transposed",
            "q += matrix * q_b + rows[:, None] * q_row + across[None, :] * q_col",
            "basis = tl.trans(basis)\n        "
            "q += matrix * q_b + rows[:, None] * q_row + across[None, :] * q_col",
        ),
    ),
    dtypes=FLOATS,
    difficulty=5,
    writes=("out",),
    audit=("B-HID",),
)
