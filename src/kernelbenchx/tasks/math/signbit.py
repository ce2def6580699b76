"""Sign bit, elementwise: True where the sign bit of x is set, else False.

-0.0 gives True, +0.0 gives False. NaN gives what its own sign bit says: there are NaN of both
signs. An integer gives True exactly where it is negative. `out` is a bool tensor, too.
"""

import math

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.spec.families.exact_elementwise import exact_elementwise
from kernelbenchx.spec.families.mistakes import store_result


def signbit(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.signbit(input, out=out)


def _no_nan(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return store_result(torch.signbit(input) & ~torch.isnan(input), out)


def _not_above(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return store_result(~(input > 0), out)


def _by_division(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """The sign of 1 / x tells zeros apart, and no infinity or NaN."""
    return store_result(torch.where(input == 0, torch.signbit(1 / input), input < 0), out)


def _as_bytes(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.signbit(input).byte() if out is None else signbit(input, out)


TASK = exact_elementwise(
    signbit,
    result=torch.bool,
    ranges={"small": 1e-3, "large": 1e4},
    planted=(0.0, -0.0, 0.0, -0.0, 1e-7, -1e-7, math.inf, -math.inf, math.nan, math.nan),
    mutants=(
        Mutant("x < 0", lambda input, out=None: store_result(input < 0, out), ("input",)),
        Mutant("not x > 0", _not_above),
        Mutant("zeros by their reciprocal", _by_division),
        Mutant("no NaN has a sign", _no_nan),
        Mutant("bytes for bool", _as_bytes),
    ),
    difficulty=2,
)
