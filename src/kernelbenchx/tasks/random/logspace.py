"""Numbers that lie evenly on a logarithmic scale; nothing is random.

    out[i] = base ** (start + i * (end - start) / (steps - 1))  for i = 0, ..., steps - 1
A 1-D tensor of `steps` elements: the first is base ** start and the last base ** end. steps = 1
gives base ** start, steps = 0 an empty tensor. end may be smaller than start, or equal to it.
start and end are Python numbers (int or float), or 0-d float32 tensors on the device of the result,
each for itself. base is a positive number. dtype is float32 (None), float64, float16 or bfloat16;
16-bit results are computed in float32 and rounded once, float64 results in float64: numbers are not
rounded to float32 there. What is beyond the largest number of the dtype is inf, below the smallest
0 or subnormal. The result lies on `device`, which every call gives.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Promise, Task, argument, call, case
from kernelbenchx.spec.axis import Axis, Option
from kernelbenchx.spec.families.axes import (
    DEGENERATE,
    LONG,
    SCALE,
    VALUES,
    dtypes,
    fresh_number,
    one_of,
)
from kernelbenchx.spec.families.wrong import ignored, refuses
from kernelbenchx.spec.space import Space


def logspace(
    start: float | torch.Tensor,
    end: float | torch.Tensor,
    steps: int,
    base: float = 10.0,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> torch.Tensor:
    wide: torch.Tensor = exact(start, end, steps, base, device=device)
    return wide.to(dtype or torch.float32)


def exact(start, end, steps, base=10.0, dtype=None, device=None):
    """In float64, each half from its own end."""
    low, high = (_wide(one, device) for one in (start, end))
    share = torch.arange(steps, device=device).double() / max(steps - 1, 1)
    near = low + share * (high - low)
    power = torch.where(share < 0.5, near, high - (1 - share) * (high - low))
    return torch.exp(power * math.log(base))


def _wide(one: float | torch.Tensor, device: torch.device | None) -> torch.Tensor:
    return torch.as_tensor(one, dtype=torch.float64, device=device)


def eager(start, end, steps, base=10.0, dtype=None, device=None):
    return torch.logspace(start, end, steps, base, dtype=dtype, device=device)


def rounding(start, end, steps, base=10.0, dtype=None, device=None):
    """The exponent is wrong by roundings of its ends, and the power by ln(base) times as much."""
    ends = _wide(start, device).abs() + _wide(end, device).abs()
    return exact(start, end, steps, base, device=device) * (abs(math.log(base)) * ends)


def inputs(
    draw: Draw,
    steps: int,
    dtype: torch.dtype,
    ends: tuple[float, float],
    given: str = "numbers",
    **words: Any,
) -> Call:
    """Ends in tensors are moved a little by every draw; numbers are what they are."""
    moved = draw.uniform((2,), torch.float32, -0.25, 0.25) + torch.tensor(ends, device=draw.device)
    start = moved[0] if given in ("tensors", "start") else ends[0]
    end = moved[1] if given in ("tensors", "end") else ends[1]
    # Not a stand-in: budgets lie where the tensors of a timed call do.
    options = words if dtype == torch.float32 else words | {"dtype": dtype}
    return call(start, end, steps, **options, device=draw.device)


def cost(steps: int, dtype: torch.dtype, **_: Any) -> Cost:
    return Cost(flops=4 * steps, bytes=steps * dtype.itemsize)


def _swapped(start, end, steps, **words):
    return logspace(end, start, steps, **words)


def _without_end(start, end, steps, **words):
    return logspace(start, end, steps + 1, **words)[:-1]


def _single(start, end, steps, base=10.0, dtype=None, **_):
    return torch.logspace(float(start), float(end), steps, base).to(dtype or torch.float32)


def _rounded_exponent(start, end, steps, base=10.0, dtype=None, **_):
    kind = dtype or torch.float32
    return torch.pow(base, torch.linspace(float(start), float(end), steps, dtype=kind)).to(kind)


def _one_block(start, end, steps, **words):
    found = logspace(start, end, steps, **words)
    found[1024:] = 0.0
    return found


_DTYPES = (torch.float32, torch.float16, torch.bfloat16, torch.float64)
_STEPS = (
    Option("some", fresh_number(1100, 3000)),
    Option("few", fresh_number(3, 40)),
    Option("whole blocks", one_of(1024, 2048, 4096)),
    Option("two", 2),
    Option("one", 1, DEGENERATE),
    Option("none", 0, DEGENERATE),
    Option("many", fresh_number(66_000, 74_000), SCALE, after=fresh_number(*LONG)),
)
_ENDS = argument(
    "ends", rising=(0.1, 3.3), falling=(2.7, -1.3), below_zero=(-7.1, -2.2), equal=(1.3, 1.3),
    ints=(-2, 4), near=(0.4999, 0.5001),
)  # fmt: skip
TASK = Task(
    reference=logspace,
    truth=exact,
    eager=eager,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=rounding),
    space=Space(
        (
            Axis("steps", _STEPS),
            Axis("ends", (*_ENDS.options, Option("beyond float32", (-60.5, 61.5), VALUES))),
            argument("given", numbers=None, tensors="tensors", start="start", end="end"),
            argument("base", not_given=None, two=2.0, e=math.e, half=0.5, one=1.0, large=1234.5),
            dtypes(_DTYPES[:1], _DTYPES[1:]),
        ),
        corners=(
            {},
            {"steps": "many", "given": "tensors"},
            {"dtype": "float64", "base": "e"},
            {"dtype": "float64", "given": "tensors", "ends": "falling"},
            {"dtype": "bfloat16", "ends": "falling", "base": "two"},
            {"ends": "beyond float32", "dtype": "float16"},
            {"ends": "beyond float32", "given": "end"},
            {"steps": "one", "ends": "falling"},
            {"steps": "none"},
        ),
    ),
    promises=(
        Promise(
            "steps may be 0 or 1, and has no upper limit.",
            "steps",
            ("one", "none", "many"),
            refuses(logspace, "0 and 1 refused", lambda _start, _end, steps: steps < 2),
        ),
    ),
    # The ends are tensors, so that no two calls have the same answer.
    timings=case(steps=2**20, dtype=torch.float32, ends=(0.0, 10.0), given="tensors")
    + case(steps=2**26, dtype=torch.float32, ends=(-3.0, 8.0), given="tensors", base=2.0)
    + case(steps=2**25 + 1, dtype=torch.float64, ends=(0.0, 10.0), given="tensors"),
    mutants=(
        Mutant("start and end swapped", _swapped, ("start", "end")),
        Mutant("the last is left out", _without_end, ("end", "steps")),
        Mutant("computed in float32", _single, ("dtype",)),
        Mutant("exponents rounded to the dtype", _rounded_exponent, ("dtype",)),
        Mutant("only the first 1024 elements", _one_block, ("steps", "W-BLOCK")),
        *(ignored(logspace, one) for one in ("base", "dtype")),
    ),
    dtypes=_DTYPES,
    inert=("layout", "device", "requires_grad"),
    difficulty=1,
    audit=("W-BLOCK",),
)
