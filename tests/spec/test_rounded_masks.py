"""A mask of minus infinity rounds to itself; what it leaves is rounded."""

import torch

from kernelbenchx.spec.rounded_steps import FLOAT32, RoundedSteps


def test_masked_scores_stay_masked_and_others_move() -> None:
    scores = torch.randn(8, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    later = torch.ones(8, 8, dtype=torch.bool).triu(1)
    masked = scores.masked_fill(later, float("-inf"))
    with RoundedSteps(1, FLOAT32, torch.device("cpu")):
        found = torch.softmax(masked * 0.5, dim=-1)
    right = torch.softmax(masked * 0.5, dim=-1)
    assert bool((found[later] == 0).all())
    # The first row has one score: its share is 1, up to a rounding.
    moved = (found - right)[1:][~later[1:]].abs()
    assert bool((moved > 0).all()) and float(moved.max()) < 1e-6
