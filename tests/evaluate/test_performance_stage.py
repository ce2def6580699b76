"""Which submissions are timed, and under which label; what becomes of times: test_pipeline."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Composition,
    Reason,
    Stage,
    Void,
)
from kernelbenchx.core.performance import Unmeasured
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.cards import Cards
from kernelbenchx.evaluate.pipeline import Pipeline

BROKEN = Broken(stage=Stage.CALL, reason=Reason.RUNTIME_ERROR, detail="no view")
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

    def judged(_pipeline: object, attempt: Attempt, _card: object) -> Broken | Void:
        named = [] if core is None else [CaseResult("a", core, needs=())]
        attempt.cases = (*named, CaseResult("b", FAILS, needs=(Scope.LAYOUT,)))
        attempt.composition = composition
        return outcome

    def performance(attempt: Attempt, *_given: object) -> Unmeasured:
        asked.append(attempt.core_only)
        return Unmeasured(reason=Reason.DISTURBED, detail="looked at")

    monkeypatch.setattr(Pipeline, "_stages_on", judged)
    slot: Any = SimpleNamespace(index=0)
    timing: Any = SimpleNamespace(performance=performance)
    settings = msgspec.structs.replace(pipeline.settings, stage=Stage.PERF)
    workers = replace(pipeline.workers, settings=settings)
    whole = replace(pipeline, workers=workers, cards=Cards((slot,)), timing=timing, ahead=None)
    found = whole.evaluate(Submission(name="s", task="activation/relu", source=""))
    assert asked == [True] * timed
    assert found.performance is None and (found.core_performance is not None) == timed
