"""Property: right is whatever obeys the laws of the decomposition, whatever its signs."""

from dataclasses import dataclass

import torch

from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.decomposition_laws import (
    Descending,
    Filled,
    Law,
    Matches,
    NonNegative,
    Orthonormal,
    Reconstructs,
    Upper,
)

__all__ = [
    "Descending",
    "Filled",
    "Law",
    "Matches",
    "NonNegative",
    "Orthonormal",
    "Property",
    "Reconstructs",
    "Upper",
]


@dataclass(frozen=True, init=False)
class Property:
    """Every law that applies to the call holds."""

    laws: tuple[Law, ...]

    calls = 1

    def __init__(self, *laws: Law) -> None:
        object.__setattr__(self, "laws", laws)

    @property
    def needs_truth(self) -> bool:
        """Only where a law compares values."""
        return any(law.needs_truth for law in self.laws)

    def judge(self, evidence: Evidence) -> Verdict:
        """The first law that is broken, or the nearest to it."""
        factors = tuple(_widen_value(value) for value in evidence.outputs[0])
        worst = 0.0
        for law in self.laws:
            if law.when is not None and not law.when(evidence.call):
                continue
            found = law.judge(evidence, factors)
            if not found.ok:
                return found
            worst = max(worst, found.worst)
        return Verdict(ok=True, worst=worst)


def _widen_value(value: torch.Tensor) -> torch.Tensor:
    return value.to(torch.complex128 if value.dtype.is_complex else torch.float64)
