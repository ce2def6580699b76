"""How far a module's result moves when every intermediate result is rounded."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import torch

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.modules import run_module
from kernelbenchx.spec.outputs import flatten
from kernelbenchx.spec.perturbed import Perturbed
from kernelbenchx.spec.rounded_steps import FLOAT32, RoundedSteps, Roundings

_KEPT_BYTES, _MOST_KEPT = 4 << 20, 4096
"""Scales of calls up to this size are kept, and so many of them: all samples of a problem are
judged on the same calls."""
_kept: OrderedDict[tuple[Any, ...], tuple[torch.Tensor, ...]] = OrderedDict()


@dataclass(frozen=True)
class Intermediates(Perturbed):
    """The root mean square of the moves that some random roundings of all steps cause."""

    samples: int = 12
    """So few are enough: the error of one element over its estimated root mean square follows
    Student's distribution, and exceeds 16 with a probability of 2e-9."""
    roundings: Roundings = FLOAT32
    coarser: float = 8.0
    """The runs move by as many roundoffs as an honest error may reach, and are scaled back. So an
    element just below the kink of a ReLU has the budget of those just above it."""

    def scale(self, call: Call, roundoff: float) -> tuple[torch.Tensor, ...]:
        """In units of the roundoff; `call` is widened."""
        key = (self, roundoff, _content(call))
        if key[-1] is None:
            return self._estimate_moves(call, roundoff)
        if key not in _kept:
            _kept[key] = self._estimate_moves(call, roundoff)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
        return _kept[key]

    def _estimate_moves(self, call: Call, roundoff: float) -> tuple[torch.Tensor, ...]:
        still = self._answer(call)
        total = [torch.zeros_like(value, dtype=torch.float64) for value in still]
        coarse = self.roundings.times(self.coarser)
        for seed in range(self.samples):
            with RoundedSteps(seed, coarse, call.device):
                moved = self._answer(call)
            total = [
                before + (there - here).double().square().nan_to_num(nan=0.0, posinf=0.0)
                for before, there, here in zip(total, moved, still, strict=True)
            ]
        return tuple((one / self.samples).sqrt() / (self.coarser * roundoff) for one in total)

    def _answer(self, call: Call) -> tuple[torch.Tensor, ...]:
        return tuple(leaf.value for leaf in flatten(run_module(self.function, call.copy())))


def _content(call: Call) -> str | None:
    """A digest of all that a module is called with; None where it is large, or on a GPU."""
    tensors = call.tensors()
    if call.device.type != "cpu" or sum(one.nbytes for one in tensors) > _KEPT_BYTES:
        return None
    others = [one for one in call.args if not isinstance(one, torch.Tensor)]
    found = hashlib.blake2b(repr((call.init, list(call.state), list(call.kwargs), others)).encode())
    for one in tensors:
        found.update(repr((one.dtype, one.shape)).encode())
        found.update(one.contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return found.hexdigest()
