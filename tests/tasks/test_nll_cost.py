"""The cost of nll_loss is what the cheapest kernel reads, never more."""

from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec import Case
from kernelbenchx.spec.memory_traffic import in_a_sector


@pytest.mark.parametrize(
    ("shape", "ignore"), [((4096, 48), -100), ((4096, 48), 3), ((4, 8, 64, 64), -100)]
)
def test_only_the_sectors_of_targets_are_read(shape: tuple[int, ...], ignore: int) -> None:
    task = catalog.load("loss/nll_loss")
    params: dict[str, Any] = {"shape": shape, "dtype": torch.float32, "reduction": "none"}
    for seed in range(10):
        call = task.draw(Case(params | {"ignore": ignore}), seed)
        target = call.args[1]
        kept = target != ignore
        touched = torch.zeros(shape, dtype=torch.bool)
        touched.scatter_(1, torch.where(kept, target, 0).unsqueeze(1), kept.unsqueeze(1))
        size = in_a_sector(4)
        sectors = int(touched.reshape(-1, size).any(1).sum()) * size * 4
        least = sectors + target.numel() * (8 + 4)
        assert 0.75 * least < task.cost(**params, ignore=ignore).bytes <= least
