"""Tasks that decompose matrices (..., m, n): axes, inputs and mistakes that they share."""

from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    SCALE,
    VALUES,
    drawn,
    dtypes,
    fits,
    fresh,
    layouts,
    one_of,
)
from kernelbenchx.spec.families.wrong import Function
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.space import OMITTED, Axis, Option, Space

REAL = (torch.float32, torch.float64)


def matrices(*arguments: Axis, corners: tuple[Mapping[str, str], ...] = ()) -> Space:
    """Real matrices, single and in batches, of every kind that is hard to decompose."""
    axes = (_SHAPES, dtypes(REAL[:1], REAL[1:]), layouts(), _VALUES, *arguments)
    common: tuple[Mapping[str, str], ...] = (
        {},
        {"shape": "wide", "dtype": "float64"},
        {"shape": "batch", "layout": "transposed"},
        {"shape": "square", "values": "graded"},
        {"shape": "tall", "values": "rank one"},
        {"shape": "tall", "values": "extreme"},
        {"shape": "batch", "values": "extreme"},
        {"shape": "one element"},
    )
    return Space(axes, valid=_is_valid, corners=(*common, *corners), calls=20)


def matrix(
    draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, kind: str, orders: int
) -> torch.Tensor:
    """`orders`: of magnitude, over which the columns of a graded matrix go."""
    a = draw.normal(shape, torch.float64) * {"huge": 1e20, "tiny": 1e-30}.get(kind, 1.0)
    if kind == "graded":
        ends = (-orders / 2, orders / 2)
        a = a * torch.logspace(*ends, shape[-1], dtype=a.dtype, device=a.device)
    if kind == "rank one":
        a = a[..., :1] * a[..., :1, :]
    if kind == "zero":
        a = torch.zeros_like(a)
    if "identity" in kind:
        eye = torch.eye(*shape[-2:], dtype=a.dtype, device=a.device)
        a = (1e-4 * a if kind == "near identity" else 0 * a) + eye
    return a.to(dtype)


def one_tile_only(function: Function, most: int = 64) -> Mutant:
    """Rows and columns beyond a block of fixed size count as zero."""

    def answer(a: torch.Tensor, *args: Any, **words: Any) -> Any:
        seen = torch.zeros_like(a)
        seen[..., :most, :most] = a[..., :most, :most]
        return function(seen, *args, **words)

    return Mutant(f"only the first {most} rows and columns", answer, ("A",))


def squares_overflow(function: Function, place: int) -> Mutant:
    """Lengths are roots of sums of squares, in the numbers at hand."""

    def answer(a: torch.Tensor, *args: Any, **words: Any) -> Any:
        factors = list(function(a, *args, **words))
        length = (a * a).sum((-2, -1), keepdim=True).sqrt()
        lost = length.isinf() | ((length == 0) & (a != 0).any())
        if bool(lost.any()):
            factors[place].fill_(float("nan"))
        return tuple(factors)

    return Mutant("squares overflow or vanish", answer, ("A",))


_SHAPES = Axis(
    "shape",
    (
        Option("tall", drawn((9, 20), (2, 9))),
        Option("wide", drawn((2, 9), (9, 20))),
        Option("square", fresh(lambda c: (c.choice((4, 16, c.randrange(3, 14))),) * 2)),
        Option("batch", drawn(2, (2, 5), (3, 6), (3, 6))),
        Option("one element", (1, 1), DEGENERATE),
        Option("one line", one_of((7, 1), (4, 1), (1, 5), (2, 1, 8)), DEGENERATE),
        Option("large", drawn((33, 41), (17, 20)), SCALE),
        Option("very tall", drawn((65, 90), (2, 4)), SCALE),
        Option("very wide", drawn((2, 4), (65, 90)), SCALE),
    ),
)
_VALUES = Axis(
    "values",
    (
        Option("ordinary", OMITTED),
        Option("graded", "graded", VALUES),
        Option("rank one", "rank one", VALUES),
        Option("zero", "zero", VALUES),
        Option("identity", one_of("identity", "near identity"), VALUES),
        Option("extreme", one_of("huge", "tiny"), VALUES),
    ),
)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    """A vector is the same however it is transposed."""
    dims = {"one element": 0, "one line": 1}.get(chosen["shape"], 2)
    return fits(chosen["layout"], dims) and fits(chosen.get("out", "contiguous"), dims + 1)
