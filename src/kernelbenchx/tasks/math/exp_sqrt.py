"""Square root of the exponential, elementwise: sqrt(exp(x)), that is exp(x / 2).

The result counts, not the steps: it is finite wherever exp(x / 2) is, in float32 up to x = 177, and
not zero down to x = -174. There exp(x) alone overflows or vanishes. 16-bit inputs are computed
in float32 and rounded once. -inf gives 0, +inf gives +inf, NaN gives NaN.
"""

import torch

from kernelbenchx.spec import Close, Mutant, case, elementwise, grid
from kernelbenchx.spec.families.corners import ENDS
from kernelbenchx.spec.families.round_once import round_to_input, widen_input

Out = torch.Tensor | None


def exp_sqrt(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return round_to_input(torch.exp(widen_input(input) / 2), input, out)


def eager(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    return torch.sqrt(torch.exp(input), out=out)


def local(input: torch.Tensor, out: Out = None) -> object:
    """A rounded exponent moves the result by its own size."""
    x = input.double() / 2
    size = torch.exp(x) * (1 + x.abs())
    return size, size


def _in_steps(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    return round_to_input(torch.sqrt(torch.exp(widen_input(input))), input, out)


def _clamp_argument(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    """No overflow, and no result beyond that of 88."""
    return round_to_input(torch.exp(widen_input(input).clamp(max=88.0) / 2), input, out)


def _other_order(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    return round_to_input(torch.exp(torch.sqrt(widen_input(input))), input, out)


def _tiny_is_zero(input: torch.Tensor, out: Out = None) -> torch.Tensor:
    x = widen_input(input)
    return round_to_input(torch.where(x < -100, 0.0, torch.exp(x / 2)), input, out)


TASK = elementwise(
    exp_sqrt,
    draw=2.0,
    ranges={"small": 1e-3, "large": 20.0, "beyond exp": (90.0, 170.0), "below": (-170.0, -90.0)},
    planted=(0.0, -0.0, 1.0, 88.0, 89.0, -88.0, -104.0, 176.0, 180.0, -172.0, 22.0, 23.0, *ENDS),
    integers=(-60, 60),
    contract=Close(scale=local),
    eager=eager,
    timings=grid(shape=((1 << 26,), ((1 << 24) + 1,)), dtype=(torch.float32,))
    + case(shape=(8192, 8192), dtype=torch.bfloat16),
    flops=4,
    mutants=(
        Mutant("root of an exponential that overflows", _in_steps),
        Mutant("argument limited to 88", _clamp_argument),
        Mutant("exponential of the root", _other_order, ("input",)),
        Mutant("zero below -100", _tiny_is_zero),
        Mutant(
            "exponential", lambda x, out=None: round_to_input(torch.exp(widen_input(x)), x, out)
        ),
    ),
    difficulty=1,
)
