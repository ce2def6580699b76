"""The processes around a submission that waits for the card: which of them are stopped."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.core.argument_binding import AS_IT_IS
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.gpu_lock import GpuLock
from kernelbenchx.evaluate.submission_timing import Timing
from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from samples import timed
from timing_host import inputs_of, relu

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfds")

ANSWERING = Start(main="answering:serve", modules=(Path(__file__).parent / "probes/answering.py",))
TIMED = timed()
SEEN = Unmeasured(reason=Reason.EVALUATOR, detail="looked at only")


class Looking:
    """A bench that looks at what it is given."""

    def __init__(self) -> None:
        self.states: list[str] = []
        self.pids: list[int] = []
        self.replays = 0

    def layouts(self, _task: str) -> list[Any]:
        return [inputs_of(relu()).layout]

    def time(
        self,
        _task: str,
        entries: tuple[tuple[int, int], ...],
        replays: tuple[int, ...],
        *_why: str,
    ) -> Unmeasured:
        self.replays = len(replays)
        self.pids = [_pid(process) for _, process in entries]
        self.states = [_state(pid) for pid in self.pids]
        return SEEN


def _pid(process: int) -> int:
    lines = Path(f"/proc/self/fdinfo/{process}").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))


def _state(pid: int) -> str:
    """A signal takes a moment to arrive where processors are busy."""
    until = time.monotonic() + 60.0
    while (found := _state_now(pid)) != "T" and time.monotonic() < until:
        time.sleep(0.001)
    return found


def _state_now(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.fixture(scope="module")
def timing() -> Iterator[Timing]:
    settings = Settings(device="cuda")
    with Zygote("cuda", detect(), jobs=4, start=ANSWERING) as zygote:
        workers: Any = SimpleNamespace(zygotes={"cuda": zygote}, settings=settings)
        yield Timing(workers)


def _performed(timing: Timing, bench: Looking, source: str) -> Any:
    card: Any = SimpleNamespace(index=0, device="cpu", gate=GpuLock(1, 1), bench=bench)
    submission = Submission(name="mine", task="activation/relu", source=source)
    attempt: Any = SimpleNamespace(
        submission=submission,
        source=source,
        entries=("relu",),
        binding=AS_IT_IS,
        facts=SimpleNamespace(form="function"),
        compiled=b"",
        foresees_obstacle=False,
        core_only=False,
        only_dtype="",
    )
    return timing.time_submission(attempt, card, lambda _: None)


def _looked(timing: Timing, source: str) -> Looking:
    bench = Looking()
    held = len(list(Path("/proc/self/fd").iterdir()))
    assert _performed(timing, bench, source) == SEEN
    timing.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == held
    return bench


@pytest.mark.slow
@pytest.mark.parametrize(("source", "entries", "replays"), [("", 2, 2), ("# CANNOT", 2, 0)])
def test_who_is_ready_is_stopped_and_gone_afterwards(
    timing: Timing, source: str, entries: int, replays: int
) -> None:
    bench = _looked(timing, source)
    assert bench.states == ["T"] * entries
    assert bench.replays == replays
    assert not any(Path(f"/proc/{pid}").exists() for pid in bench.pids)


def test_without_such_descriptors_it_is_timed_all_the_same(
    timing: Timing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernelbenchx.runner.pending_child.PendingChild.process", lambda *_: None)
    monkeypatch.setattr(f"{__name__}._pid", lambda process: process)
    monkeypatch.setattr(f"{__name__}._state", str)
    assert _looked(timing, "").states == ["-1"] * 2


class Content(Looking):
    """Notes whom it may speak to, and finds everything in order."""

    def __init__(self) -> None:
        super().__init__()
        self.channels: list[int] = []

    def time(self, task: str, entries: Any, replays: tuple[int, ...], *_why: str) -> Any:
        super().time(task, entries, replays)
        self.channels += [os.fstat(one).st_ino for one in replays]
        return TIMED


def test_the_same_processes_replay_one_submission_after_another(timing: Timing) -> None:
    bench = Content()
    held = len(list(Path("/proc/self/fd").iterdir()))
    for source in ("a", "b"):
        _performed(timing, bench, source)
        assert bench.states == ["T", "T"]
        assert not any(Path(f"/proc/{pid}").exists() for pid in bench.pids)
    first, second = bench.channels[:2], bench.channels[2:]
    assert first == second and len(set(first)) == 2
    warm = timing.list_replay_pids()
    assert len(warm) == 2 and all(Path(f"/proc/{pid}").exists() for pid in warm)
    timing.close()
    assert timing.list_replay_pids() == frozenset()
    assert len(list(Path("/proc/self/fd").iterdir())) == held
