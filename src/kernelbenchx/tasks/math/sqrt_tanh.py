"""Hyperbolic tangent of the square root, elementwise: tanh(sqrt(x)).

Anything below zero gives NaN, both zeros give 0, +inf gives 1, NaN gives NaN. Small x are as
accurate as all others, relative to the result: 1e-8 gives 1e-4. 16-bit inputs are computed in
float32, with a root that is not rounded to 16 bits, and the result is rounded once.
"""

import torch

from kernelbenchx.spec import Mutant, elementwise, grid
from kernelbenchx.spec.families.corners import ENDS
from kernelbenchx.spec.families.round_once import round_to_input, widen_input


def sqrt_tanh(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.tanh(torch.sqrt(widen_input(input))), input, out)


def eager(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.tanh(torch.sqrt(input), out=out)


def _by_exponentials(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    """Two numbers near 1 are subtracted where x is small."""
    power = torch.exp(-2 * torch.sqrt(widen_input(input)))
    return round_to_input((1 - power) / (1 + power), input, out)


def _overflowing(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    root = torch.sqrt(widen_input(input))
    quotient = torch.expm1(2 * root.float()) / (torch.exp(2 * root.float()) + 1)
    return round_to_input(quotient, input, out)


def _other_order(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.sqrt(torch.tanh(widen_input(input))), input, out)


def _zero_below(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.tanh(torch.sqrt(widen_input(input).clamp(min=0))), input, out)


def _size_below(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.tanh(torch.sqrt(widen_input(input).abs())), input, out)


TASK = elementwise(
    sqrt_tanh,
    draw=(0.0, 9.0),
    ranges={"tiny": (0.0, 1e-6), "small": (0.0, 1e-3), "large": (10.0, 4000.0), "both signs": 1.0},
    planted=(0.0, -0.0, 1.0, 1e-7, -1e-7, 1e-4, 80.0, 2100.0, -4.0, *ENDS),
    integers=(-3, 60),
    roundings=3,
    eager=eager,
    timings=grid(shape=((1 << 26,), (4096, 4096), ((1 << 22) + 1,)), dtype=(torch.float32,)),
    flops=12,
    mutants=(
        Mutant("difference of exponentials", _by_exponentials),
        Mutant("exponentials that overflow", _overflowing),
        Mutant("root of the tangent", _other_order, ("input",)),
        Mutant("0 for what is below zero", _zero_below),
        Mutant("root of |x|", _size_below),
    ),
    difficulty=3,
)
