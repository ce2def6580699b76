"""Who gives way: what runs long beyond half of the slots, once, and only if another waits."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from fake_cluster import until
from kernelbenchx.evaluate.growing_pool import GrowingPool
from kernelbenchx.evaluate.slot_scheduler import LONG_S, PutOff, SlotScheduler, Turn
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.pending_child import PendingChild

PATIENCE_S = 30.0


class Child:
    """A process that ends when it is told to."""

    def __init__(self) -> None:
        self.killed = threading.Event()
        self.started = threading.Event()
        self.pending = PendingChild(self._kill)

    def _kill(self) -> None:
        self.killed.set()
        self.pending.end(Ending(signal=9, over="cancelled"))

    def evaluated(self, turn: Turn) -> Ending:
        self.started.set()
        return turn.wait_for(self.pending)


class Waiting(GrowingPool):
    """Says that submissions wait for a thread, until they do not."""

    def __init__(self, *, waiting: bool) -> None:
        super().__init__(1, "unused")
        self.waiting = waiting

    @property
    def has_waiting(self) -> bool:
        return self.waiting


class Slots:
    """Submissions in threads of their own, over so many slots."""

    def __init__(self, count: int, *, waiting: bool = True) -> None:
        self.pool = Waiting(waiting=waiting)
        self.turns = SlotScheduler(count, self.pool)
        self.tries: list[Turn] = []

    def run(self, *children: Child) -> Future[Ending]:
        """Each try of the submission has the next child."""
        left, found = iter(children), Future[Ending]()

        def evaluate(turn: Turn) -> Ending:
            self.tries.append(turn)
            return next(left).evaluated(turn)

        def run() -> None:
            found.set_result(self.turns.run(evaluate))

        threading.Thread(target=run, daemon=True).start()
        assert children[0].started.wait(PATIENCE_S)
        return found


def _ends(child: Child, cpu_s: float = 1.0) -> None:
    child.pending.end(Ending(exit_code=0, cpu_seconds=cpu_s))


def test_of_two_that_run_long_on_two_slots_the_later_gives_way() -> None:
    slots, first, second, again = Slots(2), Child(), Child(), Child()
    one, other = slots.run(first), slots.run(second, again)
    first.pending.note_long()
    assert not first.killed.is_set(), "one of two slots may be held"
    second.pending.note_long()
    assert second.killed.wait(PATIENCE_S) and not first.killed.is_set()
    assert not again.started.wait(0.7), "not while a submission waits"
    slots.pool.waiting = False
    assert again.started.wait(PATIENCE_S)
    again.pending.note_long()
    _ends(first)
    _ends(again)
    assert one.result(PATIENCE_S).exit_code == other.result(PATIENCE_S).exit_code == 0
    assert slots.tries[1] is slots.tries[2] and slots.tries[2].was_put_off


def test_where_nothing_waits_nothing_gives_way_until_something_does() -> None:
    slots, first, second, again = Slots(2, waiting=False), Child(), Child(), Child()
    slots.run(first)
    slots.run(second, again)
    first.pending.note_long()
    second.pending.note_long()
    assert not first.killed.is_set() and not second.killed.is_set()
    slots.pool.waiting = True
    slots.turns.make_room()
    assert second.killed.wait(PATIENCE_S) and not first.killed.is_set()
    slots.pool.waiting = False
    assert again.started.wait(PATIENCE_S)
    _ends(first)
    _ends(again)


def test_it_gives_way_once() -> None:
    slots, lasting, later, first, again = Slots(2), *(Child() for _ in range(4))
    slots.run(lasting, later)
    found = slots.run(first, again)
    lasting.pending.note_long()
    first.pending.note_long()
    assert first.killed.wait(PATIENCE_S)
    slots.pool.waiting = False
    assert again.started.wait(PATIENCE_S)
    slots.pool.waiting = True
    again.pending.note_long()
    assert not again.killed.is_set(), "it was ended before"
    assert lasting.killed.wait(PATIENCE_S), "so the other one, which was not, gives way"
    _ends(again)
    assert found.result(PATIENCE_S).exit_code == 0
    slots.pool.waiting = False
    assert later.started.wait(PATIENCE_S)
    _ends(later)


def test_the_only_slot_is_never_taken_from_what_runs_long() -> None:
    slots, child = Slots(1), Child()
    found = slots.run(child)
    child.pending.note_long()
    assert not child.killed.is_set()
    _ends(child)
    assert found.result(PATIENCE_S).exit_code == 0


def test_between_two_processes_it_gives_way_with_the_next() -> None:
    turn, turns = Turn(), SlotScheduler(2)
    turn.begin(turns)
    assert turn.end() and not turn.end()
    child = Child()
    with pytest.raises(PutOff):
        turn.wait_for(child.pending)
    assert child.killed.is_set()


def test_time_of_several_processes_is_added() -> None:
    turn = Turn()
    assert turn.left_s == LONG_S
    for left in (LONG_S - 3.5, 0.0):
        child = Child()
        _ends(child, 3.5)
        turn.wait_for(child.pending)
        assert turn.left_s == left
    turn.begin(SlotScheduler(1))
    assert turn.left_s == LONG_S, "a second try starts from nothing"


def test_what_was_put_off_comes_after_all_that_wait_for_a_slot() -> None:
    turns, order, let = SlotScheduler(1), list[str](), threading.Event()
    begun, waits = threading.Event(), threading.Event()

    def putting_off(turn: Turn) -> None:
        if not turn.was_put_off:
            begun.set()
            assert let.wait(PATIENCE_S)
            assert turn.others_wait
            raise PutOff
        order.append("put off")

    def ordinary(name: str) -> Callable[[Turn], None]:
        return lambda _: order.append(name)

    with ThreadPoolExecutor(4) as threads:
        threads.submit(turns.run, putting_off)
        assert begun.wait(PATIENCE_S)
        found = [threads.submit(turns.run, ordinary(name)) for name in "ab"]
        while len(turns._waiting) < 2:
            waits.wait(0.01)
        let.set()
        for one in found:
            one.result(PATIENCE_S)
    assert sorted(order[:2]) == ["a", "b"] and order[2:] == ["put off"]


def test_without_slots_of_a_run_no_other_waits() -> None:
    assert not Turn().others_wait


def test_slots_that_come_later_are_used_and_those_that_go_are_not_waited_for() -> None:
    turns, ends = SlotScheduler(1), threading.Event()
    here: list[int] = []

    def stay(_turn: Turn) -> None:
        here.append(1)
        ends.wait(PATIENCE_S)

    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(turns.run, stay) for _ in range(3)]
        turns.resize(2)
        until(lambda: len(here) == 2)
        turns.resize(1)
        assert len(here) == 2, "both stay until they end"
        ends.set()
        for one in waiting:
            one.result(PATIENCE_S)
    assert len(here) == 3 and turns.count == 1
