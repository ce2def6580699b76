"""Log-odds, elementwise: ln(z / (1 - z)).

Without `eps`, and with eps=None, z = x: 0 and -0.0 give -inf, 1 gives +inf, anything outside of
[0, 1] gives NaN. With `eps`, 0 <= eps <= 0.5, z is x limited to [eps, 1 - eps], so that infinities
count as the ends; eps=0.0 limits to [0, 1]. NaN gives NaN. Every input is widened to float32 first,
and both ends are rounded to float32, whatever the input's dtype is. The result has that dtype.
"""

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, elementwise, ignore_argument
from kernelbenchx.spec.families.corners import ENDS, with_corners
from kernelbenchx.spec.families.mistakes import first_elements_only, store_result
from kernelbenchx.spec.families.round_once import round_to_input, widen_input

Out = torch.Tensor | None


def logit(
    input: torch.Tensor, eps: float | None = None, out: torch.Tensor | None = None
) -> torch.Tensor:
    return round_to_input(_odds(_clamp_to_eps(widen_input(input), eps)), input, out)


def eager(input: torch.Tensor, eps: float | None = None, out: Out = None) -> torch.Tensor:
    return torch.logit(input, eps, out=out)


def _clamp_to_eps(x: torch.Tensor, eps: float | None) -> torch.Tensor:
    return x if eps is None else x.clamp(eps, 1 - eps)


def _odds(z: torch.Tensor) -> torch.Tensor:
    return torch.log(z / (1 - z))


def exact(input: torch.Tensor, eps: float | None = None, out: Out = None) -> torch.Tensor:
    z = _clamp_to_eps(input.double(), eps)
    return store_result(torch.log(z) - torch.log1p(-z), out)


def local(input: torch.Tensor, eps: float | None = None, out: Out = None) -> object:
    """The logarithm adds its argument's relative error: of 1 - z, and of a division by 2 ulps.

    Where x is limited from above, a rounded 1 - eps is off by half an ulp of 1.
    """
    size = 2 + exact(input, eps).abs()
    if eps:
        size += torch.where(input > 1 - eps - 1e-7, 0.5 / eps, 0.0)
    return size, size


def _narrow_ends(input: torch.Tensor, eps: float | None = None, out: Out = None) -> torch.Tensor:
    """1 - eps is 1 in few bits."""
    return round_to_input(_odds(widen_input(_clamp_to_eps(input, eps))), input, out)


def _one_end(input: torch.Tensor, eps: float | None = None, out: Out = None) -> torch.Tensor:
    z = _clamp_to_eps(widen_input(input), eps)
    return round_to_input(
        _odds(z if eps is None else torch.maximum(z, widen_input(input))), input, out
    )


def _always_limited(input: torch.Tensor, eps: float | None = None, out: Out = None) -> torch.Tensor:
    return logit(input, 0.0 if eps is None else eps, out)


def _zero_is_none(input: torch.Tensor, eps: float | None = None, out: Out = None) -> torch.Tensor:
    return logit(input, eps or None, out)


TASK = with_corners(
    elementwise(
        logit,
        draw=(0.0, 1.0),
        ranges={
            "small": (0.0, 1e-3),
            "near 0.5": (0.499, 0.501),
            "near 1": (0.99, 1.0),
            "wide": 1.0,
        },
        planted=(0.0, -0.0, 1.0, 0.5, 1e-6, 1e-5, 0.9995, -0.1, 1.1, *ENDS),
        arguments=(argument("eps", not_given=None, millionth=1e-6, tenth=0.1, zero=0.0),),
        contract=Close(scale=local),
        truth=exact,
        eager=eager,
        timings=case(shape=(1 << 26,), dtype=torch.float32)
        + case(shape=(8192, 8192), dtype=torch.bfloat16, eps=0.1)
        + case(shape=((1 << 24) + 1,), dtype=torch.float32, eps=1e-6),
        flops=14,
        mutants=(
            ignore_argument(logit, "eps"),
            Mutant("ends rounded to the input's dtype", _narrow_ends, ("eps",)),
            Mutant("limited at one end", _one_end, ("eps",)),
            Mutant("limited to [0, 1] without eps", _always_limited, ("eps",)),
            Mutant("eps=0.0 taken for None", _zero_is_none, ("eps",)),
            first_elements_only(logit, 1024, "W-BLOCK"),
        ),
        difficulty=2,
        audit=("W-BLOCK",),
    ),
    {"shape": "matrix", "dtype": "bfloat16", "eps": "millionth", "values": "special"},
    {"shape": "matrix", "eps": "zero", "values": "special"},
    {"shape": "matrix", "eps": "tenth"},
)
