"""Sum over one, several or all dimensions.

Without `dtype`, float inputs keep their dtype, and integers and bool give int64. With `dtype` every
element is cast to it first (floats to integers toward zero) and the result has that dtype. 16-bit
values are added in float32 and the sum is rounded once; float64 sums are added in float64, integer
sums are exact. The sum of nothing is 0.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Close, Draw, Mutant, Normal, case, reduction

Dim = int | tuple[int, ...] | None


def sum(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    terms = _cast(input, dtype)
    # On the host torch.sum rounds the 16-bit sums of its threads.
    wide = torch.promote_types(terms.dtype, torch.float32) if terms.is_floating_point() else None
    return torch.sum(terms, dim, keepdim, dtype=wide).to(terms.dtype)


def exact(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """Integers as they are, all else in float64 after the cast."""
    terms = _cast(input, dtype)
    return torch.sum(terms.double() if terms.is_floating_point() else terms, dim, keepdim)


def local(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """Partial sums are as large as the sum or an outlier; n roundings add up to sqrt(n) of them."""
    terms = _cast(input, dtype).double()
    total = torch.sum(terms, dim, keepdim)
    if not terms.numel():
        return total
    size = terms.abs()
    largest = size.amax(tuple(range(size.dim())) if dim is None else dim, keepdim)
    count = terms.numel() // total.numel()
    return torch.sum(size, dim, keepdim) + math.sqrt(count) * (total.abs() + largest)


def _cast(x: torch.Tensor, dtype: torch.dtype | None) -> torch.Tensor:
    return x.to(dtype or _result(x.dtype))


def _result(dtype: torch.dtype) -> torch.dtype:
    return dtype if dtype.is_floating_point else torch.int64


def _integers(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Sums of them leave int32, and of int64 the integers that float64 holds."""
    reach = 2**30 if dtype == torch.int32 else 2**50
    return draw.integers(shape, -reach, reach, dtype)


def _halves(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Partial sums along the longest dimension are far larger than the sum: rounding them shows."""
    x = draw.normal(shape, torch.float32)
    if x.dim():
        longest = shape.index(max(shape))
        first, last = x.tensor_split(2, longest)
        first += 1
        last -= 1
    return x.to(dtype)


def _narrow_accumulator(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """Partial sums of 64 terms are rounded to the result's dtype."""
    if not isinstance(dim, int) or not input.dim():
        return sum(input, dim, keepdim, dtype)
    parts = [sum(part, dim, keepdim, dtype) for part in input.split(64, dim)]
    total = torch.zeros_like(parts[0])
    for part in parts:
        total = total + part
    return total


def _cast_last(x: torch.Tensor, dim: Dim, keepdim: bool = False, **words: Any) -> torch.Tensor:
    return sum(x, dim, keepdim).to(words.get("dtype") or sum(x, dim).dtype)


def _one_dimension(x: torch.Tensor, dim: Dim, *rest: Any, **words: Any) -> torch.Tensor:
    """Only the first of several dimensions, the others by their first element."""
    whole = sum(x, dim, *rest, **words)
    if not isinstance(dim, tuple) or len(dim) < 2:
        return whole
    part = sum(x, dim[0], True, words.get("dtype"))
    for other in dim[1:]:
        part = part.narrow(other, 0, 1)
    return part.reshape(whole.shape).clone()


TASK = reduction(
    sum,
    eager=torch.sum,
    ordinary=Normal(planted=(300.0, -300.0)),
    others={
        "mean above zero": Normal(mean=0.5),
        "halves cancel": _halves,
        "huge": Normal(planted=(1e20, -3e4)),
        "special": Normal(planted=(math.inf, -math.inf, math.nan)),
    },
    integers=_integers,
    other_dtypes=(torch.float64, torch.int32, torch.int64, torch.bool),
    casts=(torch.float64, torch.float32, torch.float16, torch.int64),
    corners=(
        {"dtype": "float16", "values": "halves cancel", "shape": "wide rows"},
        {"dtype": "bfloat16", "values": "halves cancel", "shape": "long rows"},
    ),
    gives=_result,
    contract=Close(scale=local),
    truth=exact,
    timings=case(shape=(1 << 26,), dim=0, dtype=torch.float32, values="mean above zero")
    + case(shape=(8192, 4096), dim=0, dtype=torch.float32)
    + case(shape=(4099, 8191), dim=1, dtype=torch.bfloat16),
    mutants=(
        Mutant("one of several dimensions", _one_dimension, ("dim",)),
        Mutant("cast after the sum", _cast_last, ("dtype",)),
        Mutant("accumulated in the result's dtype", _narrow_accumulator),
    ),
    difficulty=2,
)
