"""Error function, elementwise: 2 / sqrt(pi) * integral of exp(-t**2) for t from 0 to x.

It is odd. Small x are as accurate as all others, relative to the result: 1e-6 gives 1.1283792e-6.
-inf gives -1, +inf gives 1, NaN gives NaN.
"""

import math

import torch

from kernelbenchx.spec import Mutant, elementwise
from kernelbenchx.spec.families.corners import ENDS
from kernelbenchx.spec.families.round_once import round_to_input, widen_input


def erf(input: torch.Tensor, /) -> torch.Tensor:
    # In float32 the host's is a formula with five terms, off by 1.5e-7.
    result = torch.erf(input.double())
    return result if input.dtype == torch.float64 else round_to_input(result.float(), input)


def eager(input: torch.Tensor) -> torch.Tensor:
    return torch.erf(input)


def _by_tanh(input: torch.Tensor) -> torch.Tensor:
    x = widen_input(input)
    return round_to_input(torch.tanh(1.1283791671 * (x + 0.08943 * x**3)), input)


def _by_complement(input: torch.Tensor) -> torch.Tensor:
    """1 - erfc(x) has lost digits where x is small."""
    return round_to_input(1 - torch.erfc(widen_input(input)), input)


def _handbook(input: torch.Tensor) -> torch.Tensor:
    """The formula with five terms and an error of 1.5e-7."""
    x = widen_input(input)
    t = 1 / (1 + 0.3275911 * x.abs())
    terms = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
    tail = sum(a * t ** (i + 1) for i, a in enumerate(terms)) * torch.exp(-x * x)
    return round_to_input(torch.copysign(1 - tail, x), input)


TASK = elementwise(
    erf,
    draw=1.5,
    ranges={"tiny": 1e-6, "small": 1e-2, "large": 5.0},
    planted=(0.0, -0.0, 1e-10, 0.5, -0.5, 1.0, 3.9, -3.9, 10.0, *ENDS),
    integers=(-5, 6),
    eager=eager,
    flops=20,
    mutants=(
        Mutant("by tanh", _by_tanh),
        Mutant("1 - erfc", _by_complement),
        Mutant("formula with five terms", _handbook),
        Mutant("of x / sqrt(2)", lambda input: torch.erf(input * math.sqrt(0.5)), ("input",)),
        Mutant("of |x|", lambda input: torch.erf(input.abs())),
        Mutant("NaN cleaned away", lambda input: erf(input).nan_to_num(0.0)),
    ),
    difficulty=3,
)
