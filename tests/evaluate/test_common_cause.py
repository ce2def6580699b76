"""The sentence about failing cases names what they share, and nothing that passing ones have."""

import pytest
import torch

from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Reason,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.scopes import Scope
from kernelbenchx.evaluate.common_cause import describe_failures
from kernelbenchx.spec.cases import Case

HALF, FULL = torch.float16, torch.float32
NO_VIEW = Broken(stage=Stage.CALL, reason=Reason.RUNTIME_ERROR, detail="RuntimeError: no", line=31)
PASSED, BROKEN, LOST = CaseState.PASSED, CaseState.BROKEN, CaseState.NOT_REACHED
Judged = tuple[Case, CaseResult]


def one(
    state: CaseState, *needs: Scope, said: str = "runtime_error: no", **params: object
) -> Judged:
    case = Case(params)
    words = said if state in (BROKEN, CaseState.WRONG) else ""
    return case, CaseResult(case.name, state, None, words, needs)


def test_a_value_that_only_failing_cases_have_is_named() -> None:
    judged = [
        one(PASSED, dtype=FULL),
        one(PASSED, dtype=HALF),
        *(one(BROKEN, Scope.LAYOUT, dtype=dtype, layout="transposed") for dtype in (FULL, HALF)),
        one(BROKEN, Scope.LAYOUT, dtype=HALF, layout="transposed", n=3),
    ]
    assert describe_failures(judged, NO_VIEW) == (
        "2 of 5 cases pass; 3 fail, all with a transposed input: RuntimeError: no (line 31)"
    )


def test_two_values_of_one_parameter_are_named_together() -> None:
    layouts = ("strided", "strided", "strided", "transposed")
    judged = [
        one(PASSED, shape=(5, 3), dtype=FULL),
        one(PASSED, Scope.LAYOUT, shape=(5, 3), dtype=FULL, layout="offset"),
        *(
            one(BROKEN, Scope.LAYOUT, shape=(7, n), dtype=FULL, layout=layout)
            for n, layout in enumerate(layouts, 3)
        ),
    ]
    assert "4 fail, all with a strided input or a transposed input:" in describe_failures(
        judged, NO_VIEW
    )


def test_an_argument_that_is_not_contiguous_is_named_where_layouts_do_not_tell() -> None:
    layouts = ("strided", "transposed", "expanded", "channels last")
    failing = [one(BROKEN, Scope.LAYOUT, layout=layout) for layout in layouts]
    dense = one(PASSED, Scope.LAYOUT, layout="strided", shape=(1, 1))
    judged = [one(PASSED), dense, *failing]
    strided = {result.case: ["weight"] for _, result in failing}
    assert "4 fail, all with weight not contiguous:" in describe_failures(judged, NO_VIEW, strided)
    everywhere = {result.case: ["weight"] for _, result in judged}
    assert "weight" not in describe_failures(judged, NO_VIEW, everywhere)


def test_else_what_the_cases_need_is_named() -> None:
    judged = [
        one(PASSED, n=1),
        one(PASSED, n=2),
        one(BROKEN, Scope.LAYOUT, n=1, out="contiguous"),
        one(BROKEN, Scope.LAYOUT, n=2, layout="strided"),
    ]
    assert "2 fail, both with a strided, offset or written argument:" in describe_failures(
        judged, NO_VIEW
    )


def test_else_a_pair_of_traits_is_named() -> None:
    judged = [
        one(PASSED, dtype=FULL, mean=True),
        one(PASSED, dtype=HALF, mean=False),
        one(BROKEN, dtype=HALF, mean=True),
    ]
    assert "1 fails, with dtype float16 and mean=True:" in describe_failures(judged, NO_VIEW)


def test_else_the_most_telling_trait_with_its_count() -> None:
    judged = [
        *(one(PASSED, dtype=FULL, n=n) for n in range(8)),
        *(one(BROKEN, dtype=HALF, n=n) for n in range(4)),
        one(BROKEN, dtype=FULL, n=9),
    ]
    assert "5 fail, 4 with dtype float16:" in describe_failures(judged, NO_VIEW)
    judged = [*judged[:-1], one(PASSED, dtype=HALF, n=0)]
    assert "4 fail, all with dtype float16, as 1 that pass:" in describe_failures(judged, NO_VIEW)


def test_where_nothing_tells_them_apart_nothing_is_claimed() -> None:
    judged = [one(PASSED, n=1), one(PASSED, n=1), one(BROKEN, n=1)]
    assert describe_failures(judged, NO_VIEW) == (
        "2 of 3 cases pass; 1 fails: RuntimeError: no (line 31)"
    )
    assert describe_failures(judged[2:], NO_VIEW).startswith("all 1 cases fail: ")


def test_several_reasons_and_cases_that_were_not_reached_are_told() -> None:
    judged = [one(BROKEN, n=1), one(CaseState.WRONG, n=2, said="bad_values: tail"), one(LOST, n=3)]
    assert describe_failures(judged, NO_VIEW) == (
        "0 of 3 cases pass; 2 fail: RuntimeError: no (line 31); 1 not reached"
    )


def test_long_words_are_cut_to_one_line() -> None:
    long = Wrong(case="c", reason=Reason.BAD_VALUES, detail="x" * 400 + "\nmore")
    words = describe_failures([one(PASSED, n=1), one(BROKEN, n=2)], long)
    assert "\n" not in words and len(words) < 260 and words.endswith("…")


@pytest.mark.parametrize("outcome", [Void(reason=Reason.TOO_SLOW, detail=""), NO_VIEW])
def test_without_a_failure_there_is_no_sentence(outcome: Void | Broken) -> None:
    assert describe_failures([one(PASSED, n=1)], outcome) == ""
