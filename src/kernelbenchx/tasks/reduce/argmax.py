"""Index of the largest element along one dimension, or of the whole tensor.

`dim` is an int (may be negative), or None for the flattened tensor (in row-major order). The result
is int64; the reduced dimension is dropped, or kept with size 1 when keepdim=True (with dim=None
every dimension is). Of equal largest elements the first counts, whatever the dtype; -0.0 equals
0.0. NaN counts as larger than anything, and the first NaN wins. Input: float32, float16, bfloat16,
int32 or int64 (compared exactly), any shape (0-d too) and strides; the reduced dimension is not
empty, others may be.
"""

import math

import torch

from kernelbenchx.spec import Call, Cost, Draw, Exact, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)


def argmax(input: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    return torch.argmax(input, dim, keepdim)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dim: int | None,
    dtype: torch.dtype,
    kind: str = "normal",
    keepdim: bool | None = None,
    layout: str = "contiguous",
) -> Call:
    x = draw.laid_out(_values(draw, shape, dtype, kind), layout)
    return call(x, dim) if keepdim is None else call(x, dim, keepdim=keepdim)


def _values(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype, kind: str) -> torch.Tensor:
    if not dtype.is_floating_point:
        # Neighbours that float32 (and for int64 float64) cannot tell apart, all negative.
        base = -(2**30) if dtype == torch.int32 else -(2**60)
        return draw.integers(shape, base, base + 500, dtype)
    if kind == "ties":  # the largest are zeros of both signs
        return draw.planted(draw.integers(shape, -2, 1).to(dtype), (-0.0,) * 40)
    if kind == "negative":
        return -1 - draw.uniform(shape, dtype)
    x = draw.normal(shape, dtype)
    if kind == "nan":
        x = draw.planted(x, (math.nan, math.nan, math.nan, math.inf, math.inf, -math.inf))
    if kind == "last" and x.numel():
        x.view(-1)[-1] = 100.0
    return torch.full_like(x, -math.inf) if kind == "-inf" else x


def cost(shape: tuple[int, ...], dim: int | None, dtype: torch.dtype, **_) -> Cost:
    count = math.prod(shape)
    rows = 1 if dim is None or not shape else count // max(shape[dim], 1)
    return Cost(flops=count, bytes=count * dtype.itemsize + 8 * rows)


def _last_of_equals(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    if not x.dim() or not x.numel():
        return argmax(x, dim, keepdim)
    dims = list(range(x.dim())) if dim is None else [dim]
    size = x.numel() if dim is None else x.shape[dim]
    return size - 1 - argmax(x.flip(dims), dim, keepdim)


def _half_ties(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    """Wrong in float16 only."""
    right = x.dtype != torch.float16
    return argmax(x, dim, keepdim) if right else _last_of_equals(x, dim, keepdim)


def _without_nan(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    quiet = x.nan_to_num(-math.inf, math.inf, -math.inf) if x.is_floating_point() else x
    return argmax(quiet, dim, keepdim)


TASK = Task(
    reference=argmax,
    inputs=inputs,
    cost=cost,
    contract=Exact(),
    checks=grid(shape=((9001,),), dim=(0,), dtype=FLOATS, kind=("ties",))  # ties across the chunks
    + grid(shape=((3, 1500),), dim=(-1,), dtype=FLOATS, kind=("normal", "nan"))
    + grid(shape=((1100, 4),), dim=(0,), dtype=(torch.float16, torch.int64), keepdim=(True,))
    + case(shape=(9001,), dim=-1, dtype=torch.float32, kind="last")
    + grid(shape=((3, 5, 67),), dim=(1, 2), dtype=(torch.float32,), kind=("negative",))
    + grid(shape=((13, 50),), dim=(None,), dtype=(torch.float32, torch.int32), keepdim=(True,))
    + case(shape=(7, 29, 3), dim=None, dtype=torch.bfloat16, kind="ties")
    + case(shape=(4, 600), dim=1, dtype=torch.int64)
    + case(shape=(5, 77), dim=1, dtype=torch.float16, kind="-inf")
    + case(shape=(9001,), dim=0, dtype=torch.float32, kind="nan", keepdim=False)
    + case(shape=(4, 309), dim=1, dtype=torch.float32, layout="strided")
    + case(shape=(17, 9), dim=-2, dtype=torch.float16, kind="ties", layout="transposed")
    + case(shape=(), dim=0, dtype=torch.float32)
    + case(shape=(0, 5), dim=1, dtype=torch.float32),
    timings=case(shape=(1 << 26,), dim=0, dtype=torch.float16)
    + case(shape=(8192, 8192), dim=1, dtype=torch.float32)
    + case(shape=(8192, 4096), dim=0, dtype=torch.bfloat16),
    mutants=(
        Mutant("last of equal elements", _last_of_equals, ("input",)),
        Mutant("last of equal elements in float16", _half_ties, ("W-PDT",)),
        Mutant("nan ignored", _without_nan, ("input",)),
        Mutant("flattened", lambda x, _, keepdim=False: argmax(x, None, keepdim), ("dim",)),
        Mutant("always the last dimension", lambda x, _, **rest: argmax(x, -1, **rest), ("dim",)),
        Mutant("keepdim ignored", lambda x, dim, **_: argmax(x, dim), ("keepdim",)),
        Patch("integers through float32", "real = x.dtype.is_floating_point", "real = True"),
        Patch("padding counted as zero", "mask & ~(v <= top)", "~(v <= top)"),
        Patch("contiguity assumed", "else input).contiguous()", "else input)", ("input",)),
        Patch("first chunk only", "start = (part % chunks)", "start = (part % 1)"),
        Patch(
            "last element left out", "minimum(n - start, CHUNK)", "minimum(n - 1 - start, CHUNK)"
        ),
    ),
    dtypes=FLOATS,
    difficulty=3,
    audit=("W-PDT",),
)
