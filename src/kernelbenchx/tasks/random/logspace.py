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

import torch

from kernelbenchx.spec import Close, Mutant, argument, case
from kernelbenchx.spec.axis import Axis, Option
from kernelbenchx.spec.families.axes import VALUES, trivial
from kernelbenchx.spec.families.mistakes import first_elements_only, ignore_argument
from kernelbenchx.spec.families.spaced_numbers import spaced_numbers


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


def _single(start, end, steps, base=10.0, dtype=None, **_):
    return torch.logspace(float(start), float(end), steps, base).to(dtype or torch.float32)


def _rounded_exponent(start, end, steps, base=10.0, dtype=None, **_):
    kind = dtype or torch.float32
    return torch.pow(base, torch.linspace(float(start), float(end), steps, dtype=kind)).to(kind)


_ENDS = argument(
    "ends", rising=(0.1, 3.3), falling=(2.7, -1.3), below_zero=(-7.1, -2.2), equal=(1.3, 1.3),
    ints=(-2, 4), near=(0.4999, 0.5001),
)  # fmt: skip
_BASES = argument("base", not_given=None, two=2.0, e=math.e, half=0.5, one=1.0, large=1234.5)
TASK = spaced_numbers(
    logspace,
    ends=Axis(
        "ends", (*trivial(_ENDS, "equal").options, Option("beyond float32", (-60.5, 61.5), VALUES))
    ),
    arguments=(trivial(_BASES, "one"),),
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
    flops=4,
    truth=exact,
    eager=eager,
    contract=Close(scale=rounding),
    # The ends are tensors, so that no two calls have the same answer.
    timings=case(steps=2**20, dtype=torch.float32, ends=(0.0, 10.0), given="tensors")
    + case(steps=2**26, dtype=torch.float32, ends=(-3.0, 8.0), given="tensors", base=2.0)
    + case(steps=2**25 + 1, dtype=torch.float64, ends=(0.0, 10.0), given="tensors"),
    mutants=(
        Mutant("computed in float32", _single, ("dtype",)),
        Mutant("exponents rounded to the dtype", _rounded_exponent, ("dtype",)),
        first_elements_only(logspace, 1024, "steps", "W-BLOCK"),
        *(ignore_argument(logspace, one) for one in ("base", "dtype")),
    ),
    difficulty=1,
    audit=("W-BLOCK",),
)
