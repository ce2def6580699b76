"""KernelBench's rule through its real processes, on memory of the host: sandbox, bench, problem."""

from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.problem_folders import add_problems
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.rules import KernelBenchRule
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.gpu_lock import GpuLock
from kernelbenchx.evaluate.kernelbench_stage import KernelBenchStage
from kernelbenchx.evaluate.process_slots import ProcessSlots
from kernelbenchx.measure.bench_connection import BenchConnection
from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.zygote import Zygote
from published_problems import SCALED, write_published
from ruled import BOTH, FAILS, LOOSE, passed

NAME = "level1/907_Rectified"
PROBLEM = SCALED.replace("x * self.scale + 1", "x * self.scale").replace("randn", "ones")
"""Whose weights are ones in every fresh module, as those of norms are."""
SOURCE = """import os
import torch


class ModelNew(torch.nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.randn(wide))

    def forward(self, x):
        {}
"""
Card = tuple[KernelBenchStage, Any]


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Card]:
    add_problems(write_published(tmp_path_factory.mktemp("published"), PROBLEM, f"{NAME}.py"))
    with (
        closing(BenchConnection("cpu", 7, ("eager",))) as bench,
        Zygote("cuda", detect(), jobs=2) as zygote,
    ):
        settings = Settings(device="cuda")
        workers: Any = SimpleNamespace(zygotes={"cuda": zygote}, settings=settings)
        slot = SimpleNamespace(index=0, device="cpu", gate=GpuLock(1, 1), bench=bench)
        yield KernelBenchStage(workers, ProcessSlots(), None, lambda: True), slot


def _judged(card: Card, body: str) -> KernelBenchRule:
    stage, slot = card
    submission = Submission(name="mine", task=NAME, source=SOURCE.format(body))
    attempt = EvaluationState(submission, facts(NAME), ("ModelNew",))
    return stage.run(attempt, slot, lambda _: None)


@pytest.mark.slow
def test_a_relu_and_weights_left_out_are_lucky_and_other_mistakes_are_not(card: Card) -> None:
    lucky = _judged(card, "return x.clone()")
    assert passed(lucky) == BOTH
    assert (lucky.case, lucky.detail) == ("values=published", "")
    near = _judged(card, "return torch.relu(x * self.scale) * 1.005")
    assert passed(near) == LOOSE
    assert passed(_judged(card, "return torch.relu(x) + 1")) == FAILS


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise ValueError('only 4096 rows')", Reason.RUNTIME_ERROR),
        ("os._exit(3)", Reason.EXIT),
    ],
)
def test_what_raises_or_ends_its_process_fails(card: Card, body: str, reason: Reason) -> None:
    found = _judged(card, body)
    assert (passed(found), found.reason) == (FAILS, reason)
