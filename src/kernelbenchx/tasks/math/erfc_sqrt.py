"""Two results for each element: (erfc(x), sqrt(x)).

erfc(x) = 1 - erf(x), 2 / sqrt(pi) * integral of exp(-t**2) for t from x to infinity. Its tail is
as accurate as the rest, relative to its own size: erfc(5) = 1.5374598e-12, where 1 - erf(5)
gives 0. -inf gives 2, +inf gives 0. The root of anything below zero is NaN, of +inf +inf, of both
zeros 0. NaN gives NaN in both.
"""

import math

import torch

from kernelbenchx.spec import Close, Mutant
from kernelbenchx.spec.families.corners import ENDS
from kernelbenchx.spec.families.elementwise_pair import Pair, elementwise_pair
from kernelbenchx.spec.families.round_once import round_to_input, widen_input


def erfc_sqrt(input: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.erfc(input), torch.sqrt(input)


def local(input: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A rounded x * x moves exp(-x * x), a factor of the tail, by its own size."""
    x = input.double()
    return torch.erfc(x) * (1 + x.clamp(min=0) ** 2), torch.sqrt(x)


def _one_less_erf(input: torch.Tensor) -> Pair:
    return round_to_input(1 - torch.erf(widen_input(input)), input), torch.sqrt(input)


def _first_term(input: torch.Tensor) -> Pair:
    """The first term of the asymptotic series in the tail."""
    x = widen_input(input)
    tail = torch.exp(-x * x) / (x * math.sqrt(math.pi))
    return round_to_input(torch.where(x > 4, tail, torch.erfc(x)), input), torch.sqrt(input)


def _root_of_size(input: torch.Tensor) -> Pair:
    return torch.erfc(input), torch.sqrt(input.abs())


def _cut_tail(input: torch.Tensor) -> Pair:
    return torch.where(input > 4, 0.0, torch.erfc(input)), torch.sqrt(input)


TASK = elementwise_pair(
    erfc_sqrt,
    draw=(0.0, 4.0),
    ranges={"small": 1e-3, "tail": (3.0, 9.2), "negative": (-9.0, 0.0), "large": (10.0, 6e4)},
    planted=(0.0, -0.0, 0.5, 2.0, 3.8, 5.0, 9.0, -3.0, 12.0, 1e-7, *ENDS),
    integers=(-5, 6),
    contract=Close(scale=local),
    flops=25,
    mutants=(
        Mutant("1 - erf", _one_less_erf, ("input",)),
        Mutant("first term of the tail's series", _first_term),
        Mutant("tail cut to zero", _cut_tail),
        Mutant("root of |x|", _root_of_size),
        Mutant("swapped", lambda input: erfc_sqrt(input)[::-1]),
        Mutant("erf", lambda input: (torch.erf(input), torch.sqrt(input))),
    ),
    difficulty=2,
)
