"""A copy of input with its dimensions in another order.

out[i_dims[0], i_dims[1], .., i_dims[r-1]] = input[i_0, i_1, .., i_r-1]: dimension k of the result
is dimension dims[k] of input. dims is a list or tuple that names every dimension of input once; it
is empty for a 0-d input, which is copied. input has at most four dimensions. The result is new
memory, never a view of input, also where dims changes nothing. It is contiguous: its elements lie
in row-major order of the result's own shape. Values are moved, bit for bit.
"""

import math
from collections.abc import Sequence
from typing import Any

import torch

from kernelbenchx.spec import (
    Call,
    Cost,
    Draw,
    ExactContiguous,
    Mutant,
    Promise,
    call,
    case,
    indexing,
)
from kernelbenchx.spec.families.indexing import elements
from kernelbenchx.spec.families.mistakes import first_elements_only
from kernelbenchx.spec.families.permutations import moves_tiles, order_fits, orders
from kernelbenchx.spec.families.standard_promises import may_be_empty

Shape = tuple[int, ...]


def permute_copy(input: torch.Tensor, dims: Sequence[int]) -> torch.Tensor:
    return input.permute(tuple(dims)).clone(memory_format=torch.contiguous_format)


def inputs(draw: Draw, shape: Shape, dims: list[int], dtype: torch.dtype, **how: str) -> Call:
    """`how`: layout and values."""
    x = elements(draw, shape, dtype, "values" in how)
    return call(draw.laid_out(x, how.get("layout", "contiguous")), dims)


def cost(shape: Shape, dtype: torch.dtype, **_: Any) -> Cost:
    return Cost(flops=0, bytes=2 * math.prod(shape) * dtype.itemsize)


def _inverse(input, dims):
    order = [d % input.dim() for d in dims]
    return permute_copy(input, sorted(range(input.dim()), key=order.__getitem__))


def _as_shaped(input, dims):
    return input.clone().reshape([input.size(d) for d in dims])


def _sorted_names(input, dims):
    return permute_copy(input, [sorted(dims).index(d) for d in dims])


TASK = indexing(
    permute_copy,
    tensors={},
    strides="input may have any strides.",
    other_dtypes=(torch.float64, torch.int64, torch.int8, torch.bool),
    dtype_text="input is of any real dtype, also bool, and the result has its dtype.",
    arguments=(orders(),),
    valid=order_fits,
    spans_tiles=moves_tiles,
    corners=(
        {"shape": "matrix"},
        {"shape": "four dimensions", "dims": "rotated", "dtype": "bfloat16"},
        {"shape": "four dimensions", "dims": "negative", "dtype": "float16"},
        {"shape": "four dimensions", "dims": "mixed", "layout": "transposed"},
        {"shape": "matrix", "dims": "unchanged"},
        {"shape": "0-d"},
        {"shape": "empty", "dims": "reversed"},
    ),
    promises=(
        Promise(
            "Entries of dims may be negative.",
            "dims",
            ("negative",),
            Mutant("negative entries as they sort", _sorted_names, ("dims",)),
        ),
        may_be_empty(permute_copy, "input may be 0-d or empty.", "shape", "0-d", "empty"),
    ),
    contract=ExactContiguous(signed_zero=True),
    inputs=inputs,
    cost=cost,
    timings=case(shape=(64, 64, 128, 128), dims=[3, 2, 1, 0], dtype=torch.float32)
    + case(shape=(8192, 8192), dims=[1, 0], dtype=torch.bfloat16)
    + case(shape=(31, 3, 611, 609), dims=[0, 2, 3, 1], dtype=torch.float32),
    mutants=(
        Mutant("a view of input", lambda x, dims: x.permute(tuple(dims)), ("input",)),
        Mutant("a view of a copy", lambda x, dims: x.clone().permute(tuple(dims)), ("input",)),
        Mutant("inverse order", _inverse, ("dims",)),
        Mutant("another shape, nothing moved", _as_shaped, ("dims",)),
        first_elements_only(permute_copy),
    ),
    difficulty=4,
)
