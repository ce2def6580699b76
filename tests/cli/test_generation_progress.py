import io
import threading

import pytest
from rich.console import Console

from desks import reply
from kernelbenchx.cli.generation_activity import Meter
from kernelbenchx.cli.generation_progress import AGAIN_S, GenerationProgress
from kernelbenchx.core.transcript import Exchange, Message, Request
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.run_tasks import End, TaskEnd
from samples import evaluation

TASK, OTHER = "activation/relu", "math/add"
REQUEST = Request(model="m", messages=(Message("user", "x"),), max_tokens=5)
SAID = Exchange(key="k", task=TASK, step="only", request=REQUEST, reply=reply("abc"))


def _told(progress: GenerationProgress) -> None:
    progress.begin([TASK, OTHER])
    progress.asking(MethodStep(TASK, "only"))
    progress.note_reply(SAID, again=False)
    progress.stage("relu__only", "checking")
    progress.note_verdict(evaluation("relu__only"))
    progress.note_task_end(TaskEnd(TASK, End.DONE))
    progress.asking(MethodStep(OTHER, "only"))
    progress.note_failure(MethodStep(OTHER, "only"), "HTTP 500")
    progress.note_task_end(TaskEnd(OTHER, End.UNANSWERED, "HTTP 500"))


def test_without_a_terminal_there_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with GenerationProgress(quiet=False) as progress:
        progress.meter(Meter)
        _told(progress)
    assert capsys.readouterr().err.splitlines() == [
        "kernels for 2 tasks",
        "  relu__only: correct",
        "  [1/2] activation/relu: solved",
        "  add only: no reply, HTTP 500",
        "  [2/2] math/add: not solved, unanswered: HTTP 500",
    ]
    assert progress.tally.tasks[TASK].requests == 1


def test_who_interrupts_hears_at_once_what_is_waited_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with GenerationProgress(quiet=False) as progress:
        progress.begin([TASK])
        progress.stopping(5.0)
    assert capsys.readouterr().err.splitlines()[-1] == (
        "stopping: waiting up to 5 s for pending replies and verdicts"
    )
    drawn = io.StringIO()
    with GenerationProgress(
        quiet=False, console=Console(file=drawn, force_terminal=True)
    ) as progress:
        progress.begin([TASK])
        progress.stopping(5.0)
    assert "stopping: waiting up to 5 s" in drawn.getvalue()


def test_quiet_is_quiet_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    with GenerationProgress(quiet=True) as progress:
        _told(progress)
    assert capsys.readouterr() == ("", "")
    assert progress.tally.solved == 1


def test_who_was_left_behind_says_nothing_afterwards(capsys: pytest.CaptureFixture[str]) -> None:
    with GenerationProgress(quiet=False) as progress:
        progress.begin([TASK])
    capsys.readouterr()
    progress.note_task_end(TaskEnd(TASK, End.STOPPED, "closed"))
    assert capsys.readouterr() == ("", "")


def test_a_terminal_sees_who_is_asked_now() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100, height=24)
    with GenerationProgress(quiet=False, console=console) as progress:
        progress.meter(lambda: Meter(tokens=5000, in_flight=3))
        progress.begin([TASK, OTHER])
        progress.asking(MethodStep(TASK, "round 1"))
        assert progress._live is not None
        progress._live.refresh()
        _told(progress)
        progress._live.refresh()
    drawn = screen.getvalue()
    assert "relu round 1 0:00" in drawn and "3 in flight  5.00k tokens" in drawn
    assert "1 solved" in drawn and "\x1b[?25h" in drawn


def test_trouble_is_told_of_once_in_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    with GenerationProgress(quiet=False) as progress:
        for _ in range(5):
            progress.trouble("no connection\x1b[2J to http://x; trying again")
        now += AGAIN_S
        progress.trouble("status 500; trying again")
    assert capsys.readouterr().err.splitlines() == [
        "  no connection [2J to http://x; trying again",
        "  status 500; trying again",
    ]


def test_a_terminal_sees_trouble_for_a_while() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100, height=24)
    with GenerationProgress(quiet=False, console=console) as progress:
        progress.begin([TASK])
        assert progress._live is not None and progress._view is not None
        progress._live.refresh()
        assert "trying again" not in screen.getvalue()
        progress.trouble("no connection to http://x; trying again")
        progress._live.refresh()
        assert "no connection to http://x; trying again" in screen.getvalue()
        later = progress._view.clock() + 100
        progress._view.clock = lambda: later
        screen.seek(0)
        screen.truncate()
        progress._live.refresh()
        assert "trying again" not in screen.getvalue()


def test_threads_tell_while_it_is_drawn() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=100, height=24)
    with GenerationProgress(quiet=False, console=console) as progress:
        progress.begin([TASK])
        assert progress._live is not None

        def tell(thread: int) -> None:
            for number in range(50):
                step = MethodStep(TASK, f"{thread} {number}")
                progress.asking(step)
                progress.note_reply(SAID, again=False)
                progress.note_verdict(evaluation(f"{thread} {number}"))

        threads = [threading.Thread(target=tell, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            progress._live.refresh()
        assert progress.tally.tasks[TASK].attempts == 200
