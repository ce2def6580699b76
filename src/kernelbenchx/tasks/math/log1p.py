"""Natural logarithm of 1 + x, elementwise, accurate also where |x| is tiny.

log(1 + x) computed from the rounded sum is not accurate there: 1e-10 gives 1e-10, not 0.
-1 gives -inf, anything below gives NaN, NaN gives NaN, +inf gives +inf.
Any shape, also empty and 0-d, any strides. The result has the input's shape and dtype; integer
inputs give float32. 16-bit inputs are computed in float32 and rounded once. With `out`, a tensor of
the result's shape and dtype and any strides, the result is written into it and that same tensor is
returned.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
PLANTED = (-1.0, -2.0, 0.0, -0.0, 1e-10, -1e-7, 1e-5, -0.996, 6e4, math.inf, -math.inf, math.nan)


def log1p(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.log1p(input, out=out)


def exact(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """In float64 for integers too."""
    result = torch.log1p(input.double())
    if out is not None:
        out.copy_(result)
    return result


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    low: float = -0.99,
    high: float = 10.0,
    layout: str = "contiguous",
    out: str | None = None,
) -> Call:
    if not dtype.is_floating_point:
        return call(draw.laid_out(draw.integers(shape, -1, 1000, dtype), layout))
    x = draw.laid_out(draw.planted(draw.uniform(shape, dtype, low, high), PLANTED), layout)
    if out is None:
        return call(x)
    return call(x, out=draw.laid_out(draw.normal(shape, dtype), out))


def cost(shape: tuple[int, ...], dtype: torch.dtype, **_) -> Cost:
    count = math.prod(shape)
    return Cost(flops=2 * count, bytes=2 * count * dtype.itemsize)


def local(
    input: torch.Tensor, out: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """A few roundings of the value itself: correcting log(1 + x) takes some steps."""
    value = torch.log1p(input.double()).abs()
    return value, value


def _from_the_sum(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    wide = input.float()
    result = torch.log(1 + wide).to(input.dtype if input.is_floating_point() else wide.dtype)
    return result if out is None else out.copy_(result)


def _in_own_dtype(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """Three terms of the series where |x| is small, in the input's own dtype."""
    series = input * (1 - input * (0.5 - input * 0.3333))
    result = torch.where(input.abs() < 0.1, series, log1p(input))
    return result if out is None else out.copy_(result)


def _fresh(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    result = log1p(input)
    if out is not None:
        out.copy_(result)
    return result


TASK = Task(
    reference=log1p,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(shape=((3001,),), dtype=FLOATS, low=(-0.99, -1e-6), high=(1e-6,))
    + grid(shape=((2, 1024),), dtype=FLOATS, low=(0.0,), high=(10.0, 6e4), out=("contiguous",))
    + grid(shape=((5, 409),), dtype=FLOATS, layout=("strided",))
    + case(shape=(31, 37), dtype=torch.float32, layout="transposed", out="transposed")
    + case(shape=(5, 409), dtype=torch.float32, low=-1e-3, high=1e-3, out="strided")
    + case(shape=(1025,), dtype=torch.float32, layout="offset")
    + case(shape=(7, 13, 11), dtype=torch.int32)
    + case(shape=(1001,), dtype=torch.int64)
    + case(shape=(), dtype=torch.float32)
    + case(shape=(1,), dtype=torch.float16, out="contiguous")
    + case(shape=(0, 5), dtype=torch.float32),
    timings=grid(shape=((1 << 26,), (4096, 4096)), dtype=(torch.float32, torch.bfloat16)),
    mutants=(
        Mutant("logarithm of the rounded sum", _from_the_sum, ("input",)),
        Mutant("short series", _in_own_dtype),
        Mutant("out ignored", lambda input, **_: log1p(input), ("out",)),
        Mutant("a fresh tensor beside out", _fresh, ("out",)),
        Patch("log in the kernel", "libdevice.log1p(v)", "tl.log(1.0 + v)"),
        Patch("clamped below", "libdevice.log1p(v)", "libdevice.log1p(tl.maximum(v, -0.999))"),
        Patch("contiguity assumed", "input.contiguous()", "input", ("input",)),
        Patch(
            "strides of out ignored",
            "y is None or not y.is_contiguous()",
            "y is None",
            ("out",),
        ),
        Patch("last element left out", "mask = at < n", "mask = at < n - 1"),
        Patch("first block only", "(triton.cdiv(n, 1024),)", "(1,)"),
    ),
    dtypes=FLOATS,
    difficulty=2,
    truth=exact,
    writes=("out",),
)
