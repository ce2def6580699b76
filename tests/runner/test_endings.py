"""An ending becomes an outcome with a reason a person can use."""

import signal

import pytest

from kernelbenchx.core.outcome import Broken, Reason, Stage, Void
from kernelbenchx.runner.endings import Ending, classify_ending


@pytest.mark.parametrize(
    ("ending", "reason", "detail"),
    [
        (Ending(signal=9, over="wall", seconds=2.04), Reason.TIMEOUT, "2.0 s"),
        (Ending(over="wall", limit_s=2.0, seconds=2.04), Reason.TIMEOUT, "limit of 2 s (2.0 s)"),
        (Ending(over="cpu", limit_s=2, cpu_seconds=2), Reason.TIMEOUT, "limit of 2 s (2.0 s)"),
        (Ending(over="idle", limit_s=2.0, seconds=2.04), Reason.TIMEOUT, "slept"),
        (
            Ending(over="cancelled", limit_s=9.0, seconds=2),
            Reason.TIMEOUT,
            "stopped before it finished (2.0 s)",
        ),
        (Ending(over="call", limit_s=3.0), Reason.TIMEOUT, "a call did not finish within"),
        (Ending(over="call_idle", limit_s=3.8), Reason.TIMEOUT, "time limit of 3.8 s"),
        (Ending(signal=24, over="cpu", seconds=2.0), Reason.TIMEOUT, "CPU time"),
        (Ending(signal=int(signal.SIGSEGV)), Reason.CRASH, "SIGSEGV"),
        (Ending(signal=int(signal.SIGXFSZ)), Reason.OUTPUT_LIMIT, "file"),
        (Ending(signal=9, over="memory"), Reason.MEMORY, "memory"),
        (Ending(exit_code=1, log="Traceback\nMemoryError\n"), Reason.MEMORY, "memory"),
        (Ending(signal=9, over="log"), Reason.OUTPUT_LIMIT, "printed more than 16 MiB"),
        (Ending(exit_code=0, over="result"), Reason.OUTPUT_LIMIT, "result"),
        (Ending(signal=9, over="scratch"), Reason.OUTPUT_LIMIT, "temporary"),
        (Ending(signal=9, over="processes"), Reason.CRASH, "processes"),
        (Ending(signal=9, over="cancelled", seconds=2.04), Reason.TIMEOUT, "2.0 s"),
        (Ending(exit_code=3), Reason.EXIT, "exited with code 3"),
        (Ending(signal=77), Reason.CRASH, "signal 77"),
    ],
)
def test_each_ending_has_its_reason(ending: Ending, reason: Reason, detail: str) -> None:
    outcome = classify_ending(ending, Stage.CALL)
    assert isinstance(outcome, Broken)
    assert (outcome.stage, outcome.reason) == (Stage.CALL, reason)
    assert detail in outcome.detail


def test_last_words_are_shown_and_cut() -> None:
    ending = Ending(exit_code=1, log="Traceback ...\nValueError: " + "x" * 1000 + "\n\n")
    outcome = classify_ending(ending, Stage.EXE)
    assert "last line it printed: ValueError: xxx" in outcome.detail
    assert len(outcome.detail) < 400


def test_a_lost_child_is_void_whatever_else_it_says() -> None:
    outcome = classify_ending(
        Ending(signal=9, over="wall", lost=True, fault="parent gone"), Stage.CALL
    )
    assert outcome == Void(reason=Reason.EVALUATOR, detail="parent gone")


def test_programs_that_end_one_after_the_other_are_no_failure() -> None:
    ending = Ending(signal=9, over="programs", programs=512, program_seconds=240.3)
    outcome = classify_ending(ending, Stage.CALL)
    assert isinstance(outcome, Void)
    assert outcome.reason is Reason.TOO_SLOW
    assert "512 programs in 240 s" in outcome.detail


def test_a_cancelled_child_is_not_clean_and_did_not_use_up_its_own_time() -> None:
    ending = Ending(exit_code=0, over="cancelled")
    assert not ending.clean
    assert not ending.timed_out
    assert Ending(signal=9, over="wall").timed_out and Ending(over="call").timed_out
    assert not Ending(over="wall").over_call and Ending(over="call_idle").over_call


def test_a_clean_ending_is_not_broken() -> None:
    with pytest.raises(ValueError, match="clean"):
        classify_ending(Ending(exit_code=0), Stage.CALL)
