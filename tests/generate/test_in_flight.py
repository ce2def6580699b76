"""No more requests at once than the limit, in the order they came."""

import threading
import time

import pytest

from kernelbenchx.generate.in_flight import Flight
from kernelbenchx.generate.model import Stopped


def _all(threads: list[threading.Thread]) -> None:
    for one in threads:
        one.start()
    for one in threads:
        one.join(60.0)
    assert not any(one.is_alive() for one in threads)


def test_the_limit_is_reached_and_kept() -> None:
    flight = Flight(4, threading.Event())
    four = threading.Barrier(4, timeout=60.0)  # nobody goes on before four fly at once
    counted: list[int] = []

    def fly() -> None:
        with flight.slot():
            four.wait()
            counted.append(flight.flying)

    _all([threading.Thread(target=fly) for _ in range(40)])
    assert len(counted) == 40
    assert max(counted) == flight.most == 4
    assert flight.flying == 0


def test_slots_go_to_who_waits_longest() -> None:
    flight = Flight(1, threading.Event())
    order: list[int] = []

    def fly(number: int) -> None:
        with flight.slot():
            order.append(number)

    threads = [threading.Thread(target=fly, args=(number,)) for number in range(8)]
    with flight.slot():
        for one in threads:
            one.start()
            time.sleep(0.005)
    for one in threads:
        one.join(60.0)
    assert order == list(range(8))


def test_a_slot_comes_back_after_an_error() -> None:
    flight = Flight(1, threading.Event())
    with pytest.raises(ZeroDivisionError), flight.slot():
        raise ZeroDivisionError
    with flight.slot():
        assert flight.flying == 1


class Clock(threading.Event):
    """A run that nobody stops, in which time passes only where somebody waits."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout or 0.0)
        return False

    def monotonic(self) -> float:
        return sum(self.waits)


def test_calm_is_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("kernelbenchx.generate.in_flight.time", clock)
    flight = Flight(2, clock)
    flight.calm(0.3)
    flight.calm(0.0)
    with flight.slot():
        assert clock.waits == [0.3]
    with flight.slot():
        assert clock.waits == [0.3]


def test_who_waits_is_stopped_with_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernelbenchx.generate.in_flight.LOOK_S", 0.01)
    stop = threading.Event()
    flight = Flight(1, stop)
    ended: list[str] = []

    def fly() -> None:
        try:
            with flight.slot():
                ended.append("flew")
        except Stopped:
            ended.append("stopped")

    waiting = threading.Thread(target=fly)
    with flight.slot():
        waiting.start()
        time.sleep(0.02)
        stop.set()
        waiting.join(60.0)
    assert ended == ["stopped"]
    assert flight.flying == 0
    with pytest.raises(Stopped), flight.slot():
        pass


def test_calm_ends_with_the_run() -> None:
    stop = threading.Event()
    flight = Flight(1, stop)
    flight.calm(60.0)
    threading.Timer(0.02, stop.set).start()
    with pytest.raises(Stopped), flight.slot():
        pass
    assert flight.flying == 0


def test_at_least_one_must_fly() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Flight(0, threading.Event())
