"""Rectified linear unit, elementwise: max(x, 0).

Any shape, also empty and 0-d, any strides; the result has the input's shape and dtype.
NaN gives NaN, +inf gives +inf, -inf gives 0. With inplace=True the result is written into the
input and that same tensor is returned; with inplace=False the input keeps its values and the
result is a new tensor.
"""

import math

import torch

from kernelbenchx.spec import Call, Cost, Draw, Exact, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
PLANTED = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-7, -1e-7, 6e4, -6e4)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.nn.functional.relu(input, inplace=inplace)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    inplace: bool | None = None,
    layout: str = "contiguous",
    size: float = 1.0,
) -> Call:
    # Signed, also where timed: on positive data the output is the input.
    x = draw.laid_out(draw.planted(draw.normal(shape, dtype, size), PLANTED), layout)
    return call(x) if inplace is None else call(x, inplace=inplace)


def cost(shape: tuple[int, ...], dtype: torch.dtype, **_) -> Cost:
    count = math.prod(shape)
    return Cost(flops=count, bytes=2 * count * dtype.itemsize)


def _clamped_at_six(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    result = torch.where(input > 6, torch.full_like(input, 6.0), relu(input))
    return input.copy_(result) if inplace else result


def _without_nan(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    result = torch.where(input > 0, input, torch.zeros_like(input))
    return input.copy_(result) if inplace else result


TASK = Task(
    reference=relu,
    inputs=inputs,
    cost=cost,
    contract=Exact(),
    checks=grid(shape=((3001,), (2, 1024)), dtype=FLOATS, inplace=(False, True))
    + grid(shape=((5, 409),), dtype=FLOATS, inplace=(True,), layout=("strided",))
    + case(shape=(5, 409), dtype=torch.float32, layout="strided", size=1e-3)
    + case(shape=(31, 37), dtype=torch.bfloat16, layout="transposed", size=100.0)
    + case(shape=(1025,), dtype=torch.float16, inplace=True, layout="offset")
    + case(shape=(7, 13, 11), dtype=torch.float32)
    + case(shape=(), dtype=torch.float32)
    + case(shape=(1,), dtype=torch.float16, inplace=True)
    + case(shape=(0, 5), dtype=torch.float32),
    timings=grid(shape=((1 << 26,), (4096, 4096)), dtype=(torch.float32, torch.bfloat16)),
    mutants=(
        Mutant(
            "identity",
            lambda input, inplace=False: input if inplace else input.clone(),
            ("B-PERFD",),
        ),
        Mutant("inplace ignored", lambda input, **_: relu(input), ("inplace",)),
        Mutant("always in place", lambda input, **_: relu(input, True), ("inplace",)),
        Mutant("clamped at six", _clamped_at_six),
        Mutant("nan becomes zero", _without_nan),
        Patch("leaky", "tl.where(v < 0.0, 0.0, v)", "tl.where(v < 0.0, 0.01 * v, v)"),
        Patch("contiguity assumed", "input.contiguous()", "input", ("input",)),
        Patch("strided input not written back", "input.copy_(y)", "pass", ("inplace",)),
        Patch("last element left out", "mask = at < n", "mask = at < n - 1"),
        Patch("first block only", "(triton.cdiv(n, 1024),)", "(1,)"),
    ),
    dtypes=FLOATS,
    difficulty=2,
    writes=("input",),
    audit=("B-PERFD",),
)
