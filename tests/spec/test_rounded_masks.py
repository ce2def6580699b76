"""A mask of minus infinity rounds to itself; what it leaves is rounded."""

import torch
from torch import nn

from kernelbenchx.spec.rounded_steps import FLOAT32, RoundedSteps

LATER = torch.ones(8, 8, dtype=torch.bool).triu(1)


class Shares(nn.Module):
    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        return torch.softmax(scores.masked_fill(LATER, float("-inf")) * 0.5, dim=-1)


def test_masked_scores_stay_masked_and_others_move() -> None:
    scores = torch.randn(8, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    right = Shares()(scores)
    with RoundedSteps(1, FLOAT32, torch.device("cpu")):
        found = Shares()(scores)
    assert bool((found[LATER] == 0).all())
    moved = (found - right)[~LATER].abs()
    assert bool((moved > 0).all()) and float(moved.max()) < 1e-6
