"""Sum over one, several or all dimensions.

`dim` is an int (may be negative), a tuple of ints, or None for all dimensions. The reduced
dimensions are dropped, or kept with size 1 when keepdim=True. Without `dtype`, float inputs keep
their dtype, and integers and bool give int64. With `dtype` every element is cast to it first
(floats to integers toward zero) and the result has that dtype. 16-bit values are added in float32
and the sum is rounded once; float64 sums are added in float64, integer sums are exact. The sum of
nothing is 0. Any shape, also empty and 0-d, any strides.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.shapes import reduced_count

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
Dim = int | tuple[int, ...] | None


def sum(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    return torch.sum(input, dim, keepdim, dtype=dtype)


def exact(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """Integers as they are, all else in float64 after the cast."""
    terms = _cast(input, dtype)
    return torch.sum(terms.double() if terms.is_floating_point() else terms, dim, keepdim)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dim: Dim,
    dtype: torch.dtype,
    keepdim: bool | None = None,
    to: torch.dtype | None = None,
    layout: str = "contiguous",
    mean: float = 0.0,
    planted: tuple[float, ...] = (300.0, -300.0),
) -> Call:
    if dtype == torch.bool:
        x = draw.booleans(shape)
    elif not dtype.is_floating_point:
        reach = 2**30 if dtype == torch.int32 else 2**50
        x = draw.integers(shape, -reach, reach, dtype)
    else:
        x = draw.planted((draw.normal(shape, torch.float32) + mean).to(dtype), planted)
    words: dict[str, Any] = {} if keepdim is None else {"keepdim": keepdim}
    if to is not None:
        words["dtype"] = to
    return call(draw.laid_out(x, layout), dim, **words)


def cost(
    shape: tuple[int, ...], dim: Dim, dtype: torch.dtype, to: torch.dtype | None = None, **_
) -> Cost:
    count = math.prod(shape)
    into = to or (dtype if dtype.is_floating_point else torch.int64)
    written = reduced_count(shape, dim) * into.itemsize
    return Cost(flops=count, bytes=count * dtype.itemsize + written)


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
    return x.to(dtype or (x.dtype if x.dtype.is_floating_point else torch.int64))


def _reduced(x: torch.Tensor, dim: Dim) -> list[int]:
    """Which dimensions are reduced, in their order."""
    every = list(range(x.dim()))
    asked = every if dim is None else (dim,) if isinstance(dim, int) else dim
    return [d for d in every if d in asked or d - x.dim() in asked]


def _narrow_accumulator(
    input: torch.Tensor, dim: Dim, keepdim: bool = False, dtype: torch.dtype | None = None
) -> torch.Tensor:
    """Term after term in the result's own dtype."""
    x, reduced = _cast(input, dtype), _reduced(input, dim)
    shape = sum(input, dim, keepdim).shape
    last = x.movedim(reduced, list(range(-len(reduced), 0)))
    terms = last.flatten(x.dim() - len(reduced)) if reduced else x.unsqueeze(-1)
    total = torch.zeros(terms.shape[:-1], dtype=x.dtype)
    for term in terms.unbind(-1):
        total = total + term
    return total.view(shape)


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


TASK = Task(
    reference=sum,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(shape=((9001,),), dim=(0,), dtype=FLOATS, mean=(0.5,))  # several chunks, a tail
    + case(shape=(9001,), dim=0, dtype=torch.float32)
    + grid(shape=((3, 2500),), dim=(-1,), dtype=FLOATS)
    + case(shape=(7, 13), dim=-1, dtype=torch.float16, planted=(math.inf, -math.inf, math.nan))
    + grid(shape=((1300, 3),), dim=(0,), dtype=FLOATS, keepdim=(True,))
    + case(shape=(4, 5, 6, 7), dim=(1, 3), dtype=torch.float32)
    + case(shape=(4, 5, 6, 7), dim=(-1, 0), dtype=torch.float32, keepdim=True, layout="strided")
    + case(shape=(17, 129), dim=None, dtype=torch.float32, layout="transposed")
    + case(shape=(3, 5, 7), dim=None, dtype=torch.int64, keepdim=True)
    + case(shape=(6, 1100), dim=1, dtype=torch.int32)
    + case(shape=(6, 1100), dim=1, dtype=torch.bool)
    + case(shape=(5, 1100), dim=1, dtype=torch.float32, to=torch.float64)
    + case(shape=(5, 1100), dim=1, dtype=torch.float32, to=torch.int64)
    + case(shape=(5, 1100), dim=1, dtype=torch.float16, to=torch.float32)
    + case(shape=(5, 1100), dim=1, dtype=torch.int64, to=torch.float32)
    + case(shape=(), dim=0, dtype=torch.float32)
    + case(shape=(0, 5), dim=0, dtype=torch.float32)
    + case(shape=(0, 5), dim=1, dtype=torch.float16),
    timings=case(shape=(1 << 26,), dim=0, dtype=torch.float32, mean=0.5)
    + case(shape=(8192, 8192), dim=1, dtype=torch.bfloat16)
    + case(shape=(8192, 4096), dim=0, dtype=torch.float32),
    mutants=(
        Mutant("always the last dimension", lambda x, _, **rest: sum(x, -1, **rest), ("dim",)),
        Mutant("one of several dimensions", _one_dimension, ("dim",)),
        Mutant(
            "keepdim ignored",
            lambda x, dim, dtype=None, **_: sum(x, dim, dtype=dtype),
            ("keepdim",),
        ),
        Mutant("cast after the sum", _cast_last, ("dtype",)),
        Mutant("accumulated in the result's dtype", _narrow_accumulator),
        Patch(
            "rounded to half between the blocks",
            "other=0).to(COMPUTE)",
            "other=0).to(tl.float16).to(COMPUTE)",
        ),
        Patch("contiguity assumed", "]).contiguous(), x.dtype", "]), x.dtype", ("input",)),
        Patch("first chunk only", "start = chunk * CHUNK", "start = 0 * CHUNK"),
        Patch("first block of a chunk only", "range(0, CHUNK, ROWS,", "range(0, ROWS, ROWS,"),
        Patch("last element left out", "(at < n)", "(at < n - 1)"),
    ),
    dtypes=FLOATS,
    difficulty=2,
    truth=exact,
)
