"""Exponential of the square root, elementwise: exp(sqrt(x)).

Anything below zero gives NaN, both zeros give 1, +inf gives +inf, NaN gives NaN. 16-bit inputs are
computed in float32, with a root that is not rounded to 16 bits, and the result is rounded once.
"""

import torch

from kernelbenchx.spec import Close, Mutant, elementwise, grid
from kernelbenchx.spec.families.corners import ENDS
from kernelbenchx.spec.families.round_once import round_to_input, widen_input

Out = torch.Tensor | None


def sqrt_exp(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.exp(torch.sqrt(widen_input(input))), input, out)


def eager(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    return torch.exp(torch.sqrt(input), out=out)


def local(input: torch.Tensor, out: Out = None) -> object:
    """A rounded root moves the exponential by its own size."""
    root = torch.sqrt(input.double())
    size = torch.exp(root) * (1 + root)
    return size, size


def _narrow_root(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    root = round_to_input(torch.sqrt(widen_input(input)), input)
    return round_to_input(torch.exp(widen_input(root)), input, out)


def _root_of_size(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    return round_to_input(torch.exp(torch.sqrt(widen_input(input).abs())), input, out)


def _clamp_negative(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    return round_to_input(torch.exp(torch.sqrt(widen_input(input).clamp(min=0))), input, out)


def _other_order(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    return round_to_input(torch.exp(widen_input(input) / 2), input, out)


TASK = elementwise(
    sqrt_exp,
    draw=(0.0, 30.0),
    ranges={"small": (0.0, 1e-3), "large": (100.0, 7800.0), "both signs": 1.0},
    planted=(0.0, -0.0, 1.0, 4.0, 110.0, 130.0, 7800.0, 8000.0, 1e-7, -1e-7, -4.0, 6e4, *ENDS),
    integers=(-3, 1000),
    contract=Close(scale=local),
    eager=eager,
    timings=grid(shape=((1 << 26,), (4096, 4096), ((1 << 22) + 1,)), dtype=(torch.float32,)),
    flops=4,
    mutants=(
        Mutant("root rounded to the input's dtype", _narrow_root),
        Mutant("root of |x|", _root_of_size),
        Mutant("0 for what is below zero", _clamp_negative),
        Mutant("root of the exponential", _other_order, ("input",)),
        Mutant(
            "root alone", lambda x, out=None: round_to_input(torch.sqrt(widen_input(x)), x, out)
        ),
    ),
    difficulty=2,
)
