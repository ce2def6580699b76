"""A child can be ended from outside, once or twice, early or late; its place is free again."""

import contextlib
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.isolation import Level, WorkerIsolation
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.worker.limits import Limits

from .conftest import QUICK, STUB, Warm

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="tested on Linux")

L1 = WorkerIsolation(Level.L1)


def start(zygote: Zygote, scratch: Scratch, name: str, source: str) -> PendingChild:
    return zygote.start(scratch.order(name, source.encode()), scratch.result(name), QUICK)


def running(argument: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if argument.encode() in path.read_bytes().split(b"\0"):
                return True
    return False


def test_an_ending_is_there_for_all_and_ends_the_killing() -> None:
    killed, over = [], []
    pending = PendingChild(lambda: killed.append(True))
    pending.when_over(lambda: over.append(True))
    with pytest.raises(TimeoutError):
        pending.wait(0.01)
    pending.kill()
    assert (killed, over) == ([True], [])
    pending.end(Ending(exit_code=0))
    assert pending.wait() == pending.wait(0) == Ending(exit_code=0)
    pending.kill()
    assert (killed, over) == ([True], [True])


def held() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_process_belongs_to_who_asked_for_it_and_is_kept_until_the_end() -> None:
    before = held()
    pending = PendingChild()
    assert pending.process(0.01) is None
    pending.start(os.pidfd_open(os.getpid()))
    mine, again = pending.process(), pending.process()
    assert mine is not None and again is not None and mine != again
    assert not os.get_inheritable(mine)
    assert held() == before + 3
    pending.end(Ending(exit_code=0))
    assert pending.process() is None
    signal.pidfd_send_signal(mine, 0)
    os.close(mine)
    os.close(again)
    assert held() == before


def test_a_process_that_is_heard_of_too_late_is_not_kept() -> None:
    before = held()
    pending = PendingChild()
    pending.end(Ending(exit_code=0))
    pending.start(os.pidfd_open(os.getpid()))
    assert pending.process() is None
    assert held() == before


def test_where_there_are_no_such_descriptors_nobody_waits() -> None:
    pending = PendingChild()
    pending.start(None)
    assert pending.process() is None


def test_a_killed_child_ends_at_once_and_nothing_of_it_stays(warm: Warm) -> None:
    mark = f"47.{os.getpid()}{warm.level[1]}{len(warm.level)}"
    source = f"""
import os, subprocess, time
subprocess.Popen(["/bin/sleep", "{mark}"], start_new_session=True)
os.write(RESULT, b"here")
time.sleep(600)
"""
    pending = start(warm.zygote, warm.scratch, "killed", source)
    result = warm.scratch.result("killed")
    while not (result.exists() and result.read_bytes()):
        time.sleep(0.01)
    with pytest.raises(TimeoutError):
        pending.wait(0.05)
    assert running(mark)
    started = time.monotonic()
    pending.kill()
    ending = pending.wait(60.0)
    assert (ending.over, ending.signal, ending.lost) == ("cancelled", signal.SIGKILL, False)
    assert time.monotonic() - started < 60
    assert not running(mark)
    assert warm.still_works()


def test_a_child_killed_before_it_is_set_up_is_not_our_fault(warm: Warm) -> None:
    for _ in range(5):
        pending = start(warm.zygote, warm.scratch, "early", "import time; time.sleep(600)")
        pending.kill()
        pending.kill()
        ending = pending.wait(60.0)
        assert (ending.over, ending.lost) == ("cancelled", False), ending
    assert warm.still_works()


def test_a_child_that_ended_first_keeps_its_ending(warm: Warm) -> None:
    pending = start(warm.zygote, warm.scratch, "late", "raise SystemExit(3)")
    ending = pending.wait()
    pending.kill()
    assert pending.wait() is ending
    assert (ending.exit_code, ending.over) == (3, "")
    assert warm.still_works()


def test_killing_one_child_leaves_the_others(warm: Warm) -> None:
    sources = [f"import time; time.sleep({s}); print('done')" for s in (0.5, 600, 0.5)]
    children = [start(warm.zygote, warm.scratch, f"one{n}", s) for n, s in enumerate(sources)]
    children[1].kill()
    endings = [child.wait(60.0) for child in children]
    assert [ending.over for ending in endings] == ["", "cancelled", ""]
    assert [ending.log for ending in endings] == ["done\n", "", "done\n"]


def test_each_place_is_given_back_once() -> None:
    with Scratch() as scratch, Zygote("plain", L1, jobs=1, start=STUB) as zygote:
        for round_ in range(3):  # a place given back twice is an error, one kept is a hang
            pending = start(zygote, scratch, f"kill{round_}", "import time; time.sleep(600)")
            waiting = threading.Thread(target=pending.wait)
            waiting.start()
            pending.kill()
            pending.wait(60.0)
            waiting.join()
            pending.kill()
            assert start(zygote, scratch, f"fine{round_}", "").wait(60.0).clean
        with pytest.raises(FileNotFoundError):
            zygote.start(Path("/nowhere/order"), scratch.result("none"), QUICK)
        pending = start(zygote, scratch, "last", "import time; time.sleep(600)")
        second: list[PendingChild] = []
        waits = threading.Thread(
            target=lambda: second.append(start(zygote, scratch, "second", "print('ran')"))
        )
        waits.start()
        waits.join(0.3)
        assert not second
        pending.kill()
        waits.join(60.0)
        assert second[0].wait(60.0).log == "ran\n"


def test_where_the_parent_is_gone_killing_is_no_error() -> None:
    with Scratch() as scratch:
        with Zygote("plain", L1, jobs=1, start=STUB) as zygote:
            pending = start(zygote, scratch, "gone", "import time; time.sleep(600)")
        assert pending.wait(60.0).lost
        pending.kill()
        never = Zygote("plain", L1, jobs=1, start=Start(main="worker.nowhere:serve"))
        for _ in range(2):
            lost = never.start(scratch.order("a", b""), scratch.result("a"), Limits())
            lost.kill()
            assert lost.wait(60).lost
