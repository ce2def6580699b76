"""Which rule a submission is judged by, and what becomes of faults of ours."""

from dataclasses import replace
from typing import Any

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.rules import KernelBenchXRule
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.gpu_slots import GpuSlots
from kernelbenchx.evaluate.kernelbench_stage import KernelBenchStage
from kernelbenchx.evaluate.kernelbenchx_rule import KernelBenchXStage
from kernelbenchx.evaluate.paper_rules import NEEDS_GPU, PaperRules
from kernelbenchx.evaluate.pipeline import Pipeline
from ruled import LOOSE, kernelbench

RULE = KernelBenchXRule(called=True, correct=True)


def _submission(task: str) -> Submission:
    return Submission(name="mine", task=task, source="x = 1\n")


def test_functions_are_judged_by_the_published_test(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KernelBenchXStage, "run", lambda *_given: RULE)
    found = PaperRules(pipeline).judge(_submission("activation/relu"))
    assert (found.kernelbenchx, found.kernelbench) == (RULE, None)


def test_modules_are_judged_at_the_published_size_on_a_gpu_alone(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = PaperRules(pipeline).judge(_submission("level1/relu"))
    assert without.kernelbenchx is None and without.kernelbench is not None
    assert (without.kernelbench.detail, without.known) == (NEEDS_GPU, True)
    slot: Any = type("Slot", (), {"index": 0, "device": "cpu"})()
    monkeypatch.setattr(KernelBenchStage, "run", lambda *_given: kernelbench(LOOSE))
    on_gpu = replace(pipeline, gpu_slots=GpuSlots((slot,)))
    assert PaperRules(on_gpu).judge(_submission("level1/relu")).kernelbench == kernelbench(LOOSE)


def test_a_fault_of_ours_is_not_known_and_tried_again(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object) -> KernelBenchXRule:
        raise EvaluatorFault("the reference process ended unexpectedly")

    monkeypatch.setattr(KernelBenchXStage, "run", fail)
    found = PaperRules(pipeline).judge(_submission("activation/relu"))
    assert found.kernelbenchx is not None and not found.known and found.passes is None
    assert found.kernelbenchx.reason is Reason.EVALUATOR
    assert "ended unexpectedly" in found.kernelbenchx.detail
