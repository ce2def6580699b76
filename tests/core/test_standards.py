from itertools import product

import msgspec
import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    CaseResult,
    CaseState,
    Correct,
    Finding,
    Outcome,
    Reached,
    Reason,
    Rejected,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.performance import Failed
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.standards import DEFINITIONS, Standard
from samples import evaluation

WRONG = Wrong(case="b", reason=Reason.BAD_VALUES, detail="far")
RIGHT = Correct(cases=4, worst=0.5)
KINDS: tuple[tuple[str, tuple[Scope, ...]], ...] = (
    ("float32", ()),
    ("float16", ()),
    ("float32", (Scope.LAYOUT,)),
    ("float16", (Scope.LAYOUT,)),
)


def _judged(
    passed: tuple[bool | None, ...], outcome: Outcome = WRONG, first: str = "float32"
) -> Evaluation:
    """With a case of each kind that passes or fails; None leaves it out."""
    cases = tuple(
        CaseResult(f"n={at}", CaseState.PASSED if right else CaseState.WRONG, None, "", needs, None,
                   False, dtype)
        for at, (right, (dtype, needs)) in enumerate(zip(passed, KINDS, strict=True))
        if right is not None
    )  # fmt: skip
    return msgspec.structs.replace(evaluation(outcome=outcome, cases=cases), first_dtype=first)


def _met(one: Evaluation) -> tuple[bool | None, ...]:
    return tuple(one.meets(standard) for standard in Standard)


@pytest.mark.parametrize(
    ("passed", "met"),
    [
        ((True, True, False, True), (True, True, False)),
        ((True, False, True, True), (True, False, False)),
        ((False, True, True, True), (False, False, False)),
        ((None, False, True, True), (None, False, False)),
        ((None, True, False, True), (True, True, False)),
        ((None, None, False, True), (None, None, False)),
    ],
)
def test_what_each_standard_asks_for(
    passed: tuple[bool | None, ...], met: tuple[bool | None, ...]
) -> None:
    assert _met(_judged(passed)) == met


def test_the_first_dtype_is_that_of_the_task() -> None:
    assert _met(_judged((True, False, True, True), first="float16")) == (False, False, False)
    assert _met(_judged((False, True, True, True), first="float16")) == (True, False, False)


@pytest.mark.parametrize("outcome", [WRONG, RIGHT])
def test_each_standard_contains_the_one_above_it(outcome: Outcome) -> None:
    failed = Failed(case="n=9", reason=Reason.TIMED_WRONG, detail="")
    for passed in product((True, False, None), repeat=len(KINDS)):
        for performance in (None, failed):
            one = msgspec.structs.replace(_judged(passed, outcome), performance=performance)
            basic, core, strict = _met(one)
            assert not strict or core
            assert not core or basic
            assert strict == one.solved
            assert (one.basic_correct, one.core_correct) == (basic, core)


@pytest.mark.parametrize(
    ("outcome", "met"),
    [
        (Rejected(findings=(Finding(rule="r", line=1, why="w"),)), (False, False, False)),
        (RIGHT, (True, True, True)),
        (Void(reason=Reason.TOO_SLOW, detail=""), (None, None, None)),
        (Reached(stage=Stage.CALL), (None, None, None)),
    ],
)
def test_where_no_case_was_judged_the_outcome_decides(
    outcome: Outcome, met: tuple[bool | None, ...]
) -> None:
    assert _met(evaluation(outcome=outcome)) == met


def test_every_standard_is_defined() -> None:
    assert DEFINITIONS.keys() == set(Standard)
