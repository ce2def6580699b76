"""What a worker wrote, call by call: answers, failures, and the call in which it ended."""

import pytest

from kernelbenchx.core.outcome import Broken, Reason, Void
from kernelbenchx.evaluate.call_results import CallResults, results_of
from kernelbenchx.evaluate.calls import plan_slots
from kernelbenchx.evaluate.workers import WorkerRun
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.orders import WorkerError, WorkerReport
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.outputs import CallResult

CALLS = plan_slots("activation/relu", 3, 5)
WITH = [number for number, slot in enumerate(CALLS) if not slot.ablate]
WITHOUT, *_ = (number for number, slot in enumerate(CALLS) if slot.ablate)
FIRST, SECOND = WITH[:2]
CLEAN, CRASH = Ending(exit_code=0), Ending(signal=11)
ANSWER = CallResult(result=None, after=Call(), aliases=(), devices=(), layouts=())
ANSWERS = dict.fromkeys(range(len(CALLS)), ANSWER)


def error(call: int | None, kind: str = "ValueError") -> WorkerError:
    return WorkerError("load" if call is None else "call", call, kind, "no", 7)


def found(ending: Ending, **report: object) -> CallResults:
    return results_of(WorkerRun(ending, WorkerReport(entry="relu", **report)), CALLS)  # type: ignore[arg-type]


def reason(results: CallResults, number: int) -> Reason:
    return results.failures[number].reason


def test_a_complete_result_without_errors_has_no_failure() -> None:
    results = found(CLEAN, returned=ANSWERS, done=True)
    assert not list(results.every_failure()) and results.fatal is None
    assert all(map(results.has_answer, range(len(CALLS))))


def test_an_exception_is_a_failure_of_its_own_call() -> None:
    answers = {n: one for n, one in ANSWERS.items() if n != FIRST}
    results = found(CLEAN, returned=answers, errors=[error(FIRST), error(WITHOUT)], done=True)
    assert set(results.failures) == {FIRST}, "without kernels it says nothing"
    failure = results.failures[FIRST]
    assert isinstance(failure, Broken) and failure.case == CALLS[FIRST].drawn.case.name
    assert not results.has_answer(FIRST) and results.has_answer(SECOND)


def test_an_answer_beside_an_exception_does_not_count() -> None:
    results = found(CLEAN, returned=ANSWERS, errors=[error(FIRST)], done=True)
    assert not results.has_answer(FIRST)


def test_an_answer_that_is_missing_breaks_its_call() -> None:
    answers = {n: one for n, one in ANSWERS.items() if n != FIRST}
    results = found(CLEAN, returned=answers, done=True)
    assert set(results.failures) == {FIRST} and reason(results, FIRST) is Reason.MALFORMED


def test_a_failure_while_loading_is_one_of_the_whole() -> None:
    results = found(CLEAN, errors=[error(None)])
    assert isinstance(results.whole, Broken) and results.whole.reason is Reason.LOAD_ERROR
    assert results.fatal is None


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        (CRASH, Reason.CRASH),
        (Ending(exit_code=3), Reason.EXIT),
        (Ending(signal=9, over="cpu"), Reason.TIMEOUT),
        (Ending(signal=9, over="memory"), Reason.MEMORY),
        (CLEAN, Reason.MALFORMED),
    ],
)
def test_the_call_under_way_is_the_one_that_ended_the_process(
    ending: Ending, expected: Reason
) -> None:
    results = found(ending, begun=SECOND, returned=ANSWERS)
    assert results.fatal == SECOND and results.whole is None
    assert set(results.failures) == {SECOND} and reason(results, SECOND) is expected
    assert not any(map(results.has_answer, range(len(CALLS)))), "it did not come to its end"


def test_what_a_call_raised_says_more_than_how_its_process_ended() -> None:
    for ending in (CLEAN, CRASH):
        results = found(ending, begun=FIRST, errors=[error(FIRST, "AcceleratorError")])
        assert results.fatal == FIRST and reason(results, FIRST) is Reason.RUNTIME_ERROR


def test_an_ending_without_kernels_breaks_no_case() -> None:
    results = found(CRASH, begun=WITHOUT)
    assert results.fatal == WITHOUT and not results.failures


def test_a_result_that_makes_no_sense_is_no_matter_of_a_call() -> None:
    results = found(CLEAN, begun=FIRST, malformed="frames after the end")
    assert isinstance(results.whole, Broken) and results.fatal is None


def test_what_failed_before_the_interpreter_was_too_slow_has_failed() -> None:
    slow = Ending(signal=9, over="programs")
    assert isinstance(found(slow, begun=SECOND).whole, Void)
    results = found(slow, begun=SECOND, errors=[error(FIRST)])
    assert results.whole is None and results.fatal is None
    assert set(results.failures) == {FIRST}


def test_of_the_first_process_only_the_fatal_call_counts() -> None:
    first = found(CRASH, begun=FIRST)
    numbers = [SECOND, WITHOUT]
    report = WorkerReport(entry="relu", returned={0: ANSWER}, errors=[error(1)], done=True)
    later = CallResults(report, undefined=True)
    both = first.merge_second_run(later, numbers)
    assert both.has_answer(SECOND) and not both.has_answer(FIRST)
    assert set(both.failures) == {FIRST} and both.undefined
    assert [one.call for one in both.report.errors] == [WITHOUT]
