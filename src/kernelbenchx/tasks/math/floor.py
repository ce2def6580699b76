"""Floor, elementwise: the largest whole number that is not above x, toward -inf.

-0.5 gives -1, 2.0 stays 2.0. -0.0 stays -0.0; NaN and infinities stay what they are. Floats that
are too large to have a fraction stay as they are, as do integers.
"""

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.spec.families.corners import ENDS
from kernelbenchx.spec.families.exact_elementwise import exact_elementwise
from kernelbenchx.spec.families.mistakes import store_result

EDGES = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.5, -2.5, -7.0, 7.0, -1e-7, 1e-7, 0.99951, -0.99951)
"""Whole numbers, halves and what lies beside them."""
BEYOND = (8388609.0, -8388607.5, 3e9, -3e9, 1e10, *ENDS)
"""At the end of float32's fractions, and what no int32 holds."""


def floor(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.floor(input, out=out)


def _through_int32(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    if not input.is_floating_point():
        return store_result(input.clone(), out)
    whole = input.float().nan_to_num().clamp(-(2.0**31), 2.0**31 - 129).int()
    return store_result((whole - (whole > input).int()).to(input.dtype), out)


def _below_by_one(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """Whole negative numbers go down, too."""
    whole = torch.trunc(input)
    return store_result(torch.where(input < 0, whole - 1, whole) if input.dim() else whole, out)


def _without_sign(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return store_result(torch.floor(input) + 0, out)


def _constant(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """What values from [0, 1) give."""
    return store_result(torch.zeros_like(input), out)


TASK = exact_elementwise(
    floor,
    draw=100.0,
    ranges={"small": 0.9, "large": 1e4},
    planted=EDGES + BEYOND,
    mutants=(
        Mutant("zero everywhere", _constant, ("B-PERFD",)),
        Mutant("toward zero", lambda input, out=None: store_result(torch.trunc(input), out)),
        Mutant("to the nearest", lambda input, out=None: store_result(torch.round(input), out)),
        Mutant("through int32", _through_int32),
        Mutant("whole negative numbers less one", _below_by_one),
        Mutant("sign of zero lost", _without_sign),
    ),
    difficulty=2,
    audit=("B-PERFD",),
)
