"""Gaussian error linear unit, elementwise.

With approximate='none': 0.5 * x * (1 + erf(x / sqrt(2))).
With approximate='tanh': 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))).
NaN gives NaN, -inf gives NaN (inf * 0), +inf gives +inf.
"""

import math
from functools import partial

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, elementwise


def gelu(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.nn.functional.gelu(input, approximate=approximate)


def _size(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    """The formula on absolute values: 1 + erf cancels in the negative tail."""
    del approximate
    return input.abs()


def _narrow(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    if approximate == "tanh":
        gate = torch.tanh(0.7978845608028654 * (input + 0.044715 * input * input * input))
    else:
        gate = torch.erf(input * 0.7071067811865476)
    return 0.5 * input * (1 + gate)


def _clipped_tail(input: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    return torch.where(input < -3, 0.0, gelu(input, approximate))


MUTANTS = (
    Mutant("approximate ignored", lambda input, **_: gelu(input), ("approximate",)),
    Mutant("tanh for both forms", lambda input, **_: gelu(input, "tanh"), ("approximate",)),
    Mutant("sigmoid form", lambda input, **_: input * torch.sigmoid(1.702 * input)),
    Mutant("intermediates rounded to the input's dtype", _narrow),
    Mutant("negative tail cut to zero", _clipped_tail),
    Mutant("NaN cleaned away", lambda input, **words: gelu(input, **words).nan_to_num(0.0)),
)

family = partial(
    elementwise,
    # The tail around -4 is where the two forms differ by more than any rounding.
    planted=(-2.7, -3.5, -4.0, -4.5, 0.0, 1e-3, 30.0, -30.0, math.inf, -math.inf, math.nan),
    arguments=(argument("approximate", not_given=None, none="none", tanh="tanh"),),
    contract=Close(scale=_size),
    flops=9,
)
"""Also of its variants at one dtype."""

TASK = family(
    gelu,
    ranges={"small": 1e-3, "large": 20.0},
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.bfloat16, approximate="tanh")
    + case(shape=((1 << 24) + 1,), dtype=torch.float16),
    mutants=MUTANTS,
    difficulty=4,
)
