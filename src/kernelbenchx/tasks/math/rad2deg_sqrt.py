"""Two results for each element: (x * 180 / pi, sqrt(x)).

The first turns radians into degrees. Where that is beyond the largest number of the dtype it is an
infinity of its sign. The root of anything below zero is NaN, of +inf +inf, of both zeros 0. NaN
gives NaN in both. 16-bit inputs are computed in float32, with 180 / pi in float32, and each result
is rounded once.
"""

import math

import torch

from kernelbenchx.spec import Mutant
from kernelbenchx.spec.families.corners import ENDS
from kernelbenchx.spec.families.elementwise_pair import Pair, elementwise_pair
from kernelbenchx.spec.families.round_once import round_to_input, widen_input


def rad2deg_sqrt(input: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    x = widen_input(input)
    return round_to_input(torch.rad2deg(x), input), round_to_input(torch.sqrt(x), input)


def eager(input: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.rad2deg(input), torch.sqrt(input)


def _short_factor(input: torch.Tensor) -> Pair:
    return round_to_input(widen_input(input) * 57.2958, input), rad2deg_sqrt(input)[1]


def _inverse(input: torch.Tensor) -> Pair:
    return round_to_input(torch.deg2rad(widen_input(input)), input), rad2deg_sqrt(input)[1]


def _root_of_size(input: torch.Tensor) -> Pair:
    return rad2deg_sqrt(input)[0], round_to_input(torch.sqrt(widen_input(input).abs()), input)


def _root_of_degrees(input: torch.Tensor) -> Pair:
    degrees = torch.rad2deg(widen_input(input))
    return round_to_input(degrees, input), round_to_input(torch.sqrt(degrees), input)


TASK = elementwise_pair(
    rad2deg_sqrt,
    draw=(0.0, 7.0),
    ranges={"small": (0.0, 1e-3), "large": (100.0, 6e4), "both signs": 3.0},
    planted=(0.0, -0.0, 1.0, -1.0, math.pi, 1e-7, 1e3, 1200.0, -1200.0, 1e37, -1e37, *ENDS),
    integers=(-50, 500),
    eager=eager,
    flops=2,
    mutants=(
        Mutant("factor of six digits", _short_factor),
        Mutant("degrees taken for radians", _inverse, ("input",)),
        Mutant("root of |x|", _root_of_size),
        Mutant("root of the degrees", _root_of_degrees),
        Mutant("swapped", lambda input: rad2deg_sqrt(input)[::-1]),
    ),
    difficulty=2,
)
