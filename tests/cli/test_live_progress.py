import io
import sys

import pytest
from rich.console import Console

from kernelbenchx.cli.activity import Activity
from kernelbenchx.cli.live_progress import LiveProgress, describe_verdict
from kernelbenchx.core.outcome import Reason, Rejected
from kernelbenchx.core.performance import Unmeasured
from samples import evaluation


class Work(LiveProgress[Activity]):
    """So much to do."""

    def _make_view(self) -> Activity:
        return Activity()

    def begin(self, total: int) -> None:
        self._start(total, 0, f"{total} to do")

    def say(self, line: str) -> None:
        self._print(line)


def _screen() -> tuple[io.StringIO, Console]:
    screen = io.StringIO()
    return screen, Console(file=screen, force_terminal=True, width=80, height=24)


def test_lines_are_for_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Work(quiet=False) as work:
        work.begin(3)
        work.stage("one", "timing")
        work.say("one is done")
    assert capsys.readouterr() == ("", "3 to do\none is done\n")


def test_on_a_terminal_there_is_a_view_and_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    screen, console = _screen()
    with Work(quiet=False, console=console) as work:
        work.begin(3)
        work.stage("one", "timing")
        work.say("one is done")
        assert work._live is not None
        work._live.refresh()
    assert "one 0:00" in screen.getvalue() and "done" not in screen.getvalue()
    assert capsys.readouterr() == ("", "")


def test_a_note_stays_on_a_terminal_and_is_a_line_elsewhere(
    capsys: pytest.CaptureFixture[str],
) -> None:
    screen, console = _screen()
    with Work(quiet=False, console=console) as work:
        work.begin(3)
        work.note("waiting for GPU-1: pid 7 ([a])")
    assert "waiting for GPU-1: pid 7 ([a])" in screen.getvalue()
    with Work(quiet=False) as work:
        work.note("waiting")
    work.note("too late")
    with Work(quiet=True, console=_screen()[1]) as work:
        work.note("not asked for")
    assert capsys.readouterr() == ("", "waiting\n")


def test_quiet_is_quiet_even_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    screen, console = _screen()
    with Work(quiet=True, console=console) as work:
        work.begin(3)
        work.stage("one", "timing")
        work.say("one is done")
    assert (screen.getvalue(), capsys.readouterr()) == ("", ("", ""))


@pytest.mark.parametrize("terminal", [True, False])
def test_who_was_left_behind_says_nothing_and_fails_at_nothing(
    terminal: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    screen, console = _screen()
    with Work(quiet=False, console=console if terminal else None) as work:
        work.begin(3)
    capsys.readouterr()
    drawn = screen.getvalue()
    work.stage("one", "timing")
    work.say("late")
    assert (screen.getvalue(), capsys.readouterr()) == (drawn, ("", ""))


def test_an_interruption_gives_the_terminal_back() -> None:
    screen, console = _screen()
    with pytest.raises(KeyboardInterrupt):
        with Work(quiet=False, console=console) as work:
            work.begin(2)
            raise KeyboardInterrupt
    assert "\x1b[?25h" in screen.getvalue()


def test_without_a_terminal_nothing_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with Work(quiet=False) as work:
        assert work._live is None


def test_an_outcome_is_a_word_and_bad_times_are_said() -> None:
    lost = Unmeasured(reason=Reason.DISTURBED, detail="a stranger")
    assert describe_verdict(evaluation()) == "correct"
    assert describe_verdict(evaluation(performance=lost)) == "correct but unmeasured"
    assert describe_verdict(evaluation("a", Rejected(findings=()))) == "rejected"
