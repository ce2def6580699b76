"""Tasks that choose between an expanded input and another tensor, element by element."""

import math
import random
from collections.abc import Callable, Mapping
from typing import Any

import torch

from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.families.axes import DEGENERATE, argument, dims_of, fits, other_dtypes
from kernelbenchx.spec.families.indexing import elements, indexing
from kernelbenchx.spec.huge_call import HugeCall
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.memory_traffic import estimate_sector_share, in_a_sector
from kernelbenchx.spec.shapes import broadcast
from kernelbenchx.spec.space import OMITTED, Axis, FreshValue, Option
from kernelbenchx.spec.task import Task
from kernelbenchx.spec.tiles import with_many

Shape = tuple[int, ...]


def choosing(function: Callable[..., torch.Tensor], **rest: Any) -> Task:
    """A task of the family; `function(input, target_sizes, cond, other)` is the reference.

    `rest`: arguments of `indexing`.
    """
    return indexing(
        function,
        tensors={"cond": 2, "other": 3},
        arguments=(
            Axis("source", _SOURCES),
            argument("target", sizes=None, minus_one="minus one"),
            Axis("cond", (Option("as target", OMITTED), *_smaller("column"), _MORE)),
            Axis("other", (Option("as target", OMITTED), *_smaller("row"), _ZERO, _MORE)),
            other_dtypes("other_dtype", (torch.float32, torch.int64)),
        ),
        valid=_is_valid,
        spans_tiles=with_many("cond"),
        inputs=_inputs,
        cost=_cost,
        huge=HugeCall({"dtype": torch.float16, "target": "minus one"}),
        **rest,
    )


def _inputs(  # noqa: PLR0913 - a parameter for each axis
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    source: Shape | None = None,
    target: str = "",
    cond: Shape | None = None,
    other: Shape | None = None,
    other_dtype: torch.dtype | None = None,
    **how: str,
) -> Call:
    """`how`: layouts and values."""
    given = shape if source is None else source
    x = elements(draw, given, dtype, "values" in how)
    mask = draw.booleans(shape if cond is None else cond)
    second, others = other_dtype or dtype, shape if other is None else other
    y = elements(draw, others, second, "values" in how)
    if second != dtype and not second.is_floating_point:
        y = draw.integers(others, -1000, 1000)  # what 16 bits can hold after one rounding
    sizes = [size if new or one != size else -1 for one, size, new in _align_sizes(given, shape)]
    return call(
        draw.laid_out(x, how.get("layout", "contiguous")),
        tuple(sizes) if target else shape,
        draw.laid_out(mask, how.get("cond_layout", "contiguous")),
        draw.laid_out(y, how.get("other_layout", "contiguous")),
    )


def _align_sizes(given: Shape, shape: Shape) -> list[tuple[int, int, bool]]:
    """Size in the input, size in the target, and whether the dimension is a new one."""
    new = len(shape) - len(given)
    return [(1, size, True) for size in shape[:new]] + [
        (one, size, False) for one, size in zip(given, shape[new:], strict=True)
    ]


def _cost(
    shape: Shape,
    dtype: torch.dtype,
    source: Shape | None = None,
    cond: Shape | None = None,
    other: Shape | None = None,
    other_dtype: torch.dtype | None = None,
    **_: Any,
) -> Cost:
    """Of what is not chosen nothing need be read."""
    mask, second = shape if cond is None else cond, shape if other is None else other
    result = math.prod(broadcast(broadcast(shape, mask), second))
    dtypes = (dtype, other_dtype or dtype)
    wide = max(one.itemsize for one in dtypes)
    moved = result * wide + math.prod(mask)
    for sizes, one in ((shape if source is None else source, dtype), (second, dtypes[1])):
        seen, count = 1.0, math.prod(sizes)
        if count == result:  # each element is used once, if at all
            together = 1 if mask[-1:] == (1,) else in_a_sector(one.itemsize)
            draws = math.prod(mask) if together == 1 else count // together
            seen = estimate_sector_share(0.5, together, draws)
        moved += int(count * seen) * one.itemsize
    return Cost(flops=0, bytes=moved)


def _part(kind: str) -> FreshValue:
    def draw(_: random.Random, before: Mapping[str, Any]) -> Shape:
        shape: Shape = before["shape"]
        kinds = {
            "one row": (1, *shape[1:]),
            "fewer dimensions": shape[1:],
            "all ones": (1,) * len(shape),
            "column": (*shape[:-1], 1),
            "row": (*(1,) * (len(shape) - 1), *shape[-1:]),
            "more dimensions": (2, *shape),
        }
        return kinds[kind]

    return FreshValue(draw)


def _smaller(kind: str) -> tuple[Option, ...]:
    return Option(kind, _part(kind)), Option("fewer dimensions", _part("fewer dimensions"))


_SOURCES = (
    Option("one row", _part("one row")),
    Option("fewer dimensions", _part("fewer dimensions")),
    Option("all ones", _part("all ones")),
    Option("as target", OMITTED),
)
_MORE = Option("more dimensions", _part("more dimensions"))
_ZERO = Option("0-d", (), DEGENERATE)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    rank = dims_of(chosen)
    if chosen["shape"] == "0-d" and any(
        chosen[one] not in ("as target", "more dimensions") for one in ("source", "cond", "other")
    ):
        return False
    if chosen["shape"] == "long" and "more dimensions" in (chosen["cond"], chosen["other"]):
        return False
    if chosen["source"] == "fewer dimensions" and not fits(chosen["layout"], rank - 1):
        return False
    for one in ("cond", "other"):
        more = {"fewer dimensions": -1, "more dimensions": 1, "0-d": -rank}.get(chosen[one], 0)
        if not fits(chosen[f"{one}_layout"], (rank + more) * (rank > 0)):
            return False
    # Wide integers beside floats: they would be rounded, which is no longer moving.
    return chosen["other_dtype"] == "not given" or chosen["dtype"] not in ("int64", "bool")
