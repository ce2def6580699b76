"""Reciprocal, elementwise: 1 / x.

+0.0 gives +inf, -0.0 gives -inf, an infinity gives 0, NaN gives NaN.
Any shape, also empty and 0-d, any strides. The result has the input's shape and dtype; integer
inputs give float32 (0 gives +inf). 16-bit inputs are computed in float32 and rounded once. With
`out`, a tensor of the result's shape and dtype and any strides, the result is written into it and
that same tensor is returned.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
PLANTED = (0.0, -0.0, 1.0, -3.0, 1e-4, -1e-4, 6e4, -6e4, math.inf, -math.inf, math.nan)


def reciprocal(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.reciprocal(input, out=out)


def exact(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """In float64 for integers too."""
    result = torch.reciprocal(input.double())
    if out is not None:
        out.copy_(result)
    return result


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    layout: str = "contiguous",
    size: float = 1.0,
    out: str | None = None,
) -> Call:
    if not dtype.is_floating_point:
        return call(draw.laid_out(draw.integers(shape, -50, 50, dtype), layout))
    x = draw.laid_out(draw.planted(draw.normal(shape, dtype, size), PLANTED), layout)
    if out is None:
        return call(x)
    return call(x, out=draw.laid_out(draw.normal(shape, dtype), out))


def cost(shape: tuple[int, ...], dtype: torch.dtype, **_) -> Cost:
    count = math.prod(shape)
    return Cost(flops=count, bytes=2 * count * dtype.itemsize)


def _zero_for_zero(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    result = torch.where(input == 0, 0.0, reciprocal(input))
    return result if out is None else out.copy_(result)


def _integer_division(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    if input.is_floating_point():
        return reciprocal(input, out)
    return torch.where(input == 0, math.inf, reciprocal(input).trunc())


def _fresh(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    result = reciprocal(input)
    if out is not None:
        out.copy_(result)
    return result


TASK = Task(
    reference=reciprocal,
    inputs=inputs,
    cost=cost,
    contract=Close(),
    checks=grid(shape=((3001,),), dtype=FLOATS, size=(1.0, 1e-2))
    + grid(shape=((2, 1024),), dtype=FLOATS, size=(300.0,), out=("contiguous",))
    + grid(shape=((5, 409),), dtype=FLOATS, layout=("strided",))
    + case(shape=(31, 37), dtype=torch.float32, layout="transposed", out="transposed")
    + case(shape=(5, 409), dtype=torch.bfloat16, out="strided")
    + grid(shape=((1025,),), dtype=(torch.float32,), layout=("offset",), size=(1e10, 1e-10))
    + case(shape=(7, 13, 11), dtype=torch.int32)
    + case(shape=(1001,), dtype=torch.int64)
    + case(shape=(), dtype=torch.float32)
    + case(shape=(1,), dtype=torch.float16, out="contiguous")
    + case(shape=(0, 5), dtype=torch.float32),
    timings=grid(shape=((1 << 26,), (4096, 4096)), dtype=(torch.float32, torch.bfloat16)),
    mutants=(
        Mutant("zero for zero", _zero_for_zero),
        Mutant("integers divided as integers", _integer_division, ("input",)),
        Mutant("out ignored", lambda input, **_: reciprocal(input), ("out",)),
        Mutant("a fresh tensor beside out", _fresh, ("out",)),
        Patch("divisor kept away from zero", "(1.0 / v)", "(1.0 / (v + 1e-8))"),
        Patch("sign lost", "(1.0 / v)", "(1.0 / tl.abs(v))"),
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
