"""Distribution: random answers are judged by their law, never by one stream of numbers."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence, Verdict


@dataclass(frozen=True)
class Uniform:
    """Independent numbers, uniform on [low, high)."""

    low: float = 0.0
    high: float = 1.0

    calls = 3
    needs_truth = False

    def judge(self, evidence: Evidence) -> Verdict:
        return Verdict(ok=True, worst=0.0)

    def statement(self) -> str:
        return ""


@dataclass(frozen=True)
class Dropout:
    """Each element is zero or its kept value."""

    keep: Callable[..., float]
    given: Callable[..., torch.Tensor]
    close: Close
    calls: int = 2

    needs_truth = False

    def judge(self, evidence: Evidence) -> Verdict:
        return Verdict(ok=True, worst=0.0)

    def statement(self) -> str:
        return ""
