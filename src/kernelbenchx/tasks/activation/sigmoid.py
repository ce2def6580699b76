"""Logistic function, elementwise: 1 / (1 + exp(-x)).

Nothing overflows on the way: a large x gives 1. Small results are as accurate as large ones, so
-30 gives 9.3576e-14, not 0. NaN gives NaN, +inf gives 1, -inf gives 0.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from kernelbenchx.spec import Close, Mutant, elementwise


def sigmoid(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.sigmoid(input, out=out)


def local(input: torch.Tensor, out: torch.Tensor | None = None) -> Any:
    """A rounded x times log2(e) moves exp(-x) by its own size, and the result by this much."""
    value = torch.sigmoid(input.double())
    scale = value * (1 + input.double().abs() * (1 - value))
    return scale if out is None else (scale, scale)


def make_wrong_answer(
    answer: Callable[[torch.Tensor], torch.Tensor],
) -> Callable[..., torch.Tensor]:
    """A wrong answer from the input, in float32 if that is an integer; `out` is served."""

    def answer_in_float32(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
        x = input if input.is_floating_point() else input.float()
        result = answer(x).to(x.dtype)
        return result if out is None else out.copy_(result)

    return answer_in_float32


def _quotient_of_exponentials(x: torch.Tensor) -> torch.Tensor:
    above = torch.exp(x.float())
    return above / (1 + above)


MUTANTS = (
    Mutant("exp(x) / (1 + exp(x))", make_wrong_answer(_quotient_of_exponentials)),
    Mutant(
        "every step rounded to the input's dtype",
        make_wrong_answer(lambda x: 1 / (1 + torch.exp(-x))),
    ),
    Mutant("hard sigmoid", make_wrong_answer(torch.nn.functional.hardsigmoid)),
    Mutant("cut off beyond 12", make_wrong_answer(lambda x: torch.sigmoid(x.clamp(-12.0, 12.0)))),
    Mutant("NaN cleaned away", make_wrong_answer(lambda x: torch.sigmoid(x).nan_to_num(0.5))),
)

CANCELS = Mutant("1 - sigmoid(-x)", make_wrong_answer(lambda x: 1 - torch.sigmoid(-x.float())))
"""Not so in float16, whose smallest numbers are as coarse as what is lost."""

family = partial(
    elementwise,
    planted=(0.0, -0.0, -30.0, -12.5, 17.0, -80.0, 90.0, -90.0, math.inf, -math.inf, math.nan),
    contract=Close(scale=local),
    flops=4,
    difficulty=2,
)
"""Also of its variants at one dtype."""

TASK = family(
    sigmoid, ranges={"small": 1e-3, "large": 20.0}, integers=(-80, 40), mutants=(*MUTANTS, CANCELS)
)
