"""Inverse sine, elementwise: the angle in [-pi / 2, pi / 2], in radians, whose sine is x.

-1 and 1 give -pi / 2 and pi / 2. What lies outside of [-1, 1], an infinity and NaN give NaN. Small
x and x near the ends are as accurate as all others.
"""

import math

import torch

from kernelbenchx.spec import Mutant, elementwise
from kernelbenchx.spec.families.corners import ENDS, with_corners


def asin(input: torch.Tensor, /) -> torch.Tensor:
    return torch.asin(input)


def _by_arctangent(input: torch.Tensor) -> torch.Tensor:
    """1 - x * x has lost digits where x is near the ends."""
    x = input.float()
    result = torch.atan2(x, torch.sqrt(1 - x * x))
    return result.to(input.dtype) if input.is_floating_point() else result


def _by_arccosine(input: torch.Tensor) -> torch.Tensor:
    """The difference has lost digits where x is small."""
    result = math.pi / 2 - torch.acos(input.float())
    return result.to(input.dtype) if input.is_floating_point() else result


def _short_series(input: torch.Tensor) -> torch.Tensor:
    x = input.float()
    series = x + x**3 / 6 + 0.075 * x**5
    result = torch.where(x.abs() < 0.5, series, torch.asin(x))
    return result.to(input.dtype) if input.is_floating_point() else result


TASK = with_corners(
    elementwise(
        asin,
        draw=(-1.0, 1.0),
        ranges={"small": 1e-3, "near 1": (0.99, 1.0), "near -1": (-1.0, -0.99), "outside": 1.5},
        planted=(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.01, -1.01, 3.0, *ENDS),
        integers=(-2, 3),
        flops=15,
        mutants=(
            Mutant("limited to [-1, 1]", lambda input: torch.asin(input.clamp(-1, 1))),
            Mutant("by the arctangent of a root", _by_arctangent),
            Mutant("pi / 2 less the inverse cosine", _by_arccosine),
            Mutant("three terms of the series", _short_series),
            Mutant("in degrees", lambda input: torch.rad2deg(torch.asin(input)), ("input",)),
        ),
        difficulty=1,
    ),
    {"shape": "matrix", "values": "near 1"},
)
