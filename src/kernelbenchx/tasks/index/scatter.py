"""A copy of input with values of src written at given places along one dimension.

out = copy of input; then for every position p = (p_0, .., p_r-1) of index:
    out[p_0, .., index[p], .., p_r-1] = src[p]        (index[p] in place of p_dim)
input, index and src have the same rank r <= 4 (0-d counts as shape (1,)); input and src have the
same dtype, index is int64. dim may be negative. index may be smaller than the others:
index.size(d) <= src.size(d) for every d, and index.size(d) <= input.size(d) for d != dim; what
lies outside is neither read nor written. Values of index lie in 0..input.size(dim)-1 and no two
positions name the same place. index may be empty, and any argument may be non-contiguous (an
expanded index has stride 0). Values are moved, bit for bit; input, index and src stay as they are.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Cost, Draw, Exact, Mutant, Patch, Task, call, case, grid
from kernelbenchx.spec.traffic import in_a_sector, needed

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
Shape = tuple[int, ...]


def scatter(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> torch.Tensor:
    return input.scatter(dim, index, src)


def inputs(
    draw: Draw,
    shape: Shape,
    dim: int,
    index: Shape,
    src: Shape,
    dtype: torch.dtype,
    layout: str = "contiguous",
) -> Call:
    odd = (0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1e-7)
    x = draw.planted(draw.normal(shape, dtype), odd)
    values = draw.planted(draw.normal(src, dtype), odd)
    if layout == "expanded":
        alike = tuple(size if d == dim else 1 for d, size in enumerate(shape))
        places = _places(
            draw, alike, dim, tuple(min(n, m) for n, m in zip(alike, index, strict=True))
        )
        places = places.narrow(dim, 0, index[dim]).expand(index)
        return call(x, dim, places, values)
    places = draw.laid_out(_places(draw, shape, dim, index), layout)
    return call(draw.laid_out(x, layout), dim, places, draw.laid_out(values, layout))


def _places(draw: Draw, shape: Shape, dim: int, index: Shape) -> torch.Tensor:
    """No place twice along `dim`."""
    return draw.distinct(index, dim, shape[dim] if shape else 1)


def cost(
    shape: Shape, dim: int, index: Shape, dtype: torch.dtype, layout: str = "contiguous", **_: Any
) -> Cost:
    """Of src only what index names is read; of input no sector that is overwritten as a whole."""
    count, named = math.prod(shape), math.prod(index)
    once = layout == "expanded"  # one row of places for all others
    together = 1 if once else in_a_sector(dtype.itemsize)
    rate = index[dim] / shape[dim] if shape and shape[dim] else 1.0
    kept = int(count * needed(rate, together, draws=shape[dim] if once else count // together))
    places = index[dim] if once else named
    return Cost(flops=0, bytes=(count + kept + named) * dtype.itemsize + 8 * places)


def _in_place(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> Any:
    return input.scatter_(dim, index, src)


def _zeros_elsewhere(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> Any:
    return torch.zeros_like(input).scatter(dim, index, src)


def _other_dimension(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> Any:
    return input.scatter(0, index.clamp(max=max(input.shape[0] - 1, 0) if input.dim() else 0), src)


def _added(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> Any:
    return input.scatter_add(dim, index, src)


def _in_order(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> Any:
    """Writes the values side by side, wherever they should go."""
    return input.scatter(dim, index.sort(dim).values, src)


def _first_float(input: torch.Tensor, dim: int, index: torch.Tensor, src: torch.Tensor) -> Any:
    """Moves through float16, as if all values fitted."""
    return input.scatter(dim, index, src.half().to(src.dtype))


TASK = Task(
    reference=scatter,
    inputs=inputs,
    cost=cost,
    contract=Exact(signed_zero=True),
    checks=(
        # Several blocks of 512 and of 1024, none of them ending at an edge of the index.
        grid(shape=((61, 37),), dim=(0,), index=((29, 37),), src=((29, 37),), dtype=FLOATS)
        + grid(shape=((61, 37),), dim=(-1,), index=((43, 31),), src=((61, 40),), dtype=FLOATS)
        + grid(
            shape=((11, 23, 7),),
            dim=(0, 1, 2, -2),
            index=((6, 9, 5),),
            src=((8, 9, 6),),
            dtype=(torch.float32,),
        )
        + case(
            shape=(3, 5, 4, 13), dim=1, index=(2, 4, 3, 11), src=(2, 5, 3, 12), dtype=torch.float32
        )
        + case(
            shape=(4, 3, 2, 9), dim=3, index=(4, 3, 2, 9), src=(4, 3, 2, 9), dtype=torch.bfloat16
        )
        # More places than rows are given: the target is longer than src and index.
        + case(shape=(1499,), dim=0, index=(701,), src=(900,), dtype=torch.float32)
        + grid(
            shape=((19, 26),),
            dim=(0, 1),
            index=((13, 21),),
            src=((17, 22),),
            dtype=(torch.float32,),
            layout=("transposed", "strided", "expanded"),
        )
        + case(shape=(6, 5), dim=0, index=(0, 5), src=(2, 5), dtype=torch.float32)
        + case(shape=(1, 1), dim=1, index=(1, 1), src=(1, 1), dtype=torch.float32)
        + case(shape=(), dim=0, index=(), src=(), dtype=torch.float32)
    ),
    timings=(
        case(shape=(65536, 256), dim=0, index=(32768, 256), src=(32768, 256), dtype=torch.float32)
        + case(
            shape=(4096, 8192), dim=1, index=(4096, 6000), src=(4096, 8192), dtype=torch.bfloat16
        )
        + case(
            shape=(64, 512, 512),
            dim=1,
            index=(64, 300, 512),
            src=(64, 300, 512),
            dtype=torch.float32,
        )
    ),
    mutants=(
        Mutant("writes into input", _in_place, ("input",)),
        Mutant("zeros elsewhere", _zeros_elsewhere, ("input",)),
        Mutant("always dimension 0", _other_dimension, ("dim",)),
        Mutant("adds", _added, ("src",)),
        Mutant("index in order", _in_order, ("index",)),
        Mutant("through float16", _first_float, ("src",)),
        Patch("src as large as index", "i0 * s0 + i1 * s1 + i2 * s2 + i3 * s3", "at", ("src",)),
        Patch("first block only", "_scatter[(triton.cdiv(n, 512),)]", "_scatter[(1,)]"),
        Patch(
            "last block forgotten",
            "(triton.cdiv(count, 1024),)",
            "(max(count // 1024, 1),)",
            ("input",),
        ),
        Patch(
            "negative dimension taken as last but one",
            "dim + x.dim() if dim < 0",
            "dim + x.dim() - 1 if dim < 0",
            ("dim",),
        ),
        Patch(
            "index read with the size of input",
            "i2 = at // n3 % n2",
            "i2 = at // n3 % (n2 + 1)",
            ("index",),
        ),
    ),
    data_movement=True,
    dtypes=FLOATS,
    difficulty=3,
)
