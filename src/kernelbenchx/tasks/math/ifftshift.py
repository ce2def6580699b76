"""Undoes fftshift: moves the zero frequency from the middle of a spectrum to its beginning.

Along each dimension of `dim`, of size n, element i of the result is element (i + n // 2) mod n of
the input, n // 2 rounded down: [0, 1, 2, 3, 4] gives [2, 3, 4, 0, 1]. For an odd n fftshift moves
by one element less. `dim` is an int, a tuple of ints without repetition, or None for all
dimensions; negative ones count from the end. Values are moved, bit for bit. The result is a new
tensor of the input's shape and dtype, also where nothing moves; a 0-d input, with dim None, is
copied. The input stays as it is.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Call, Cost, Draw, Mutant, Promise, call, case, indexing
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.dimensions import dims
from kernelbenchx.spec.families.indexing import elements
from kernelbenchx.spec.families.standard_promises import may_be_empty
from kernelbenchx.spec.huge_call import COLUMNS, HugeCall

Dim = int | tuple[int, ...] | None
Shape = tuple[int, ...]
WIDE = (torch.float64, torch.complex64, torch.complex128, torch.int64, torch.bool)
WORDS = ("not given", "none", "last", "first", "first from the end", "two", "tuple of one",
         "all in a tuple")  # fmt: skip


def ifftshift(input: torch.Tensor, dim: Dim = None) -> torch.Tensor:
    # torch has none for an input without dimensions.
    return torch.fft.ifftshift(input, dim=dim) if input.dim() else input.clone()


def inputs(draw: Draw, shape: Shape, dtype: torch.dtype, **how: Any) -> Call:
    words = {"dim": how["dim"]} if "dim" in how else {}
    x = elements(draw, shape, dtype, "values" in how)
    return call(draw.laid_out(x, how.get("layout", "contiguous")), **words)


def cost(shape: Shape, dtype: torch.dtype, **_: Any) -> Cost:
    return Cost(flops=0, bytes=2 * math.prod(shape) * dtype.itemsize)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    shape, dim = chosen["shape"], chosen["dim"]
    if shape == "0-d":
        return dim in ("not given", "none")
    flat = ("vector", "long", "one element", "empty")
    return dim != "two" or shape not in flat


def _first_of_several(input, dim=None):
    return ifftshift(input, dim[0] if isinstance(dim, tuple) else dim)


def _last_by_default(input, dim=None):
    return ifftshift(input, -1 if dim is None and input.dim() else dim)


def _as_one_row(input, dim=None):
    """All dimensions at once is not one long dimension."""
    return ifftshift(input.reshape(-1) if dim is None else input, dim).reshape(input.shape)


def _counted_from_the_front(input, dim=None):
    named = (dim,) if isinstance(dim, int) else dim
    return ifftshift(input, None if named is None else tuple({max(d, 0) for d in named}))


TASK = indexing(
    ifftshift,
    tensors={},
    strides="Any strides.",
    other_dtypes=WIDE,
    dtype_text="Any dtype of these: float16, bfloat16, float32, float64, complex64, complex128, "
    "int64, bool.",
    arguments=(dims(WORDS),),
    valid=_is_valid,
    corners=(
        *({"dtype": one} for one in ("float16", "bfloat16", "complex64", "complex128", "bool")),
        {"shape": "matrix", "layout": "transposed"},
        {"shape": "matrix", "dim": "first", "dtype": "float64"},
        {"shape": "four dimensions", "dim": "not given"},
        {"shape": "four dimensions", "dim": "two", "dtype": "int64"},
        {"shape": "whole blocks", "dim": "last", "values": "special"},
        *({"shape": "0-d"}, {"shape": "empty"}),
    ),
    promises=(
        Promise(
            "Several dimensions are shifted each for itself.",
            *("dim", ("two", "all in a tuple"), Mutant("first of several", _first_of_several)),
        ),
        may_be_empty(ifftshift, "The input may be empty.", "shape", "empty"),
    ),
    inputs=inputs,
    cost=cost,
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.bfloat16)
    + case(shape=(63, 511, 1019), dtype=torch.complex64, dim=(0, -1))
    + case(shape=(4099, 5003), dtype=torch.float32, dim=0),
    mutants=(
        Mutant("fftshift", lambda x, dim=None: torch.fft.fftshift(x, dim=dim)),
        mistakes.ignore_argument(ifftshift, "dim"),
        Mutant("the last dimension by default", _last_by_default, ("dim",)),
        Mutant("all dimensions as one", _as_one_row),
        Mutant("negative dimensions taken for 0", _counted_from_the_front, ("dim",)),
        mistakes.first_elements_only(ifftshift, 1024),
    ),
    difficulty=4,
    huge=HugeCall({"dtype": torch.float16, "dim": -1}, columns=COLUMNS),
)
