"""The lease of a GPU between real processes; the GPU is a name that none has."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.runner.gpu_lease import GpuLease

UUID = "00000000-fake-fake-fake-000000000000"
LONG_S = 30.0
_PROGRAM = """
import sys
from pathlib import Path
from kernelbenchx.runner.gpu_lease import GpuLease
lease = GpuLease(sys.argv[1], "runs/other", folder=Path(sys.argv[2]))
with getattr(lease, sys.argv[3])():
    print("held", flush=True)
    sys.stdin.readline()
lease.close()
print("free", flush=True)
"""
_RACER = """
import random, sys, time
from pathlib import Path
from kernelbenchx.runner.gpu_lease import GpuLease
lease, log = GpuLease(sys.argv[1], folder=Path(sys.argv[2])), open(sys.argv[3], "a", buffering=1)
for _ in range(12):
    way = random.choice(("share", "alone"))
    with getattr(lease, way)():
        began = time.monotonic_ns()
        time.sleep(0.004)
        log.write(f"{way} {began} {time.monotonic_ns()}\\n")
"""


class Holder:
    """Another process that has the lease until it is told to leave, or killed."""

    def __init__(self, folder: Path, way: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, UUID, str(folder), way],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def wait(self, word: str) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == word

    def leave(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.wait("free")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)


@pytest.fixture
def holders(tmp_path: Path) -> Iterator["Holders"]:
    made = Holders(tmp_path)
    yield made
    for one in made.all:
        one.kill()
        one.process.communicate()


class Holders:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.all: list[Holder] = []

    def start(self, way: str, *, wait: bool = True) -> Holder:
        self.all.append(Holder(self._folder, way))
        if wait:
            self.all[-1].wait("held")
        return self.all[-1]


class Visitor(threading.Thread):
    """Takes the lease in a thread of its own."""

    def __init__(self, way: AbstractContextManager[None]) -> None:
        super().__init__(daemon=True)
        self._way = way
        self.inside, self.may_leave = threading.Event(), threading.Event()
        self.fault: Exception | None = None
        self.start()

    def run(self) -> None:
        try:
            with self._way:
                self.inside.set()
                self.may_leave.wait(LONG_S)
        except EvaluatorFault as fault:
            self.fault = fault

    def leave(self) -> None:
        self.may_leave.set()
        self.join(LONG_S)


def _lease(folder: Path, said: list[str] | None = None) -> GpuLease:
    said = [] if said is None else said
    return GpuLease(UUID, "runs/mine", say=said.append, folder=folder)


def test_calls_share_it_and_times_have_it_alone(tmp_path: Path, holders: Holders) -> None:
    lease, other = _lease(tmp_path), holders.start("share")
    with lease.share():
        pass  # beside the other
    waits = Visitor(lease.alone())
    assert not waits.inside.wait(0.3)
    other.leave()
    assert waits.inside.wait(LONG_S)
    blocked = holders.start("share", wait=False)
    time.sleep(0.5)
    waits.leave()
    blocked.wait("held")


def test_new_calls_queue_behind_one_that_waits_to_time(tmp_path: Path, holders: Holders) -> None:
    lease, other = _lease(tmp_path), holders.start("share")
    first = Visitor(lease.alone())
    time.sleep(0.3)
    second = Visitor(lease.share())
    assert not second.inside.wait(0.3), "calls that follow each other would starve it"
    other.leave()
    assert first.inside.wait(LONG_S) and not second.inside.is_set()
    first.leave()
    assert second.inside.wait(LONG_S)
    second.leave()


def test_a_killed_holder_frees_it(tmp_path: Path, holders: Holders) -> None:
    said: list[str] = []
    lease, other = _lease(tmp_path, said), holders.start("alone")
    waits = Visitor(lease.share())
    assert not waits.inside.wait(1.5)
    other.kill()
    assert waits.inside.wait(LONG_S)
    waits.leave()
    assert said == [f"waiting for GPU-{UUID}: pid {other.process.pid} (runs/other) takes times"]


def test_many_that_wait_for_one_holder_say_it_once(tmp_path: Path, holders: Holders) -> None:
    said: list[str] = []
    lease, other = _lease(tmp_path, said), holders.start("alone")
    waiting = [Visitor(lease.share()) for _ in range(4)]
    assert not waiting[-1].inside.wait(2.0)
    other.leave()
    for visitor in waiting:
        visitor.leave()
    # One that has ended its times and not yet gone is named again, as one that makes calls.
    assert said[0].endswith(" takes times") and len(said) == len(set(said))


def test_a_process_that_was_killed_while_it_waited_holds_up_no_other(
    tmp_path: Path, holders: Holders
) -> None:
    lease = _lease(tmp_path)
    with lease.share():
        waiting = holders.start("alone", wait=False)
        time.sleep(1.0)
        late = Visitor(lease.share())
        waiting.kill()
        assert late.inside.wait(LONG_S)
        late.leave()


def test_who_makes_calls_is_named_too_and_a_short_wait_is_not_said(
    tmp_path: Path, holders: Holders
) -> None:
    said: list[str] = []
    lease, other = _lease(tmp_path, said), holders.start("share")
    waits = Visitor(lease.alone())
    assert not waits.inside.wait(0.4) and said == []
    assert not waits.inside.wait(1.0)
    other.leave()
    assert waits.inside.wait(LONG_S)
    assert said == [f"waiting for GPU-{UUID}: pid {other.process.pid} (runs/other)"]
    assert lease.holder() == "", "no other process has it"
    waits.leave()


def test_another_gpu_is_another_lease(tmp_path: Path, holders: Holders) -> None:
    holders.start("alone")
    with GpuLease("11111111", folder=tmp_path).alone():
        pass
    with GpuLease("", folder=tmp_path).alone(), GpuLease("", folder=tmp_path).alone():
        pass  # without a UUID there is nothing to lock


def test_a_thread_takes_it_once_and_never_from_shared_to_alone(tmp_path: Path) -> None:
    lease = _lease(tmp_path)
    with lease.alone(), lease.share(), lease.alone():
        other = Visitor(lease.share())
        assert not other.inside.wait(0.2), "another thread waits"
    other.leave()
    with lease.share(), pytest.raises(EvaluatorFault, match="cannot have it alone"), lease.alone():
        pass
    with pytest.raises(ValueError, match="inside"), lease.alone():
        raise ValueError("inside")
    with lease.alone():
        pass  # it was given back


def test_closing_ends_those_that_wait(tmp_path: Path, holders: Holders) -> None:
    lease, _ = _lease(tmp_path), holders.start("alone")
    waits = Visitor(lease.alone())
    assert not waits.inside.wait(0.2)
    lease.close()
    waits.join(LONG_S)
    assert "closed while it waited" in str(waits.fault)


def test_a_folder_that_cannot_be_written_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match=r"cannot lock the GPU.*KBX_GPU_LOCKS"):
        GpuLease(UUID, folder=tmp_path / "file").require()
    GpuLease(UUID, folder=tmp_path / "made").require()
    assert sorted(one.name for one in (tmp_path / "made").iterdir()) == [
        f"GPU-{UUID}.lock",
        f"GPU-{UUID}.turn",
    ]
    assert all(one.stat().st_mode & 0o777 == 0o666 for one in (tmp_path / "made").iterdir())


def test_a_link_in_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (tmp_path / f"GPU-{UUID}.lock").symlink_to(tmp_path / "precious")
    with (
        pytest.raises(EvaluatorFault, match="cannot lock"),
        GpuLease(UUID, folder=tmp_path).alone(),
    ):
        pass
    assert (tmp_path / "precious").read_text() == "kept"


def test_processes_that_race_never_time_beside_others(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-c", _RACER, UUID, str(tmp_path), str(log)]
    racers = [subprocess.Popen(command) for _ in range(3)]
    assert [one.wait(LONG_S) for one in racers] == [0, 0, 0]
    rows = [line.split() for line in log.read_text().splitlines()]
    spans = sorted((int(began), int(ended), way) for way, began, ended in rows)
    assert len(spans) == 36
    for at, (began, ended, way) in enumerate(spans):
        beside = [one for one in spans[:at] + spans[at + 1 :] if one[0] < ended and one[1] > began]
        assert way == "share" or not beside
        assert all(other == "share" for _, _, other in beside)
