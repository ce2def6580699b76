"""The elements of input whose mask is True, as a 1-D tensor.

The selected elements stand in row-major order of the common shape of input and mask (bool). The
length of the result is the number of True in the broadcast mask: it depends on the data, and is 0
(shape (0,)) if there is none. Values are moved, bit for bit, into new memory.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Cost, Draw, Mutant, Promise, call, case, indexing
from kernelbenchx.spec.families.indexing import elements
from kernelbenchx.spec.families.masks import count_selected, drawn_mask, mask_fits, masks, rates
from kernelbenchx.spec.families.standard_promises import may_be_empty
from kernelbenchx.spec.shapes import broadcast
from kernelbenchx.spec.tiles import with_many

Shape = tuple[int, ...]


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.masked_select(input, mask)


def inputs(
    draw: Draw, shape: Shape, dtype: torch.dtype, rate: float, mask: Shape | None = None, **how: str
) -> Call:
    """`how`: layouts and values."""
    x = elements(draw, shape, dtype, "values" in how)
    where = shape if mask is None else mask
    chosen = draw.laid_out(drawn_mask(draw, where, rate), how.get("mask_layout", "contiguous"))
    return call(draw.laid_out(x, how.get("layout", "contiguous")), chosen)


def cost(
    shape: Shape, dtype: torch.dtype, rate: float, mask: Shape | None = None, **_: Any
) -> Cost:
    where = shape if mask is None else mask
    common = math.prod(broadcast(shape, where))
    copies = common // max(math.prod(where), 1)
    moved = math.prod(shape) + copies * count_selected(where, rate)
    return Cost(flops=common, bytes=moved * dtype.itemsize + math.prod(where))


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


TASK = indexing(
    masked_select,
    tensors={"mask": 1},
    strides="Both may have any strides.",
    other_dtypes=(torch.float64, torch.int64, torch.bool, torch.complex64),
    dtype_text="input is a float of 16, 32 or 64 bits, int64, bool or complex64, and the result "
    "has its dtype.",
    arguments=(rates(), masks()),
    valid=mask_fits,
    spans_tiles=with_many("mask"),
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
    promises=(
        Promise(
            "input and mask are broadcast against each other.",
            "mask",
            ("crossed", "fewer dimensions", "more dimensions"),
            Mutant("mask laid over the first elements", _over_the_first, ("mask",)),
        ),
        may_be_empty(masked_select, "Both may be 0-d or empty.", "shape", "0-d", "empty"),
    ),
    inputs=inputs,
    cost=cost,
    # Large: the length of the result is read on the host, and the GPU waits for that.
    timings=case(shape=(2**27,), dtype=torch.bfloat16, rate=0.25)
    + case(shape=(8192, 8192), dtype=torch.float32, rate=0.5)
    + case(shape=(8191, 4097), dtype=torch.float32, rate=0.9),
    mutants=(
        Mutant("backwards", lambda x, mask: torch.masked_select(x, mask).flip(0), ("input",)),
        Mutant("column-major order", _column_major, ("input", "mask")),
        Mutant("zeros between the selected", _zeros_between, ("mask",)),
        Mutant("mask inverted", lambda x, mask: torch.masked_select(x, ~mask), ("mask",)),
        Mutant("only the first 4096 elements", _one_block, ("input",)),
    ),
    difficulty=4,
)
