"""Close: the error against the float64 truth, with a budget for each element."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from kernelbenchx.spec.apply_function import apply_function
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.contract import Evidence, Rung, Verdict
from kernelbenchx.spec.element_comparison import multiples, signed_zeros, verdict
from kernelbenchx.spec.perturbed import Perturbed
from kernelbenchx.spec.ulps import TF32_ROUNDOFF, flush_floor, real_dtype, roundoff, ulp

__all__ = ["Close", "Perturbed", "default_ulps", "worst_of"]


@dataclass(frozen=True, kw_only=True)
class Close:
    """Budget of an element = ulps of the output dtype there + factor * u * local scale.

    `u` is the unit roundoff of the compute dtype. Never a maximum over the tensor: a small element
    beside a large one has its own small budget.
    """

    ulps: float | None = None
    """None: 1 for outputs of 16 bits (computed in float32, rounded once), 4 for wider ones."""
    scale: Callable[..., Any] | Perturbed | None = None
    """The same computation on absolute values, called with the widened arguments of the call.

    A tensor, or one for each output (None for none), broadcastable to it. An element where it
    isn't finite gets ulps only.
    """
    operands: Callable[..., Any] | None = None
    """For results of products whose operands may be rounded to the 16-bit dtype of the inputs.

    Called like `scale`, for the root of the sum of squared products: roundings are independent,
    so their sum grows like a random walk. Adds factor * u of that dtype * this.
    """
    factor: float = 4.0
    tf32: bool = False
    """Whether dot products may round float32 operands to TF32."""
    compute: torch.dtype | None = None
    """None: float64 for float64 outputs, float32 for all others."""
    signed_zero: bool = False
    interpreter_ulps: float = 0.0
    """More ulps for what Triton's interpreter cannot get right; never on a GPU."""

    calls = 1
    needs_truth = True

    def judge(self, evidence: Evidence) -> Verdict:
        """Every element of every output within its budget."""
        truth = evidence.truth
        dtypes = tuple(value.dtype for value in evidence.native)
        budgets = self.budgets(evidence.call, truth, dtypes, evidence.rung)
        return worst_of(
            self.judge_with_budgets(outputs, truth, budgets, evidence.rung)
            for outputs in evidence.outputs
        )

    def judge_with_budgets(
        self,
        outputs: Sequence[torch.Tensor],
        truth: Sequence[torch.Tensor],
        budgets: Sequence[torch.Tensor],
        rung: Rung,
    ) -> Verdict:
        """One repetition against budgets that are already known."""
        if [value.shape for value in outputs] != [value.shape for value in truth]:
            return Verdict(ok=False, worst=float("inf"), detail="the outputs have other shapes")
        ratios = [
            self._ratio(mine, true, budget)
            for mine, true, budget in zip(outputs, truth, budgets, strict=True)
        ]
        return verdict(ratios, outputs, truth, self._note(rung))

    def budgets(
        self,
        call: Call,
        truth: Sequence[torch.Tensor],
        dtypes: Sequence[torch.dtype],
        rung: Rung = "cuda",
    ) -> tuple[torch.Tensor, ...]:
        """What each element of each output may be wrong by."""
        inputs = {real_dtype(tensor.dtype) for tensor in call.tensors()}
        found: list[torch.Tensor] = []
        scales: dict[float, tuple[torch.Tensor | None, ...]] = {}
        for position, (true, dtype) in enumerate(zip(truth, dtypes, strict=True)):
            if not (dtype.is_floating_point or dtype.is_complex):
                found.append(torch.zeros_like(true, dtype=torch.float64))
                continue
            u = self._roundoff(dtype, inputs)
            if u not in scales:
                scales[u] = self._scales(call, u, len(truth))
            found.append(self._budget(true, dtype, u, scales[u][position], rung))
        narrow = [roundoff(dtype) for dtype in inputs if dtype in (torch.float16, torch.bfloat16)]
        if self.operands is None or not narrow:
            return tuple(found)
        rounded = apply_function(self.operands, call.widen().concrete()) * (
            self.factor * max(narrow)
        )
        return tuple(budget + rounded.nan_to_num(nan=0.0, posinf=0.0) for budget in found)

    def _note(self, rung: Rung) -> str:
        if rung != "interpreter" or not self.interpreter_ulps:
            return ""
        return f" (the interpreter was allowed {self.interpreter_ulps:g} more ulps)"

    def _ratio(self, mine: torch.Tensor, true: torch.Tensor, budget: torch.Tensor) -> torch.Tensor:
        ratio = multiples(mine, true, budget)
        if self.signed_zero and (mine.dtype.is_floating_point or mine.dtype.is_complex):
            ratio = torch.maximum(ratio, signed_zeros(mine, true))
        return ratio

    def _roundoff(self, output: torch.dtype, inputs: set[torch.dtype]) -> float:
        wide = real_dtype(output) == torch.float64
        if wide and (self.compute is None or torch.float64 in inputs):
            return roundoff(torch.float64)
        if self.tf32 and torch.float32 in inputs:
            return TF32_ROUNDOFF  # products of 16-bit inputs are exact and get no such allowance
        return roundoff(self.compute or torch.float32)

    def _scales(self, call: Call, u: float, count: int) -> tuple[torch.Tensor | None, ...]:
        """One local scale for each output."""
        if self.scale is None:
            return (None,) * count
        given: Any
        if isinstance(self.scale, Perturbed):
            given = self.scale.scale(call.widen(), u)
        else:
            given = apply_function(self.scale, call.widen().concrete())
        scales = tuple(given) if isinstance(given, tuple | list) else (given,)
        return scales + (None,) * (count - len(scales))

    def _budget(
        self,
        true: torch.Tensor,
        dtype: torch.dtype,
        u: float,
        scale: torch.Tensor | None,
        rung: Rung,
    ) -> torch.Tensor:
        ulps = self.ulps if self.ulps is not None else default_ulps(dtype)
        if rung == "interpreter":
            ulps += self.interpreter_ulps
        # In place where it can be: on a GPU that is most of the time of a judgement.
        budget = ulp(true.abs().double().nan_to_num_(nan=0.0), dtype).mul_(ulps)
        if scale is not None:
            local = torch.as_tensor(scale).abs().double()
            rounding = local.nan_to_num(nan=0.0, posinf=0.0).mul_(self.factor * u)
            budget = budget + rounding
        if real_dtype(dtype) == torch.float64:
            budget = 2 * budget  # the truth was rounded as often as the answer
        return budget.clamp_(min=flush_floor(dtype)).expand(true.shape)


def default_ulps(dtype: torch.dtype) -> float:
    """One rounding for outputs narrower than the computation, a few for a rounded chain."""
    return 1.0 if real_dtype(dtype).itemsize <= 2 else 4.0


def worst_of(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict that says most: a wrong one before any right one."""
    return max(verdicts, key=lambda found: (not found.ok, found.worst))
