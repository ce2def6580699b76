"""Scaled exponential linear unit, elementwise.

scale * (max(0, x) + min(0, alpha * (exp(x) - 1))) with alpha = 1.6732632423543772 and
scale = 1.0507009873554805, so SELU(1) = 1.0507. exp(x) - 1 must be accurate to a few units in the
last place also where x is near 0, as expm1 is: the difference of two rounded numbers is not.
Any shape, also empty and 0-d, any strides; the result has the input's shape and dtype.
16-bit inputs are computed in float32 and rounded once.
NaN gives NaN, +inf gives +inf, -inf gives -scale * alpha. With inplace=True the result is written
into the input and that same tensor is returned; with inplace=False the input keeps its values and
the result is a new tensor. The published reference takes min(x, .) and ignores inplace; here the
written formula holds.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
PLANTED = (1.0, -1.0, 0.0, -1e-3, -1e-5, -1e-7, 1e-7, -5.0, -100.0, math.inf, -math.inf, math.nan)


def selu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.nn.functional.selu(input, inplace=inplace)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    inplace: bool | None = None,
    layout: str = "contiguous",
    size: float = 1.0,
) -> Call:
    x = draw.laid_out(draw.planted(draw.normal(shape, dtype, size), PLANTED), layout)
    return call(x) if inplace is None else call(x, inplace=inplace)


def cost(shape: tuple[int, ...], dtype: torch.dtype, **_) -> Cost:
    count = math.prod(shape)
    return Cost(flops=4 * count, bytes=2 * count * dtype.itemsize)


def local(input: torch.Tensor, inplace: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    """Four roundings of the value itself: the constants, expm1 and the products."""
    value = selu(input).abs()
    return value, value


def _published(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    """min(x, .) where the formula says min(0, .)."""
    wide = input.double()
    lower = torch.minimum(wide, 1.6732632423543772 * torch.expm1(wide))
    result = (1.0507009873554805 * (wide.clamp(min=0) + lower)).to(input.dtype)
    return input.copy_(result) if inplace else result


def _elu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.nn.functional.elu(input, 1.6732632423543772, inplace=inplace)


TASK = Task(
    reference=selu,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(shape=((3001,),), dtype=FLOATS, inplace=(False, True))
    + grid(shape=((2, 1024),), dtype=FLOATS, size=(1e-4, 20.0))  # 1e-4: where exp(x) - 1 cancels
    + grid(shape=((5, 409),), dtype=FLOATS, inplace=(True,), layout=("strided",))
    + case(shape=(31, 37), dtype=torch.float32, layout="transposed", size=0.1)
    + case(shape=(1025,), dtype=torch.float32, inplace=True, layout="offset")
    + case(shape=(7, 13, 11), dtype=torch.float16)
    + case(shape=(), dtype=torch.float32)
    + case(shape=(1,), dtype=torch.bfloat16, inplace=True)
    + case(shape=(0, 5), dtype=torch.float32),
    timings=grid(shape=((1 << 26,), (4096, 4096)), dtype=(torch.float32, torch.bfloat16)),
    mutants=(
        Mutant("minimum with x", _published, ("I-REF",)),
        Mutant("inplace ignored", lambda input, **_: selu(input), ("inplace",)),
        Mutant("always in place", lambda input, **_: selu(input, True), ("inplace",)),
        Mutant("scale left out", _elu),
        Patch("exp(x) - 1", "libdevice.expm1(v)", "(tl.exp(v) - 1.0)"),
        Patch("alpha left out", "(v) * SCALE_ALPHA", "(v) * SCALE"),
        Patch("contiguity assumed", "input.contiguous()", "input", ("input",)),
        Patch("strided input not written back", "input.copy_(y)", "pass", ("inplace",)),
        Patch("last element left out", "mask = at < n", "mask = at < n - 1"),
        Patch("first block only", "(triton.cdiv(n, 1024),)", "(1,)"),
    ),
    dtypes=FLOATS,
    difficulty=1,
    writes=("input",),
    audit=("I-REF",),
)
