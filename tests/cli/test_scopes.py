"""Counts by scope as a person reads them: what fails, and what was not judged."""

import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from kernelbenchx.cli.evaluation_table import print_evaluations, why
from kernelbenchx.cli.scopes import core_times, print_scopes
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.failed_scopes import describe_failed_scopes
from kernelbenchx.core.outcome import Broken, CaseResult, CaseState, MainCause, Reason, Stage, Wrong
from kernelbenchx.core.performance import LeftOut, Performance, Unmeasured
from kernelbenchx.core.scopes import Scope
from samples import evaluation, timed

WRONG = Wrong(case="n=1", reason=Reason.BAD_VALUES, detail="far")
CRASH = Broken(stage=Stage.CALL, reason=Reason.CRASH, detail="killed", case="n=1")


def cases(states: str, *needs: Scope) -> tuple[CaseResult, ...]:
    words = {"+": CaseState.PASSED, "-": CaseState.WRONG, "!": CaseState.BROKEN,
             "?": CaseState.NOT_REACHED}  # fmt: skip
    return tuple(CaseResult(f"n={n}", words[one], needs=needs) for n, one in enumerate(states))


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            cases("++") + cases("-!-!+", Scope.LAYOUT) + cases("-+-", Scope.DTYPE),
            "core correct; fails layout 4 of 5, dtype 2 of 3",
        ),
        (cases("-++") + cases("+", Scope.LAYOUT), "fails core 1 of 3"),
        (cases("+") + cases("-", Scope.LAYOUT, Scope.DTYPE), "core correct; fails combined 1 of 1"),
        (cases("!??"), "fails core 1 of 3 (2 not reached)"),
        (cases("!") + cases("??", Scope.VALUES), "fails core 1 of 1; not reached: values"),
        (cases("-", Scope.LAYOUT), "fails layout 1 of 1"),
        ((), ""),
    ],
)
def test_the_line_of_a_result_leads_with_the_scopes(
    found: tuple[CaseResult, ...], words: str
) -> None:
    one = evaluation(outcome=WRONG, cases=found)
    assert describe_failed_scopes(one) == words
    assert why(one).startswith(words)


def _dtypes(**states: str) -> tuple[CaseResult, ...]:
    """Core cases of each dtype, as many as there are signs."""
    return tuple(
        msgspec.structs.replace(one, case=f"{dtype} {one.case}", dtype=dtype)
        for dtype, signs in states.items()
        for one in cases(signs)
    )


CAUSE = MainCause(
    reason=Reason.COMPILE_ERROR, words="`tl.exp` takes fp32", case="a",
    cases=("float16 n=0", "float16 n=1", "bfloat16 n=0"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("found", "main", "words"),
    [
        (
            _dtypes(float32="++", float16="--", bfloat16="-"),
            CAUSE,
            "core correct in float32; fails float16 and bfloat16: `tl.exp` takes fp32",
        ),
        (
            _dtypes(float32="++", float16="+-"),
            None,
            "core correct in float32; fails float16",
        ),
        (
            _dtypes(float32="++", float64="--"),
            CAUSE,
            "core correct in float32; fails float64",
        ),
        (_dtypes(float32="+-", float16="--"), CAUSE, "fails core 3 of 4"),
        (_dtypes(float32="++", float16="++"), CAUSE, ""),
    ],
)
def test_what_is_right_in_the_first_dtype_says_in_which_it_fails(
    found: tuple[CaseResult, ...], main: MainCause | None, words: str
) -> None:
    one = evaluation(outcome=WRONG, cases=found)
    assert (
        describe_failed_scopes(msgspec.structs.replace(one, first_dtype="float32", main_cause=main))
        == words
    )


def test_other_scopes_are_named_as_far_as_they_fail_in_the_first_dtype() -> None:
    layouts = [
        CaseResult(f"l {dtype}", CaseState.WRONG, needs=(Scope.LAYOUT,), dtype=dtype)
        for dtype in ("float32", "float16", "float16")
    ]
    one = evaluation(outcome=WRONG, cases=(*_dtypes(float32="+", float16="-"), *layouts))
    one = msgspec.structs.replace(one, first_dtype="float32")
    assert (
        describe_failed_scopes(one)
        == "core correct in float32; fails float16; in float32 fails layout 1 of 1"
    )


def test_what_is_correct_has_no_grade() -> None:
    assert describe_failed_scopes(evaluation(cases=cases("++"))) == ""


def test_the_sentence_about_all_cases_stands_for_the_detail() -> None:
    pattern = "1 of 3 cases pass; 2 fail, both with dtype float16: killed"
    for outcome in (WRONG, CRASH):
        one = evaluation(outcome=outcome, cases=cases("+--"))
        said = why(msgspec.structs.replace(one, pattern=pattern))
        first, second = said.split("\n")
        assert first == "fails core 2 of 3"
        assert second == f"{outcome.reason.value}: {pattern} [n=1]"


def _printed(one: Evaluation) -> list[list[str]]:
    out = io.StringIO()
    print_scopes(one, Console(file=out, width=80))
    return [line.split(maxsplit=3) for line in out.getvalue().splitlines() if line.strip()]


def test_a_table_has_every_scope() -> None:
    found = cases("++") + cases("-?", Scope.LAYOUT) + cases("??", Scope.VALUES)
    rows = _printed(evaluation(outcome=WRONG, cases=found))
    assert ["core", "2", "2", "passes"] in [[word.strip() for word in row] for row in rows]
    said = {row[0]: " ".join(row[1:]).strip() for row in rows}
    assert said["layout"] == "2 0 fails 1, 1 not reached"
    assert said["values"] == "2 0 2 not reached"
    assert said["dtype"] == said["degenerate"] == said["scale"] == "not judged"
    assert "combined" not in said


def test_without_counts_there_is_no_table() -> None:
    assert _printed(evaluation()) == []


def _core_timed(found: Performance | None = None) -> Evaluation:
    one = evaluation(outcome=WRONG, cases=cases("++") + cases("-", Scope.LAYOUT))
    return msgspec.structs.replace(one, core_performance=found or timed(2.0))


def test_times_of_core_cases_are_called_so() -> None:
    words = "core times: 2.00x [1.96, 2.04] over eager (faster), 2 core cases"
    assert core_times(_core_timed()) == words
    assert why(_core_timed()).split("\n")[:2] == ["core correct; fails layout 1 of 1", words]
    part = msgspec.structs.replace(timed(2.0), left_out=(LeftOut(case="n=9", why="needs layout"),))
    assert core_times(_core_timed(part)) == f"{words}, 1 left out"
    lost = Unmeasured(reason=Reason.DISTURBED, detail="another process")
    assert core_times(_core_timed(lost)).startswith("core times: unmeasured, dist")
    assert core_times(evaluation(performance=timed(2.0))) == ""


def test_core_times_are_in_no_speedup_column_and_no_mean() -> None:
    out = io.StringIO()
    right = evaluation("right", performance=timed(3.0))
    print_evaluations([_core_timed(), right], Path("runs/x"), Console(file=out, width=100))
    said = out.getvalue()
    row = next(line for line in said.splitlines() if line.split()[:2] == ["one", "wrong"])
    assert "2.00x" not in row and "core times: 2.00x" in said
    assert "timed on core cases only, in no rate or mean: 1" in said
    assert "3.00x" in next(line for line in said.splitlines() if "geometric mean" in line)
    assert "core cases only" not in _line_of([right])


def _line_of(some: list[Evaluation]) -> str:
    out = io.StringIO()
    print_evaluations(some, Path("runs/x"), Console(file=out, width=100))
    return out.getvalue()
