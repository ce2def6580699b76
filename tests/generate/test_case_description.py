"""Cases as authors read them: enough to write the call again, nothing to recognise it by."""

import msgspec
import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.outcome import CaseResult, CaseState
from kernelbenchx.generate.case_description import case_words, in_common
from tiers import mark_slow

ADD = statement("math/add")
_BROKEN = {CaseState.WRONG: CaseState.BROKEN, CaseState.PASSED: CaseState.PASSED}


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("shape=(5,409),layout=strided", "shape=(5, 409), layout=strided"),
        ("shape=(3001,),dtype=float16", "shape=(3001,), dtype=float16"),
        ("shape=(),dtype=float32", "shape=(), dtype=float32"),
        ("shape=(33,40),other_dtype=int64,alpha=3", "shape=(33, 40), other_dtype=int64, alpha=3"),
        ("shape=(4,),other=(2,1),out=strided", "shape=(4,), other=(2, 1), out=strided"),
    ],
)
def test_shapes_dtypes_layouts_and_switches_are_told(case: str, words: str) -> None:
    assert case_words(case, ADD) == words


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("shape=(4,),alpha=-0.3", "shape=(4,), alpha a number"),
        ("shape=(4,),alpha=1e-07", "shape=(4,), alpha a number"),
        ("shape=(4,),size=0.001,edges=True", "shape=(4,)"),
        ("shape=(4,),kind=graded,low=0.0,high=60000.0,rate=3", "shape=(4,)"),
        ("", ""),
    ],
)
def test_values_and_how_they_are_drawn_are_not(case: str, words: str) -> None:
    assert case_words(case, ADD) == words


@pytest.mark.parametrize("name", mark_slow(catalog.function_names(), fast=12))
def test_no_case_of_the_catalogue_is_told_by_its_name(name: str) -> None:
    task, stated = catalog.load(name), statement(name)
    for case in (*task.cases(0), *task.timings):
        words = case_words(case.name, stated)
        assert words
        assert case.name not in words
        assert "." not in words, "a real number is a value"


def results(*pairs: tuple[str, str]) -> tuple[CaseResult, ...]:
    return tuple(CaseResult(case, CaseState(state)) for case, state in pairs)


def test_what_only_wrong_cases_have_is_found() -> None:
    found = results(
        ("shape=(3,),dtype=bfloat16", "wrong"),
        ("shape=(4,),dtype=bfloat16,alpha=2", "wrong"),
        ("shape=(3,),dtype=float32", "passed"),
    )
    assert in_common(found, ADD) == "All failing inputs, and no other, have dtype=bfloat16"
    raised = [msgspec.structs.replace(one, state=_BROKEN[one.state]) for one in found]
    assert in_common(raised, ADD) == in_common(found, ADD)


def test_what_most_failing_cases_have_is_told_with_how_many() -> None:
    found = results(
        ("shape=(3,),other_layout=strided", "wrong"),
        ("shape=(4,),other_layout=strided", "broken"),
        ("shape=(5,),other_layout=contiguous", "wrong"),
        ("shape=(3,),other_layout=contiguous", "passed"),
    )
    said = "2 of 3 failing inputs have other_layout=strided; none of 1 that pass"
    assert in_common(found, ADD) == said
    often = results(*((f"shape=({n},),other_layout=strided", "passed") for n in range(9)))
    assert in_common((*found, *often), ADD) == ""


def test_what_a_right_case_has_too_is_no_reason() -> None:
    found = results(
        ("shape=(3,),dtype=bfloat16", "wrong"),
        ("shape=(4,),dtype=bfloat16", "wrong"),
        ("shape=(5,),dtype=bfloat16", "passed"),
    )
    assert in_common(found, ADD) == ""
    assert in_common(found[:1], ADD) == "", "one wrong case has nothing in common"
    assert in_common(found[:2], ADD) == "", "without a right case everything would be"


def test_hidden_traits_stay_hidden() -> None:
    found = results(
        ("shape=(3,),size=0.1", "wrong"), ("shape=(4,),size=0.1", "wrong"), ("shape=(5,)", "passed")
    )
    assert in_common(found, ADD) == ""


PROBLEM = statement("level1/elu")


def test_sizes_of_a_problem_are_told_and_how_values_are_drawn_is_not() -> None:
    words = case_words("rows=5,columns=129,kernel=(3,5),slope=0.25,values=wide", PROBLEM)
    assert words == "rows=5, columns=129, kernel=(3, 5), slope a number"
    assert case_words("rows=5,columns=129", ADD) == ""


def test_a_size_that_all_failing_cases_of_a_problem_have_is_named() -> None:
    cases = [
        CaseResult(case=f"rows={rows},columns={at},values=wide", state=state)
        for rows, state in ((1, CaseState.WRONG), (5, CaseState.PASSED))
        for at in (3, 4)
    ]
    assert in_common(cases, PROBLEM) == "All failing inputs, and no other, have rows=1"
