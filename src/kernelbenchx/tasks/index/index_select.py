"""Slices of input along dimension dim, in the order in which index names them.

out[i_0, .., j, .., i_r-1] = input[i_0, .., index[j], .., i_r-1]        (j in place of i_dim)
The result has the shape of input, except that its size along dim is index.numel(). It is new memory
even where index names every slice once. input has at least one dimension. index is 1-D, int32 or
int64, with values in 0..input.size(dim)-1 (negative ones are not valid); a value may occur any
number of times. Values are moved, bit for bit.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Cost, Draw, Mutant, Promise, call, case, indexing
from kernelbenchx.spec.families import axes, mistakes
from kernelbenchx.spec.families.index_slices import read_of, slice_index, slice_indices, slices_fit
from kernelbenchx.spec.families.indexing import always_first_dim, dims, elements, negative_dim
from kernelbenchx.spec.families.standard_promises import may_be_empty

Shape = tuple[int, ...]
F32, I64 = torch.float32, torch.int64


def index_select(input: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    return torch.index_select(input, dim, index)


def inputs(
    draw: Draw,
    shape: Shape,
    dim: int,
    index: int,
    dtype: torch.dtype,
    index_dtype: torch.dtype = I64,
    **how: str,
) -> Call:
    """`how`: layouts and values."""
    x = elements(draw, shape, dtype, "values" in how)
    places = slice_index(draw, shape[dim], index).to(index_dtype)
    places = draw.laid_out(places, how.get("index_layout", "contiguous"))
    return call(draw.laid_out(x, how.get("layout", "contiguous")), dim, places)


def cost(shape: Shape, dim: int, index: int, dtype: torch.dtype, **how: Any) -> Cost:
    """A slice that is named twice is read once."""
    written = math.prod(shape) // max(shape[dim], 1) * index
    moved = (written + read_of(shape, dim, index, dtype.itemsize)) * dtype.itemsize
    return Cost(flops=0, bytes=moved + index * how.get("index_dtype", I64).itemsize)


def _sorted_places(input, dim, index):
    return torch.index_select(input, dim, index.sort().values)


def _each_once(input, dim, index):
    """What is named twice comes back once, and zeros stand behind."""
    found = torch.zeros_like(index_select(input, dim, index))
    seen = torch.index_select(input, dim, index.unique())
    found.narrow(dim, 0, seen.size(dim)).copy_(seen)
    return found


TASK = indexing(
    index_select,
    tensors={},
    strides="input and index may have any strides (an expanded index has stride 0).",
    other_dtypes=(torch.float64, I64, torch.int8, torch.bool),
    dtype_text="input is of any real dtype, also bool, and the result has its dtype.",
    arguments=(dims(), *slice_indices(), axes.dtypes((I64, torch.int32), name="index_dtype")),
    valid=slices_fit,
    corners=(
        {},
        {"shape": "matrix", "dim": "last, negative", "index": "more than slices"},
        {"shape": "four dimensions", "dim": "inner", "dtype": "bfloat16", "index_dtype": "int32"},
        {"shape": "matrix", "layout": "transposed", "index_layout": "strided"},
        {"shape": "matrix", "dim": "last", "index_layout": "expanded", "dtype": "float16"},
        {"shape": "matrix", "index": "empty"},
        {"shape": "empty", "index": "empty"},
    ),
    promises=(
        negative_dim(index_select),
        may_be_empty(index_select, "index and input may be empty.", "index", "empty"),
        Promise(
            "index may have more entries than there are slices.",
            "index",
            ("more than slices",),
            Mutant("each slice once", _each_once, ("index",)),
        ),
    ),
    inputs=inputs,
    cost=cost,
    timings=case(shape=(1 << 18, 256), dim=0, index=1 << 18, dtype=F32)
    + case(shape=(8192, 8192), dim=1, index=6000, dtype=torch.bfloat16)
    + case(shape=(63, 511, 509), dim=1, index=700, dtype=F32),
    mutants=(
        mistakes.strides_ignored(index_select, 2, "index"),
        always_first_dim(index_select),
        Mutant("slices in ascending order", _sorted_places, ("index",)),
        mistakes.first_elements_only(index_select),
    ),
    difficulty=3,
)
