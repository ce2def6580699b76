"""Gaussian error linear unit, elementwise.

With approximate='none': 0.5 * x * (1 + erf(x / sqrt(2))).
With approximate='tanh': 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))).
Any shape, also empty and 0-d, any strides; the result has the input's shape and dtype.
16-bit inputs are computed in float32 and rounded once.
NaN gives NaN, -inf gives NaN (inf * 0), +inf gives +inf.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
# The tail around -4 is where the two forms differ by more than any rounding.
PLANTED = (-2.7, -3.5, -4.0, -4.5, 0.0, 1e-3, 30.0, -30.0, math.inf, -math.inf, math.nan)


def gelu(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.nn.functional.gelu(input, approximate=approximate)


def inputs(
    draw: Draw,
    shape: tuple[int, ...],
    dtype: torch.dtype,
    approximate: str | None = None,
    layout: str = "contiguous",
    size: float = 1.0,
) -> Call:
    x = draw.planted(draw.normal(shape, dtype, size), PLANTED)
    x = draw.laid_out(x, layout)
    return call(x) if approximate is None else call(x, approximate=approximate)


def cost(shape: tuple[int, ...], dtype: torch.dtype, approximate: str | None = None, **_) -> Cost:
    count = math.prod(shape)
    return Cost(flops=(9 if approximate == "tanh" else 5) * count, bytes=2 * count * dtype.itemsize)


def local(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    """The formula on absolute values: 1 + erf cancels in the negative tail."""
    return input.abs()


def _narrow(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    """Every intermediate value in the input's own dtype."""
    inner = input * 0.7071067811865476
    if approximate == "tanh":
        gate = torch.tanh(0.7978845608028654 * (input + 0.044715 * input * input * input))
    else:
        gate = torch.erf(inner)
    return 0.5 * input * (1 + gate)


def _clipped_tail(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    exact = gelu(input, approximate)
    return torch.where(input < -3, torch.zeros_like(exact), exact)


TASK = Task(
    reference=gelu,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=local),
    checks=grid(
        shape=((3001,),), dtype=FLOATS, approximate=("none", "tanh")
    )  # two blocks and a tail
    + grid(shape=((7, 13, 11), (2, 1024)), dtype=FLOATS)
    + grid(shape=((5, 409),), dtype=FLOATS, approximate=("tanh",), layout=("strided",), size=(3.0,))
    + case(shape=(31, 37), dtype=torch.float32, layout="transposed", size=1e-3)
    + case(shape=(1025,), dtype=torch.float32, layout="offset", size=20.0)
    + case(shape=(), dtype=torch.float32)
    + case(shape=(1,), dtype=torch.float16, approximate="tanh")
    + case(shape=(3, 0), dtype=torch.float32),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.bfloat16, approximate="tanh")
    + case(shape=(8192, 8192), dtype=torch.float16),
    mutants=(
        Mutant("approximate ignored", lambda input, **_: gelu(input), ("approximate",)),
        Mutant(
            "tanh for both forms",
            lambda input, **_: gelu(input, "tanh"),
            ("approximate",),
        ),
        Mutant("sigmoid form", lambda input, **_: input * torch.sigmoid(1.702 * input)),
        Mutant("intermediates rounded to the input's dtype", _narrow),
        Mutant("negative tail cut to zero", _clipped_tail),
        Mutant(
            "nan cleaned away",
            lambda input, approximate="none": gelu(input, approximate).nan_to_num(0.0),
        ),
        Patch("contiguity assumed", "input.contiguous()", "input", ("input",)),
        Patch("last element left out", "mask = at < n", "mask = at < n - 1"),
        Patch("only full blocks", "triton.cdiv(n, 1024)", "max(n // 1024, 1)"),
        Patch("first block only", "(triton.cdiv(n, 1024),)", "(1,)"),
    ),
    dtypes=FLOATS,
    difficulty=4,
)
