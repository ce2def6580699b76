"""Quantized: the written integer scheme is the truth, computed exactly."""

from collections.abc import Callable
from dataclasses import dataclass

import torch

from kernelbenchx.spec.apply_function import apply_function
from kernelbenchx.spec.close import default_ulps
from kernelbenchx.spec.contract import Evidence, Verdict
from kernelbenchx.spec.element_comparison import INF, multiples, verdict
from kernelbenchx.spec.quantization_codes import Codes, product_slack, symmetric
from kernelbenchx.spec.ulps import flush_floor, roundoff, ulp

__all__ = ["Codes", "Quantized", "Scheme", "product_slack", "symmetric"]


@dataclass(frozen=True)
class Scheme:
    """What the written scheme gives for one call, all in float64."""

    truth: torch.Tensor
    slack: torch.Tensor
    """How far each output moves if every code goes the other way whose quotient is inexact and near
    a rounding tie."""
    scale: torch.Tensor
    """The float32 epilogue on absolute values: what its rounding is relative to."""


@dataclass(frozen=True, kw_only=True)
class Quantized:
    """Budget = ulps of the output + factor * roundoff of float32 * scale + slack."""

    scheme: Callable[..., Scheme]
    """Called with the native arguments."""
    ulps: float | None = None
    factor: float = 4.0

    calls = 1
    needs_truth = False

    def judge(self, evidence: Evidence) -> Verdict:
        """The output (and a written copy of it) against the scheme."""
        scheme = apply_function(self.scheme, evidence.call.copy().concrete())
        outputs = evidence.outputs[0]
        if any(mine.shape != scheme.truth.shape for mine in outputs):
            return Verdict(ok=False, worst=INF, detail="the output has another shape")
        ratios = [
            multiples(mine, scheme.truth, self._budget(scheme, mine.dtype)) for mine in outputs
        ]
        return verdict(ratios, outputs, [scheme.truth] * len(outputs))

    def _budget(self, scheme: Scheme, dtype: torch.dtype) -> torch.Tensor:
        ulps = default_ulps(dtype) if self.ulps is None else self.ulps
        slack = scheme.slack.abs().double()
        # A result that a tie has moved is rounded where it then lies.
        rounding = ulps * ulp(scheme.truth.abs().double() + slack, dtype)
        epilogue = self.factor * roundoff(torch.float32) * (scheme.scale.abs().double() + slack)
        budget = rounding + epilogue + slack
        return budget.clamp(min=flush_floor(dtype)).expand(scheme.truth.shape)
