"""Tasks that make one number of the eigenvalues of each square matrix."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec.axis import Axis, Option
from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    SCALE,
    dtypes,
    fits,
    fresh,
    layouts,
    outs,
    values,
)
from kernelbenchx.spec.families.decomposition import one_tile_only
from kernelbenchx.spec.families.eigenvalues import KINDS, square_matrices
from kernelbenchx.spec.families.standard_promises import input_strides, out_is_written
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.space import Space
from kernelbenchx.spec.task import Task
from kernelbenchx.spec.tiles import has_several_matrices

Function = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
_DTYPES = (torch.float32, torch.float64)


def of_eigenvalues(
    function: Function,
    *,
    corners: tuple[Mapping[str, str], ...],
    mutants: tuple[Mutant, ...],
    **rest: Any,
) -> Task:
    """A task of the family; `function(A, out=None)` is the reference.

    Mutants are written without `out`. `rest`: fields of `Task`.
    """
    axes = (_shapes(), dtypes(_DTYPES[:1], _DTYPES[1:]), layouts(), values(KINDS), outs())
    return Task(
        reference=function,
        inputs=_inputs,
        cost=_cost,
        space=Space(axes, valid=_is_valid, corners=corners, spans_tiles=has_several_matrices),
        promises=(
            input_strides(function, of="A"),
            out_is_written(function),
            Promise(
                "A is float32 or float64, computed in its own dtype (no TF32).",
                "dtype",
                ("float64",),
                _into_out(Mutant("in float32", lambda a: function(a.float()).to(a.dtype))),
            ),
        ),
        mutants=(*map(_into_out, mutants), one_tile_only(function)),
        dtypes=_DTYPES,
        writes=("out",),
        **rest,
    )


def _shapes() -> Axis:
    """Single matrices and batches; each seed draws its sizes."""
    return Axis(
        "shape",
        (
            Option("square", fresh(lambda c: (c.choice((4, 16, 32, c.randrange(3, 40))),) * 2)),
            Option("batch", fresh(lambda c: (c.randrange(2, 7), *(c.randrange(2, 20),) * 2))),
            Option("batches", fresh(lambda c: (2, c.randrange(2, 4), *(c.randrange(2, 9),) * 2))),
            Option("one element", fresh(lambda c: c.choice(((1, 1), (3, 1, 1)))), DEGENERATE),
            Option(
                "large", fresh(lambda c: (c.choice((127, 128, c.randrange(65, 100))),) * 2), SCALE
            ),
        ),
    )


def _is_valid(chosen: Mapping[str, str]) -> bool:
    lead = {"batch": 1, "batches": 2}.get(chosen["shape"], 0)
    out = chosen["out"] if chosen["out"] != "not given" else "contiguous"
    if chosen["shape"] == "one element":
        return chosen["values"] in ("ordinary", "positive", "zero") and chosen["layout"] == out
    return fits(out, lead) and not (chosen["layout"] == "expanded" and not lead)


def _inputs(
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


def _cost(shape: Shape, dtype: torch.dtype, **_: Any) -> Cost:
    """To Hessenberg form, and about two sweeps for each eigenvalue."""
    many, n = math.prod(shape[:-2]), shape[-1]
    return Cost(flops=10 * n**3 * many, bytes=(n * n + 1) * many * dtype.itemsize)


def _into_out(mutant: Mutant) -> Mutant:
    """Whose answer goes into `out` as it should."""
    answer = mutant.answer

    def into(A: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:  # noqa: N803
        found: torch.Tensor = answer(A)
        return found if out is None else out.copy_(found)

    return replace(mutant, answer=into)
