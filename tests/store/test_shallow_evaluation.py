import msgspec
import pytest

from kernelbenchx.core.outcome import Finding, Reason, Rejected, Worst, Wrong
from kernelbenchx.core.record import to_json
from kernelbenchx.store.shallow_evaluation import ShallowWorst, decode_shallow
from samples import evaluation, on_a_card, timed

FURTHEST = Worst(
    output="y", index=(3,), expected="2.0", got="inf", error=float("inf"), bad=1, total=4
)
WRONG = Wrong(case="c", reason=Reason.BAD_VALUES, detail="off", worst=FURTHEST, pattern="one row")


def test_times_are_read_as_deep_as_needed() -> None:
    found = decode_shallow(to_json(on_a_card(evaluation(performance=timed(1.5)))).decode())
    assert found.environment.gpu == "NVIDIA H200"
    assert found.performance is not None
    assert [one.speedup for one in found.performance.speedups] == [1.5]
    assert [one.overhead_bound for one in found.performance.cases] == [False, True]


def test_a_wrong_answer_says_where_and_an_unbounded_error_is_no_problem() -> None:
    found = decode_shallow(to_json(evaluation(outcome=WRONG)).decode())
    assert (found.outcome.detail, found.outcome.pattern) == ("off", "one row")
    assert found.outcome.worst == ShallowWorst(expected="2.0", got="inf")
    assert found.performance is None


def test_what_is_said_of_a_rejected_one_is_the_first_finding_that_rejects() -> None:
    noted = Finding(rule="style", line=1, why="is long", fatal=False)
    fatal = Finding(rule="imports", line=2, why="imports os, which is not allowed")
    found = decode_shallow(to_json(evaluation(outcome=Rejected(findings=(noted, fatal)))).decode())
    assert found.outcome.words == "imports os, which is not allowed"
    assert decode_shallow(to_json(evaluation(outcome=WRONG)).decode()).outcome.words == "off"
    assert decode_shallow(to_json(evaluation()).decode()).outcome.words == ""


def test_a_right_answer_has_a_number_there() -> None:
    assert decode_shallow(to_json(evaluation()).decode()).outcome.worst == 0.5


@pytest.mark.parametrize("text", ["", "{}", '{"origin": 3}'])
def test_what_is_no_evaluation_is_refused(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_shallow(text)
