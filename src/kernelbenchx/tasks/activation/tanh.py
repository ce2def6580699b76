"""Hyperbolic tangent, elementwise: (exp(x) - exp(-x)) / (exp(x) + exp(-x)).

It is accurate also where |x| is tiny: 1e-10 gives 1e-10, which a difference from 1 does not give.
Nothing overflows on the way: a large |x| gives 1 with the sign of x. NaN gives NaN, +inf gives 1,
-inf gives -1.
The published reference calls its arguments input_tensor and out_tensor; here the second is `out`.
"""

import math
from functools import partial

import torch

from kernelbenchx.spec import Mutant, elementwise
from kernelbenchx.tasks.activation.sigmoid import make_wrong_answer


def tanh(input: torch.Tensor, /, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.tanh(input, out=out)


def _from_one(x: torch.Tensor) -> torch.Tensor:
    wide = x.float()
    return 1 - 2 / (1 + torch.exp(2 * wide))


def _quotient_of_exponentials(x: torch.Tensor) -> torch.Tensor:
    up, down = torch.exp(x.float()), torch.exp(-x.float())
    return torch.where(x.abs() < 0.1, torch.tanh(x.float()), (up - down) / (up + down))


def _rational(x: torch.Tensor) -> torch.Tensor:
    """A quotient of polynomials, off by up to 2.4 %."""
    square = x.double().square()
    return (x.double() * (27 + square) / (27 + 9 * square)).clamp(-1.0, 1.0)


MUTANTS = (
    Mutant("quotient of exponentials", make_wrong_answer(_quotient_of_exponentials)),
    Mutant("rational approximation", make_wrong_answer(_rational)),
    Mutant("hard tanh", make_wrong_answer(torch.nn.functional.hardtanh)),
    Mutant("the logistic function", make_wrong_answer(torch.sigmoid)),
    Mutant("NaN cleaned away", make_wrong_answer(lambda x: torch.tanh(x).nan_to_num(0.0))),
)

CANCELS = Mutant("difference from 1", make_wrong_answer(_from_one))
"""Not so in float16, whose smallest numbers are as coarse as what is lost."""

family = partial(
    elementwise,
    planted=(-0.0, 1e-10, -1e-7, 1e-5, 9.5, -9.5, 45.0, 90.0, -90.0, math.inf, -math.inf, math.nan),
    roundings=2,
    flops=6,
    difficulty=1,
)
"""Also of its variants at one dtype."""

TASK = family(
    tanh,
    ranges={"tiny": 1e-6, "small": 0.02, "large": 20.0},
    integers=(-9, 10),
    mutants=(*MUTANTS, CANCELS),
)
