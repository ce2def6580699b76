"""Truncation, elementwise: the whole part of x, toward zero.

2.7 gives 2, -2.7 gives -2. The sign of x is kept, so -0.1 and -0.0 give -0.0. NaN and infinities
stay what they are. Floats that are too large to have a fraction stay as they are, as do integers.
"""

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.spec.families.exact_elementwise import exact_elementwise
from kernelbenchx.spec.families.mistakes import store_result
from kernelbenchx.tasks.math.floor import BEYOND, EDGES


def trunc(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.trunc(input, out=out)


def _through_int64(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """Infinities, NaN and the sign of zero are lost, and so is what lies beyond."""
    whole = input.float().nan_to_num().clamp(-1e18, 1e18).long()
    return store_result((whole if input.is_floating_point() else input).to(input.dtype), out)


def _plus_zero(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """A sum or a difference that is 0 is +0."""
    return store_result(input - torch.fmod(input, 1), out)


def _half_away(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    if not input.is_floating_point():
        return store_result(input.clone(), out)
    return store_result(torch.copysign((input.abs() + 0.5).floor(), input), out)


TASK = exact_elementwise(
    trunc,
    draw=100.0,
    ranges={"small": 0.9, "large": 1e4},
    planted=EDGES + BEYOND,
    mutants=(
        Mutant(
            "zero everywhere",
            lambda input, out=None: store_result(torch.zeros_like(input), out),
            ("B-PERFD",),
        ),
        Mutant("toward -inf", lambda input, out=None: store_result(torch.floor(input), out)),
        Mutant("to the nearest", _half_away),
        Mutant("through int64", _through_int64),
        Mutant("x less its fraction", _plus_zero),
    ),
    difficulty=1,
    audit=("B-PERFD",),
)
