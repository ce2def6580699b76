"""A start and an end by counters in shared memory."""

import os
import threading
import time

import pytest

from kernelbenchx.worker.timing.start_signal import DONE, GO, PUT, READY, StartSignal


@pytest.fixture
def pair() -> tuple[StartSignal, StartSignal]:
    ours = StartSignal.create()
    return ours, StartSignal(os.dup(ours.descriptor))


def test_who_waits_goes_on_when_the_other_rings(pair: tuple[StartSignal, StartSignal]) -> None:
    ours, theirs = pair
    steps: list[str] = []

    def other() -> None:
        theirs.ring(READY, 1)
        assert theirs.wait(GO, 1, 60.0)
        steps.append("went")
        theirs.ring(DONE, 1)

    thread = threading.Thread(target=other)
    thread.start()
    assert ours.wait(READY, 1, 60.0)
    time.sleep(0.01)
    assert not steps
    ours.ring(GO, 1)
    assert ours.wait(DONE, 1, 60.0)
    thread.join()
    assert steps == ["went"]


@pytest.mark.parametrize("rung", [0, 1, 3, 2**64 - 1])
def test_another_number_is_no_start(pair: tuple[StartSignal, StartSignal], rung: int) -> None:
    ours, theirs = pair
    theirs.ring(DONE, rung)
    assert not ours.wait(DONE, 2, 0.02)
    theirs.ring(DONE, 2)
    assert ours.wait(DONE, 2, 0.02)


def test_waiting_ends_where_it_makes_no_sense(pair: tuple[StartSignal, StartSignal]) -> None:
    started = time.monotonic()
    assert not pair[0].wait(DONE, 1, 600.0, lambda: True)
    assert time.monotonic() - started < 60.0


def test_nobody_can_make_the_memory_shorter(pair: tuple[StartSignal, StartSignal]) -> None:
    with pytest.raises(PermissionError):
        os.ftruncate(pair[1].descriptor, 0)
    pair[0].ring(GO, 5)
    assert pair[1].wait(GO, 5, 1.0)


def test_it_is_given_back() -> None:
    bell = StartSignal.create()
    bell.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(bell.descriptor)


def test_seeds_are_told_in_the_same_memory_and_start_nobody(
    pair: tuple[StartSignal, StartSignal],
) -> None:
    ours, theirs = pair
    ours.tell(range(100, 132))
    assert [theirs.seed(call) for call in range(32)] == list(range(100, 132))
    assert not any(theirs.wait(which, 100, 0.0, lambda: True) for which in range(PUT + 2))
