"""How far an exact result moves when its inputs move by one rounding."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from kernelbenchx.spec.apply_function import apply_function
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.outputs import flatten


@dataclass(frozen=True)
class Perturbed:
    """The local scale of a function that magnifies the rounding of its inputs.

    Every floating tensor is moved alone, up and down by one unit roundoff, and the moves are added
    up: for elementwise functions that is their condition. Then all tensors are moved at once by
    random signs, which is what a sum does.
    """

    function: Callable[..., Any]
    samples: int = 4

    def scale(self, call: Call, roundoff: float) -> tuple[torch.Tensor, ...]:
        """Movement of each output in units of the roundoff; `call` is widened."""
        still = self._run(call, {})
        alone = [torch.zeros_like(value, dtype=torch.float64) for value in still]
        count = sum(_moves(tensor) for tensor in call.tensors())
        for which in range(count):
            up = self._run(call, {which: 1.0 + roundoff})
            down = self._run(call, {which: 1.0 - roundoff})
            for total, a, b, zero in zip(alone, up, down, still, strict=True):
                total += torch.maximum(_measure_distance(a, zero), _measure_distance(b, zero))
        generator = torch.Generator(call.device).manual_seed(0)
        for _ in range(self.samples):
            shaken = self._run(call, dict.fromkeys(range(count), roundoff), generator)
            alone = [
                torch.maximum(total, _measure_distance(a, zero))
                for total, a, zero in zip(alone, shaken, still, strict=True)
            ]
        return tuple(total / roundoff for total in alone)

    def _run(
        self, call: Call, factors: dict[int, float], generator: torch.Generator | None = None
    ) -> tuple[torch.Tensor, ...]:
        """Outputs with the n-th floating tensor times its factor (or shaken by it)."""
        seen = [0]

        def change(tensor: torch.Tensor) -> torch.Tensor:
            if not _moves(tensor):
                return tensor
            factor = factors.get(seen[0])
            seen[0] += 1
            if factor is None:
                return tensor
            if generator is None:
                return tensor * factor
            coin = torch.randint(
                0, 2, tensor.shape, generator=generator, dtype=torch.float64, device=tensor.device
            )
            return tensor * (1.0 + factor * (coin * 2 - 1))

        moved = call.copy().map_tensors(change).concrete()
        return tuple(leaf.value for leaf in flatten(apply_function(self.function, moved)))


def _moves(tensor: torch.Tensor) -> bool:
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex


def _measure_distance(there: torch.Tensor, here: torch.Tensor) -> torch.Tensor:
    """Distance between two results; none where either is not a finite number."""
    if not _moves(here) or there.shape != here.shape:
        return torch.zeros_like(here, dtype=torch.float64)
    return torch.nan_to_num((there - here).abs().double(), nan=0.0, posinf=0.0)
