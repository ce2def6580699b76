"""Which submissions are timed, and under which label; what becomes of times: test_pipeline."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from kernelbenchx.core.huge import HugeResult, HugeState
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Composition,
    Correct,
    Reason,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.performance import Failed, Timed, Unmeasured
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import performance_stage as module
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.gpu_slots import GpuSlots
from kernelbenchx.evaluate.pipeline import Pipeline
from timed_kernels import timed

BROKEN = Broken(stage=Stage.CALL, reason=Reason.RUNTIME_ERROR, detail="no view")
WRONG = Wrong(case="a", reason=Reason.BAD_VALUES, detail="3 of 9 elements differ")
RIGHT, FAILS = CaseState.PASSED, CaseState.BROKEN


@pytest.mark.parametrize(
    ("core", "composition", "outcome", "timed"),
    [
        (RIGHT, Composition.PURE, BROKEN, True),
        (RIGHT, Composition.PURE, Void(reason=Reason.TOO_SLOW, detail=""), False),
        (FAILS, Composition.PURE, BROKEN, False),
        (RIGHT, Composition.NOT_A_KERNEL, BROKEN, False),
        (None, Composition.PURE, BROKEN, False),
    ],
)
def test_a_core_correct_submission_is_timed_apart_on_core_cases(
    pipeline: Pipeline,
    monkeypatch: pytest.MonkeyPatch,
    core: CaseState | None,
    composition: Composition,
    outcome: Broken | Void,
    timed: bool,
) -> None:
    asked: list[bool] = []

    def judged(_pipeline: object, attempt: EvaluationState, _card: object) -> Broken | Void:
        named = [] if core is None else [CaseResult("a", core, needs=())]
        attempt.cases = (*named, CaseResult("b", FAILS, needs=(Scope.LAYOUT,)))
        attempt.composition = composition
        return outcome

    def time_submission(attempt: EvaluationState, *_given: object) -> Unmeasured:
        asked.append(attempt.core_only)
        return Unmeasured(reason=Reason.DISTURBED, detail="looked at")

    monkeypatch.setattr(Pipeline, "_stages_on", judged)
    slot: Any = SimpleNamespace(index=0)
    timing: Any = SimpleNamespace(time_submission=time_submission)
    settings = msgspec.structs.replace(pipeline.settings, stage=Stage.PERF)
    workers = replace(pipeline.workers, settings=settings)
    whole = replace(
        pipeline, workers=workers, gpu_slots=GpuSlots((slot,)), timing=timing, ahead=None
    )
    found = whole.evaluate(Submission(name="s", task="activation/relu", source=""))
    assert asked == [True] * timed
    assert found.performance is None and (found.core_performance is not None) == timed


@pytest.mark.parametrize(("half", "dtype"), [(FAILS, "float32"), (RIGHT, "")])
def test_a_basic_submission_is_timed_apart_in_the_first_dtype(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch, half: CaseState, dtype: str
) -> None:
    asked: list[tuple[bool, str]] = []

    def judged(_pipeline: object, attempt: EvaluationState, _card: object) -> Broken:
        attempt.cases = (
            CaseResult("a", RIGHT, dtype="float32"),
            CaseResult("b", half, dtype="float16"),
            CaseResult("c", FAILS, needs=(Scope.LAYOUT,), dtype="float32"),
        )
        return BROKEN

    def time_submission(attempt: EvaluationState, *_given: object) -> Unmeasured:
        asked.append((attempt.core_only, attempt.only_dtype))
        return Unmeasured(reason=Reason.DISTURBED, detail="looked at")

    monkeypatch.setattr(Pipeline, "_stages_on", judged)
    slot: Any = SimpleNamespace(index=0)
    timing: Any = SimpleNamespace(time_submission=time_submission)
    settings = msgspec.structs.replace(pipeline.settings, stage=Stage.PERF)
    workers = replace(pipeline.workers, settings=settings)
    whole = replace(
        pipeline, workers=workers, gpu_slots=GpuSlots((slot,)), timing=timing, ahead=None
    )
    found = whole.evaluate(Submission(name="s", task="activation/relu", source=""))
    assert asked == [(True, dtype)]
    assert found.performance is None
    assert (found.basic_performance is not None) == bool(dtype)
    assert (found.core_performance is not None) == (not dtype)


@pytest.mark.parametrize(("works", "failed"), [(True, True), (False, False)])
def test_a_failed_huge_call_is_a_failure_and_its_times_are_those_of_core_cases(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch, works: bool, failed: bool
) -> None:
    huge = HugeResult(
        state=HugeState.FAILED,
        case="n=9",
        reason=Reason.RUNTIME_ERROR,
        detail="CUDA error: an illegal memory access",
    )
    times = msgspec.structs.replace(timed(), huge=huge)
    monkeypatch.setattr(Pipeline, "_stages_on", lambda *_given: Correct(cases=1, worst=0.0))
    monkeypatch.setattr(module, "is_gpu_working_alone", lambda *_given: works)
    slot: Any = SimpleNamespace(index=0, device="cuda:0")
    timing: Any = SimpleNamespace(time_submission=lambda *_given: times)
    settings = msgspec.structs.replace(pipeline.settings, stage=Stage.PERF)
    workers = replace(pipeline.workers, settings=settings)
    whole = replace(
        pipeline, workers=workers, gpu_slots=GpuSlots((slot,)), timing=timing, ahead=None
    )
    found = whole.evaluate(Submission(name="s", task="activation/relu", source=""))
    assert isinstance(found.performance, Failed if failed else Timed)
    assert found.solved is not failed
    assert found.core_performance == (times if failed else None)
    assert found.scale.huge is not None
    assert found.scale.huge.state is (HugeState.FAILED if failed else HugeState.NOT_JUDGED)
