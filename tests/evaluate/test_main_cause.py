"""The cause that is named explains more failures than any other."""

import pytest

from kernelbenchx.core.outcome import Broken, Reason, Stage, Wrong
from kernelbenchx.evaluate.main_cause import describe_cause, find_main_cause, largest_group

SOURCE = "import triton\ny = 1 / (1 + tl.exp(-x))\ntl.store(p, tl.log(x))\ny = tl.exp(tl.sin(x))\n"
REFUSED = "k: Expected dtype ['fp32', 'fp64'] but got {}"


def _broken(case: str, detail: str, line: int = 0, reason: Reason = Reason.RUNTIME_ERROR) -> Broken:
    return Broken(stage=Stage.CALL, reason=reason, detail=detail, case=case, line=line)


def _wrong(case: str, reason: Reason = Reason.BAD_VALUES, detail: str = "far") -> Wrong:
    return Wrong(case=case, reason=reason, detail=detail)


def test_one_case_that_breaks_does_not_hide_many_that_are_refused_a_dtype() -> None:
    refused = [
        _broken(f"n={n}", REFUSED.format(kind), 2, Reason.COMPILE_ERROR)
        for n, kind in enumerate(("fp16", "bf16", "fp16"))
    ]
    found = find_main_cause([_broken("n=()", "ValueError: no 0-d tensors", 9), *refused], SOURCE)
    assert found is not None
    assert (found.reason, found.case) == (Reason.COMPILE_ERROR, "n=0")
    assert found.words == "`tl.exp` takes fp32 or fp64 (line 2)"
    assert found.cases == ("n=0", "n=1", "n=2")


def test_wrong_answers_are_the_cause_where_they_are_most() -> None:
    found = find_main_cause([_broken("a", "no"), _wrong("b"), _wrong("c")], SOURCE)
    assert found is not None and found.reason is Reason.BAD_VALUES
    assert find_main_cause([], SOURCE) is None


def test_messages_that_differ_in_numbers_and_dtypes_are_one_cause() -> None:
    alike = [_broken("a", "shape (3, 4) of 'x'"), _broken("b", "shape (17, 1) of 'weight'")]
    other = _broken("c", "no view"), _wrong("d", Reason.BAD_DTYPE)
    found = find_main_cause([*other, *alike], SOURCE)
    assert found is not None and found.cases == ("a", "b")


def test_of_groups_alike_in_size_the_plainest_case_decides() -> None:
    failures = [_broken("hard", "one"), _broken("plain", "two")]
    order = {"hard": (2, 0), "plain": (0, 1)}
    assert [one.case for one in largest_group(failures, order)] == ["plain"]
    order = {"hard": (0, 0), "plain": (0, 1)}
    assert [one.case for one in largest_group(failures, order)] == ["hard"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (2, "`tl.exp` takes fp32 or fp64 (line 2)"),
        (3, "`tl.log` takes fp32 or fp64 (line 3)"),
        (4, "k: Expected dtype ['fp32', 'fp64'] but got fp16 (line 4)"),
        (99, "k: Expected dtype ['fp32', 'fp64'] but got fp16 (line 99)"),
    ],
)
def test_the_function_that_refuses_is_named_where_the_line_tells_it(line: int, words: str) -> None:
    assert describe_cause(_broken("a", REFUSED.format("fp16"), line), SOURCE) == words


def test_what_triton_says_about_a_place_is_left_out() -> None:
    detail = "CompilationError: at 6:8:\n  y = sum(x)\n      ^\nNameError('sum is not defined')"
    assert describe_cause(_broken("a", detail)) == "NameError('sum is not defined')"
    assert describe_cause(_broken("a", "x" * 300)).endswith("x…")
