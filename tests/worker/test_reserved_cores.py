"""Which processors are kept for clocks."""

import os
from pathlib import Path

import pytest

from kernelbenchx.worker import reserved_cores


def _halves(processor: int) -> set[int]:
    """Eight cores of two in each sixteen: 0 and 8, 1 and 9..."""
    first = processor // 16 * 16 + processor % 8
    return {first, first + 8}


@pytest.mark.parametrize(
    ("allowed", "found"),
    [
        (range(16), [{7, 15}, {6, 14}]),
        (range(2), []),
        (range(7), []),
        (range(8), [{7}, {6}]),
        ([0, 1, 2, 3, 4, 5, 6, 9], [{1, 9}, {6}]),
    ],
)
def test_an_eighth_is_kept_free_in_whole_cores_two_at_least(
    allowed: range, found: list[set[int]]
) -> None:
    assert reserved_cores.kept_free(allowed, _halves) == found


def test_many_processors_give_many_cores() -> None:
    found = reserved_cores.kept_free(range(64), lambda one: {one})
    assert found == [{number} for number in range(63, 55, -1)]


@pytest.mark.parametrize(
    ("text", "found"),
    [("3,11", {3, 11}), ("2-3", {2, 3}), ("3", {3}), ("0-1,8-9", {0, 1, 3, 8, 9})],
)
def test_siblings_are_read_from_the_system(
    text: str, found: set[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reserved_cores, "_SIBLINGS", str(tmp_path / "{}"))
    assert reserved_cores.siblings(3) == {3}
    (tmp_path / "3").write_text(text + "\n")
    assert reserved_cores.siblings(3) == found


class Scheduler:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
        self.allowed = set(range(count))
        self.held: dict[int, set[int]] = {}
        monkeypatch.setattr(reserved_cores, "siblings", _halves)
        monkeypatch.setattr(reserved_cores.kept_free, "__defaults__", (_halves,))
        monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(self.allowed))
        monkeypatch.setattr(os, "sched_setaffinity", self.stay)
        monkeypatch.setattr(reserved_cores._Own, "before", None)

    def stay(self, pid: int, processors: set[int]) -> None:
        if pid:
            self.held[pid] = processors
        else:
            self.allowed = processors


def test_who_holds_the_clock_and_who_does_not_share_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, other = Scheduler(monkeypatch, 16), None
    reserved_cores.take(3)
    assert clock.allowed == {7, 15}  # there are cores for one clock only
    other = Scheduler(monkeypatch, 16)
    reserved_cores.keep_away()
    assert other.allowed == set(range(16)) - {6, 7, 14, 15}


def test_what_the_clock_starts_works_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Scheduler(monkeypatch, 16)
    reserved_cores.take(0)
    with pytest.raises(KeyError), reserved_cores.away():
        assert clock.allowed == set(range(16)) - {6, 7, 14, 15}
        raise KeyError
    assert clock.allowed == {7, 15}
    reserved_cores.take(1)
    assert clock.allowed == {7, 15}


def test_where_there_are_few_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Scheduler(monkeypatch, 4)
    reserved_cores.take(0)
    reserved_cores.keep_away()
    assert few.allowed == {0, 1, 2, 3}


@pytest.mark.parametrize("count", [16, 64])
def test_all_who_are_timed_work_beside_the_clock_and_nowhere_else(
    count: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine = Scheduler(monkeypatch, count)
    monkeypatch.setattr(reserved_cores.kept_free, "__defaults__", (lambda one: {one},))
    monkeypatch.setattr(reserved_cores, "_THREADS", str(tmp_path / "{}"))
    for thread in ("5/5", "5/6", "7/7"):
        (tmp_path / thread).mkdir(parents=True)
    reserved_cores.take(0)
    for process in (5, 7, 9):  # the last one is gone
        reserved_cores.hold(process, 0)
    assert machine.held == {one: {count - 2} for one in (5, 6, 7)}
    assert machine.allowed == {count - 1}
    reserved_cores.hold(7, 1)
    assert machine.held[7] == {count - (4 if count == 64 else 2)}


def test_who_may_not_hold_another_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    Scheduler(monkeypatch, 16)

    def refuse(_pid: int, _processors: set[int]) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    reserved_cores.hold(os.getpid(), 0)


def test_where_there_are_few_nobody_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Scheduler(monkeypatch, 4)
    reserved_cores.hold(os.getpid(), 0)
    assert few.held == {}
