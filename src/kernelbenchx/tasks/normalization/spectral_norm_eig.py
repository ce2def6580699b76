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

import math
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Promise, Task, call, case
from kernelbenchx.spec.axis import Axis, Option
from kernelbenchx.spec.families.axes import DEGENERATE, SCALE, dtypes, fits, fresh, layouts, outs
from kernelbenchx.spec.families.axes import values as kinds
from kernelbenchx.spec.families.decomposition import one_tile_only
from kernelbenchx.spec.families.eigenvalues import KINDS, radius_error, square_matrices
from kernelbenchx.spec.families.sentences import input_strides, out_is_written
from kernelbenchx.spec.space import Space

Shape = tuple[int, ...]


def spectral_norm_eig(A: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    radius: torch.Tensor = torch.linalg.eigvals(A).abs().amax(-1)
    return radius if out is None else out.copy_(radius)


def eager(A: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    # A CUDA graph that fails inside of the library leaves it broken. This ends the graph before.
    assert bool(torch.isfinite(A).all())
    return spectral_norm_eig(A, out=out)


def inputs(
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    layout: str = "contiguous",
    values: str = "ordinary",
    out: str = "",
) -> Call:
    a = draw.laid_out(square_matrices(draw, shape, values).to(dtype), layout)
    if not out:
        return call(a)
    return call(a, out=draw.laid_out(draw.normal(shape[:-2], dtype), out))


def cost(shape: Shape, dtype: torch.dtype, **_: Any) -> Cost:
    """To Hessenberg form, and about two sweeps for each eigenvalue."""
    many, n = math.prod(shape[:-2]), shape[-1]
    return Cost(flops=10 * n**3 * many, bytes=(n * n + 1) * many * dtype.itemsize)


def _stored(found):
    """With `out` as it should be."""

    def answer(A, *, out=None):
        return found(A) if out is None else out.copy_(found(A))

    return answer


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


def _is_valid(chosen: Mapping[str, str]) -> bool:
    lead = {"batch": 1, "batches": 2}.get(chosen["shape"], 0)
    out = chosen["out"] if chosen["out"] != "not given" else "contiguous"
    if chosen["shape"] == "one element":
        return chosen["values"] in ("ordinary", "positive", "zero") and chosen["layout"] == out
    return fits(out, lead) and not (chosen["layout"] == "expanded" and not lead)


_SHAPES = (
    Option("square", fresh(lambda c: (c.choice((4, 16, 32, c.randrange(3, 40))),) * 2)),
    Option("batch", fresh(lambda c: (c.randrange(2, 7), *(c.randrange(2, 20),) * 2))),
    Option("batches", fresh(lambda c: (2, c.randrange(2, 4), *(c.randrange(2, 9),) * 2))),
    Option("one element", fresh(lambda c: c.choice(((1, 1), (3, 1, 1)))), DEGENERATE),
    Option("large", fresh(lambda c: (c.choice((127, 128, c.randrange(65, 100))),) * 2), SCALE),
)
TASK = Task(
    reference=spectral_norm_eig,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=lambda A, out=None: (radius_error(A),) * 2),
    space=Space(
        (
            Axis("shape", _SHAPES),
            dtypes((torch.float32,), (torch.float64,)),
            layouts(),
            kinds(KINDS),
            outs(),
        ),
        valid=_is_valid,
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
    ),
    promises=(
        input_strides(spectral_norm_eig, of="A"),
        out_is_written(spectral_norm_eig),
        Promise(
            "A is float32 or float64, computed in its own dtype (no TF32).",
            "dtype",
            ("float64",),
            Mutant("in float32", _stored(lambda A: spectral_norm_eig(A.float()).to(A.dtype))),
        ),
    ),
    timings=case(shape=(8, 32, 32), dtype=torch.float32, values="positive")
    + case(shape=(4, 64, 64), dtype=torch.float32)
    + case(shape=(2, 100, 100), dtype=torch.float32),
    mutants=(
        Mutant("2-norm", _stored(lambda A: torch.linalg.matrix_norm(A, 2)), ("A", "B-SPEC")),
        Mutant(
            "largest real part", _stored(lambda A: torch.linalg.eigvals(A).real.amax(-1)), ("A",)
        ),
        Mutant(
            "absolute real parts", _stored(lambda A: torch.linalg.eigvals(A).real.abs().amax(-1))
        ),
        Mutant("of one triangle", _stored(lambda A: torch.linalg.eigvalsh(A).abs().amax(-1))),
        Mutant("growth of one vector", _stored(_powers)),
        Mutant("squares overflow or vanish", _stored(_overflowing)),
        one_tile_only(spectral_norm_eig),
    ),
    dtypes=(torch.float32, torch.float64),
    writes=("out",),
    difficulty=4,
    audit=("B-SPEC",),
)
