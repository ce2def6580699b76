"""The elements of input whose mask is True, as a 1-D tensor.

The selected elements stand in row-major order of the common shape of input and mask (bool). The
length of the result is the number of True in the broadcast mask: it depends on the data, and is 0
(shape (0,)) if there is none. Values are moved, bit for bit, into new memory.
"""

import math
import random
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Call, Cost, Draw, Exact, Mutant, Promise, Task, call, case, grid
from kernelbenchx.spec.families import axes, wrong
from kernelbenchx.spec.families.axes import DEGENERATE, FLOATS, dims_of, fits
from kernelbenchx.spec.families.sentences import input_strides, may_be_empty
from kernelbenchx.spec.shapes import broadcast
from kernelbenchx.spec.space import OMITTED, Axis, Fresh, Option, Space

Shape = tuple[int, ...]
OTHERS = (torch.float64, torch.int64, torch.bool, torch.complex64)
SPECIAL = (0.0, -0.0, math.inf, -math.inf, math.nan, 1e-7)


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.masked_select(input, mask)


def inputs(
    draw: Draw,
    shape: Shape,
    dtype: torch.dtype,
    rate: float,
    mask: Shape | None = None,
    layout: str = "contiguous",
    mask_layout: str = "contiguous",
    values: str = "",
) -> Call:
    if dtype.is_floating_point or dtype.is_complex:
        x = draw.planted(draw.normal(shape, dtype), SPECIAL if values else ())
    else:
        x = draw.integers(shape, -(2**62), 2**62).to(dtype)
    where = shape if mask is None else mask
    # Exactly this many, so that the bytes that move are known; where they stand is random.
    chosen = draw.chosen(math.prod(where), _selected(where, rate)).reshape(where)
    return call(draw.laid_out(x, layout), draw.laid_out(chosen, mask_layout))


def _selected(shape: Shape, rate: float) -> int:
    return round(rate * math.prod(shape))


def cost(
    shape: Shape, dtype: torch.dtype, rate: float, mask: Shape | None = None, **_: Any
) -> Cost:
    where = shape if mask is None else mask
    common = math.prod(broadcast(shape, where))
    copies = common // max(math.prod(where), 1)
    moved = math.prod(shape) + copies * _selected(where, rate)
    return Cost(flops=common, bytes=moved * dtype.itemsize + math.prod(where))


def _crossed(chance: random.Random, before: Mapping[str, Any]) -> Shape:
    """Some dimensions of the mask have size 1; where the input has size 1, the mask has more."""
    return tuple(
        chance.randrange(2, 9) if size == 1 else chance.choice((1, size))
        for size in before["shape"]
    )


MASKS = Axis(
    "mask",
    (
        Option("as input", OMITTED),
        Option("crossed", Fresh(_crossed)),
        Option("fewer dimensions", Fresh(lambda _, before: before["shape"][1:])),
        Option("more dimensions", Fresh(lambda c, before: (c.randrange(2, 5), *before["shape"]))),
        Option("0-d", (), DEGENERATE),
    ),
)
RATES = axes.argument("rate", half=0.5, few=0.03, most=0.97, all=1.0).options


def _is_valid(chosen: Mapping[str, str]) -> bool:
    dims = dims_of(chosen)
    more = {"fewer dimensions": -1, "more dimensions": 1, "0-d": -dims}.get(chosen["mask"], 0)
    if (chosen["shape"] == "long" and more > 0) or (chosen["shape"] == "0-d" and more < 0):
        return False
    if not fits(chosen["layout"], dims) or not fits(
        chosen["mask_layout"], (dims + more) * (dims > 0)
    ):
        return False
    return chosen["values"] == "ordinary" or "float" in chosen["dtype"]


def _column_major(input, mask):
    both = torch.broadcast_tensors(input, mask)
    return torch.masked_select(*(one.permute(*range(one.dim())[::-1]) for one in both))


def _zeros_between(input, mask):
    x, chosen = torch.broadcast_tensors(input, mask)
    return torch.where(chosen, x, torch.zeros_like(x)).flatten()


def _over_the_first(input, mask):
    count = min(input.numel(), mask.numel())
    return input.flatten()[:count][mask.flatten()[:count]]


def _one_block(input, mask):
    x, chosen = (one.flatten()[:4096] for one in torch.broadcast_tensors(input, mask))
    return x[chosen]


TASK = Task(
    reference=masked_select,
    inputs=inputs,
    cost=cost,
    contract=Exact(signed_zero=True),
    space=Space(
        (
            axes.shapes(),
            axes.dtypes(FLOATS, OTHERS),
            Axis("rate", (*RATES, Option("none", 0.0, DEGENERATE))),
            MASKS,
            axes.layouts(),
            axes.layouts("mask_layout", ("transposed", "strided", "expanded")),
            axes.values(("special",)),
        ),
        valid=_is_valid,
        corners=(
            {},
            {"dtype": "bfloat16", "shape": "matrix", "rate": "few"},
            {"shape": "matrix", "layout": "transposed", "mask_layout": "transposed"},
            {"shape": "four dimensions", "mask": "crossed"},
            {"dtype": "int64", "mask": "more dimensions"},
            {"shape": "matrix", "rate": "none"},
            {"shape": "0-d", "rate": "all"},
            {"shape": "empty"},
            {"shape": "empty", "mask": "more dimensions"},
        ),
    ),
    promises=(
        Promise(
            "input and mask are broadcast against each other.",
            "mask",
            ("crossed", "fewer dimensions", "more dimensions"),
            Mutant("mask laid over the first elements", _over_the_first, ("mask",)),
        ),
        may_be_empty(masked_select, "Both may be 0-d or empty.", "shape", "0-d", "empty"),
        input_strides(masked_select, "Both may have any strides."),
        Promise(
            "input has any dtype, and the result has the same.",
            "dtype",
            ("float64", "int64", "bool", "complex64"),
            wrong.moved_as_float32(masked_select),
        ),
    ),
    timings=(
        # Large: the length of the result is read on the host, and the GPU waits for that.
        grid(shape=((2**28,),), dtype=(torch.bfloat16,), rate=(0.25, 0.9))
        + case(shape=(8192, 16384), dtype=torch.float32, rate=0.5)
        + case(shape=(8191, 8193), dtype=torch.float32, rate=0.5)
    ),
    mutants=(
        Mutant("backwards", lambda x, mask: torch.masked_select(x, mask).flip(0), ("input",)),
        Mutant("column-major order", _column_major, ("input", "mask")),
        Mutant("zeros between the selected", _zeros_between, ("mask",)),
        Mutant("mask inverted", lambda x, mask: torch.masked_select(x, ~mask), ("mask",)),
        Mutant("only the first 4096 elements", _one_block, ("input",)),
        wrong.strides_ignored(masked_select, 1, "mask"),
    ),
    data_movement=True,
    dtypes=FLOATS,
    difficulty=4,
)
