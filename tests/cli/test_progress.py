import io
import re
import time

import pytest
from rich.console import Console

from kernelbenchx.cli.progress import EvaluationProgress
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Unmeasured
from samples import evaluation

LOST = Unmeasured(reason=Reason.DISTURBED, detail="a stranger")


def test_without_a_terminal_each_outcome_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with EvaluationProgress(quiet=False) as progress:
        progress.begin(4, 1)
        progress.stage("two", "checking")
        progress.done(evaluation("two"))
        progress.done(evaluation("three", performance=LOST))
    assert capsys.readouterr().err.splitlines() == [
        "evaluating 4 submissions, 1 finished before",
        "  [2/4] two: correct",
        "  [3/4] three: correct but unmeasured",
    ]


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with EvaluationProgress(quiet=True) as progress:
        progress.begin(1, 0)
        progress.stage("one", "timing")
        progress.done(evaluation())
    assert capsys.readouterr() == ("", "")


def test_a_terminal_sees_what_happens_now_and_keeps_nothing_of_it() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, height=24)
    with EvaluationProgress(quiet=False, console=console) as progress:
        progress.begin(2, 0)
        progress.stage("gelu__fast", "timing")
        assert progress._live is not None
        progress._live.refresh()
        progress.done(evaluation("gelu__fast"))
        progress._live.refresh()
    drawn = screen.getvalue()
    assert "gelu__fast 0:00" in drawn and "1 correct" in drawn
    erase_line, show_cursor = "\x1b[2K", "\x1b[?25h"
    assert drawn.rstrip().endswith(erase_line) and show_cursor in drawn


def test_silence_is_broken_by_what_is_under_way(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernelbenchx.cli.progress.SILENT_S", 0.02)
    heard = ""

    def wait_for(words: str) -> None:
        nonlocal heard
        while re.search(words, heard) is None:  # the test has a time limit
            heard += capsys.readouterr().err
            time.sleep(0.01)

    with EvaluationProgress(quiet=False) as progress:
        wait_for("  waiting for workers to start\n")
        progress.begin(6, 0)
        progress.stage("late", "queued")
        for name in ("slow", "b", "c", "d", "e"):
            progress.stage(name, "calling")
        wait_for(r"  waiting for slow \(calling for [\d:]+\), b .*, c .* and 2 more\n")
        for name in ("slow", "b", "c", "d", "e"):
            progress.done(evaluation(name))
        wait_for(r"  waiting for late \(queued for [\d:]+\)\n")
    capsys.readouterr()
    with EvaluationProgress(quiet=True):
        time.sleep(0.1)
    assert "waiting" not in capsys.readouterr().err
