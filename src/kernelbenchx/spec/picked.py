"""Picked: values within their budget, and indices of elements that attain them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch

from kernelbenchx.spec.apply_function import apply_function
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Evidence, Verdict


@dataclass(frozen=True, kw_only=True)
class Picked:
    """Of outputs in pairs the first is judged by `close`; the second picks elements.

    An index is right if the exact score of the element is the exact value, give or take two
    budgets of that value: the picked element and the right one may each be off by one. Where the
    value is NaN only the index of the truth is right.
    """

    close: Close
    scores: Callable[..., torch.Tensor]
    """What values are picked from, of the widened arguments: a tensor like the input."""

    calls = 1
    needs_truth = True

    def judge(self, evidence: Evidence) -> Verdict:
        """As `close` does, where a right index counts as that of the truth."""
        outputs = tuple(self._resolve_ties(one, evidence) for one in evidence.outputs)
        return self.close.judge(replace(evidence, outputs=outputs))

    def _resolve_ties(
        self, outputs: tuple[torch.Tensor, ...], evidence: Evidence
    ) -> tuple[torch.Tensor, ...]:
        dtypes = tuple(one.dtype for one in evidence.native)
        places = [place for place, dtype in enumerate(dtypes) if not dtype.is_floating_point]
        if not places or any(outputs[place].numel() == 0 for place in places):
            return outputs
        call = evidence.call.widen().concrete()
        scores = apply_function(self.scores, call)
        budgets = self.close.budgets(evidence.call, evidence.truth, dtypes, evidence.rung)
        dim = call.kwargs["dim"] if "dim" in call.kwargs else call.args[1]
        found = list(outputs)
        for place in places:
            index, value = evidence.truth[place], evidence.truth[place - 1]
            near = _attains(found[place], index, value, 2 * budgets[place - 1], scores, dim)
            found[place] = torch.where(near, index, found[place])
        return tuple(found)


def _attains(
    mine: torch.Tensor,
    index: torch.Tensor,
    value: torch.Tensor,
    budget: torch.Tensor,
    scores: torch.Tensor,
    dim: int,
) -> torch.Tensor:
    """Whether each index names an element whose score is the value, up to the budget."""
    if mine.shape != index.shape or not scores.dim():
        return torch.zeros_like(index, dtype=torch.bool)
    inside = (mine >= 0) & (mine < scores.shape[dim])
    named = torch.where(inside, mine, index)
    kept = mine.dim() == scores.dim()
    score = scores.gather(dim, named if kept else named.unsqueeze(dim))
    score = score if kept else score.squeeze(dim)
    return inside & ((score == value) | ((score - value).abs() <= budget))
