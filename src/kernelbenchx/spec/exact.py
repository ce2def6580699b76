"""Exact: the bits of the reference, for tasks that only move or compare values."""

from dataclasses import dataclass

import torch

from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.element_comparison import INF, signed_zeros, verdict


@dataclass(frozen=True, kw_only=True)
class Exact:
    """Equal to the reference in its own dtype; NaN equals NaN."""

    signed_zero: bool = False

    calls = 1
    needs_truth = False

    def judge(self, evidence: Evidence) -> Verdict:
        """No element may differ."""
        native, outputs = evidence.native, evidence.outputs[0]
        if [value.shape for value in outputs] != [value.shape for value in native]:
            return Verdict(ok=False, worst=INF, detail="the outputs have other shapes")
        ratios = [self._ratio(mine, true) for mine, true in zip(outputs, native, strict=True)]
        return verdict(ratios, outputs, native)

    def _ratio(self, mine: torch.Tensor, true: torch.Tensor) -> torch.Tensor:
        same = mine == true
        if mine.dtype.is_complex:
            same = _same_parts(torch.view_as_real(mine), torch.view_as_real(true)).all(-1)
        elif mine.dtype.is_floating_point:
            same = _same_parts(mine, true)
        ratio = torch.where(same, 0.0, INF).double()
        if self.signed_zero and (mine.dtype.is_floating_point or mine.dtype.is_complex):
            ratio = torch.maximum(ratio, signed_zeros(mine, true))
        return ratio


def _same_parts(mine: torch.Tensor, true: torch.Tensor) -> torch.Tensor:
    return (mine == true) | (torch.isnan(mine) & torch.isnan(true))
