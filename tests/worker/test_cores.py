"""Which processors are kept for clocks."""

import os
from pathlib import Path

import pytest

from kernelbenchx.worker import cores


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
        ([0, 1, 2, 3, 4, 5, 6, 9], [{1, 9}]),
    ],
)
def test_a_quarter_is_kept_free_in_whole_cores(allowed: range, found: list[set[int]]) -> None:
    assert cores.kept_free(allowed, _halves) == found


def test_many_processors_give_many_cores() -> None:
    found = cores.kept_free(range(64), lambda one: {one})
    assert found == [{number} for number in range(63, 47, -1)]


@pytest.mark.parametrize(
    ("text", "found"),
    [("3,11", {3, 11}), ("2-3", {2, 3}), ("3", {3}), ("0-1,8-9", {0, 1, 3, 8, 9})],
)
def test_siblings_are_read_from_the_system(
    text: str, found: set[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "_SIBLINGS", str(tmp_path / "{}"))
    assert cores.siblings(3) == {3}
    (tmp_path / "3").write_text(text + "\n")
    assert cores.siblings(3) == found


class Scheduler:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
        self.allowed = set(range(count))
        self.held: dict[int, set[int]] = {}
        monkeypatch.setattr(cores, "siblings", _halves)
        monkeypatch.setattr(cores.kept_free, "__defaults__", (_halves,))
        monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(self.allowed))
        monkeypatch.setattr(os, "sched_setaffinity", self.stay)
        monkeypatch.setattr(cores._Own, "before", None)

    def stay(self, pid: int, processors: set[int]) -> None:
        if pid:
            self.held[pid] = processors
        else:
            self.allowed = processors


def test_who_holds_the_clock_and_who_does_not_share_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, other = Scheduler(monkeypatch, 16), None
    cores.take(3)
    assert clock.allowed == {6, 14}
    other = Scheduler(monkeypatch, 16)
    cores.keep_away()
    assert other.allowed == set(range(16)) - {6, 7, 14, 15}


def test_what_the_clock_starts_works_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Scheduler(monkeypatch, 16)
    cores.take(0)
    with pytest.raises(KeyError), cores.away():
        assert clock.allowed == set(range(16)) - {6, 7, 14, 15}
        raise KeyError
    assert clock.allowed == {7, 15}
    cores.take(1)
    assert clock.allowed == {6, 14}


def test_where_there_are_few_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Scheduler(monkeypatch, 4)
    cores.take(0)
    cores.keep_away()
    assert few.allowed == {0, 1, 2, 3}


def test_every_clock_has_cores_for_those_whom_it_times(monkeypatch: pytest.MonkeyPatch) -> None:
    Scheduler(monkeypatch, 64)
    cores.take(0)
    found = [cores.seats(number, 3) for number in range(3)]
    assert [len(one) for one in found] == [2, 2, 1]  # eight cores of two, three of them for clocks
    clocks = set().union(*cores.kept_free(range(64))[:3])
    taken = [place for one in found for place in one]
    assert len(set(taken)) == 5 and not clocks & set(taken)


def test_too_many_clocks_have_no_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    Scheduler(monkeypatch, 16)
    assert cores.seats(0, 1) and not cores.seats(0, 2)


def test_all_threads_of_a_process_are_held(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine = Scheduler(monkeypatch, 16)
    monkeypatch.setattr(cores, "_THREADS", str(tmp_path / "{}"))
    for thread in ("5/5", "5/6", "7/7"):
        (tmp_path / thread).mkdir(parents=True)
    for process in (5, 9):  # the second one is gone
        cores.hold(process, 3)
    assert machine.held == {5: {3}, 6: {3}}
    assert machine.allowed == set(range(16))


def test_who_may_not_hold_another_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_pid: int, _processors: set[int]) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    cores.hold(os.getpid(), 0)


def test_where_there_are_few_there_are_no_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    Scheduler(monkeypatch, 4)
    assert cores.seats(0, 1) == []
