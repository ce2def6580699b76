"""Mean over one, several or all dimensions.

The sum of the n elements that are reduced to one, divided by n. With `dtype` (float16, float32 or
float64) every element is cast to it first and the result has that dtype; without it the result has
the input's dtype. Input: float16, bfloat16, float32 or float64, or int32, int64 or bool, which need
`dtype`. A tuple names at least one dimension and none twice. 16-bit values are added in float32 and
the mean is rounded once, so it is finite where their sum exceeds the dtype; float64 is computed in
float64. The mean of nothing is NaN. NaN and infinities follow IEEE addition.
"""

import math
from collections.abc import Mapping

import torch

from kernelbenchx.spec import Close, Draw, Mutant, Normal, case, reduction
from kernelbenchx.spec.families import mistakes
from kernelbenchx.tasks.reduce.sum import local as size_of_sum

Dim = int | tuple[int, ...] | None


def mean(
    input: torch.Tensor,
    /,
    dim: Dim,
    keepdim: bool = False,
    dtype: torch.dtype | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    terms = input if dtype is None else input.to(dtype)
    # On the host torch rounds the 16-bit sums of its threads.
    wide = torch.promote_types(terms.dtype, torch.float32)
    return mistakes.store_result(torch.mean(terms.to(wide), dim, keepdim).to(terms.dtype), out)


def exact(input, dim, keepdim=False, dtype=None, out=None):
    """In float64, of the values that the cast leaves."""
    terms = input if dtype is None else input.to(dtype)
    result = torch.mean(terms.double(), dim, keepdim)
    mistakes.store_result(result, out)
    return result


def local(input, dim, keepdim=False, dtype=None, out=None):
    """Of the sum, less the division."""
    del out
    size = size_of_sum(input, dim, keepdim, dtype)
    scale = size / max(input.numel() // max(size.numel(), 1), 1)
    return scale, scale


def _integers(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """As float16 holds them, or beyond what float32 does."""
    return draw.integers(shape, -30_000, 60_000, dtype) * (1 if dtype == torch.int32 else 2**24 + 1)


def _is_valid(chosen: Mapping[str, str]) -> bool:
    if chosen["dtype"] == "int64" and chosen["to"] == "float16":
        return False  # they overflow
    return chosen["to"] != "not given" or not chosen["dtype"].startswith(("int", "bool"))


def _cast_last(input, dim, keepdim=False, dtype=None, out=None):
    return mistakes.store_result(exact(input, dim, keepdim).to(dtype or input.dtype), out)


def _narrow_sum(input, dim, keepdim=False, dtype=None, out=None):
    """The sum is rounded to the result's dtype before it is divided."""
    terms = input if dtype is None else input.to(dtype)
    total = torch.sum(terms.double(), dim, keepdim).to(terms.dtype)
    count = terms.numel() / max(total.numel(), 1)
    return mistakes.store_result((total.double() / count).to(terms.dtype) if count else total, out)


TASK = reduction(
    mean,
    eager=torch.mean,
    ordinary=Normal(mean=0.25),
    others={
        "mean of 0": Normal(planted=(300.0, -300.0)),
        "large": Normal(mean=3e4, size=1e3),
        "special": Normal(planted=(math.inf, -math.inf, math.nan)),
        "beyond float16": Normal(planted=(1e5, 1e5)),
    },
    integers=_integers,
    other_dtypes=(torch.float64, torch.int32, torch.int64, torch.bool),
    casts=(torch.float64, torch.float32, torch.float16),
    valid=_is_valid,
    corners=(
        {"dtype": "float16", "values": "large", "shape": "long rows"},
        {"dtype": "int64", "to": "float32"},
        {"to": "float16", "values": "beyond float16"},
        {"shape": "three dimensions", "dim": "two", "out": "contiguous"},
        {"shape": "nothing to reduce", "dim": "first"},
        {"values": "special", "shape": "matrix"},
    ),
    contract=Close(scale=local),
    truth=exact,
    timings=case(shape=(1 << 26,), dim=0, dtype=torch.float32)
    + case(shape=(8192, 4096), dim=0, dtype=torch.float32)
    + case(shape=(4099, 8191), dim=1, dtype=torch.bfloat16)
    + case(shape=(64, 256, 14, 14), dim=(2, 3), dtype=torch.float32),
    mutants=(
        Mutant("cast after the mean", _cast_last, ("dtype",)),
        Mutant("sum rounded", _narrow_sum),
        mistakes.fresh_beside_out(mean),
    ),
    difficulty=1,
)
