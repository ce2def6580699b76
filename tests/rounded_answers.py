"""Right answers for tests: torch's function in float64, rounded once.

Its float32 is no truth: last bits, tails and infinities differ from one processor to another.
"""

from collections.abc import Callable
from typing import Any

import torch


def rounded(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """The same function, computed in float64 and rounded to the dtype of its first argument."""

    def run(first: torch.Tensor, *args: Any, **named: Any) -> torch.Tensor:
        return function(first.double(), *map(_wide, args), **named).to(first.dtype)

    return run


def _wide(value: Any) -> Any:
    floating = isinstance(value, torch.Tensor) and value.dtype.is_floating_point
    return value.double() if floating else value


gelu = rounded(torch.nn.functional.gelu)
