"""Many share a card or one has it alone; groups, turns, and nobody left behind."""

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from kernelbenchx.evaluate.gpu_lock import GpuLock
from kernelbenchx.runner.gpu_lease import GpuLease

LONG_S, SHORT_S = 60.0, 0.05


class Visitor:
    """A thread that goes through a gate and stays until it is told to leave."""

    def __init__(self, way: Callable[[], AbstractContextManager[None]]) -> None:
        self._way = way
        self._entered, self._leave = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._visit, daemon=True)
        self._thread.start()
        until = time.monotonic() + LONG_S
        while not self._has_arrived():
            assert time.monotonic() < until
            time.sleep(0.001)

    def _has_arrived(self) -> bool:
        """Inside, or waiting at the gate: the next one comes after it."""
        frame = sys._current_frames().get(self._thread.ident or 0)
        waits = frame is not None and frame.f_code.co_name == "wait"
        return waits or self._entered.is_set()

    def _visit(self) -> None:
        with self._way():
            self._entered.set()
            self._leave.wait(LONG_S)

    def is_in(self) -> bool:
        return self._entered.wait(LONG_S)

    def is_kept_out(self) -> bool:
        return not self._entered.wait(SHORT_S)

    def leave(self) -> None:
        self._leave.set()
        self._thread.join(LONG_S)
        assert not self._thread.is_alive()


class Visitors:
    def __init__(self, gate: GpuLock) -> None:
        self._gate = gate
        self.all: list[Visitor] = []

    def sharer(self) -> Visitor:
        self.all.append(Visitor(self._gate.acquire_shared))
        return self.all[-1]

    def prepared(self) -> Visitor:
        self.all.append(Visitor(lambda: self._gate.acquire_shared(last=True)))
        return self.all[-1]

    def owner(self) -> Visitor:
        self.all.append(Visitor(self._gate.acquire_exclusive))
        return self.all[-1]


@pytest.fixture
def visitors(request: pytest.FixtureRequest) -> Iterator[Visitors]:
    sharers, patience = getattr(request, "param", (2, 2))
    found = Visitors(GpuLock(sharers, patience, LONG_S))
    yield found
    for one in found.all:
        one._leave.set()
    for one in found.all:
        one.leave()


def _first_in(*visitors: Visitor) -> Visitor:
    until = time.monotonic() + LONG_S
    while time.monotonic() < until:
        for one in visitors:
            if not one.is_kept_out():
                return one
    raise AssertionError("nobody came in")


def test_so_many_share_and_no_more(visitors: Visitors) -> None:
    first, second = visitors.sharer(), visitors.sharer()
    assert first.is_in() and second.is_in()
    third = visitors.sharer()
    assert third.is_kept_out()
    first.leave()
    assert third.is_in()


@pytest.mark.parametrize("visitors", [(1, 2)], indirect=True)
def test_who_has_kernels_to_compile_shares_it_before_who_has_none(visitors: Visitors) -> None:
    inside = visitors.sharer()
    assert inside.is_in()
    prepared = visitors.prepared()
    assert prepared.is_kept_out()
    others = [visitors.sharer(), visitors.sharer()]
    assert all(one.is_kept_out() for one in others)
    inside.leave()
    served = _first_in(*others)
    assert prepared.is_kept_out()
    served.leave()
    other = others[1 - others.index(served)]
    assert other.is_in() and prepared.is_kept_out()
    other.leave()
    assert prepared.is_in()


@pytest.mark.parametrize("visitors", [(4, 2)], indirect=True)
def test_they_share_it_with_each_other_where_there_is_room(visitors: Visitors) -> None:
    first = visitors.prepared()
    assert first.is_in()
    other = visitors.sharer()
    assert other.is_in()
    second = visitors.prepared()
    assert second.is_in()


@pytest.mark.parametrize("visitors", [(4, 2)], indirect=True)
def test_nobody_comes_in_once_enough_owners_wait_whoever_it_is(visitors: Visitors) -> None:
    inside = visitors.prepared()
    assert inside.is_in()
    owners = [visitors.owner(), visitors.owner()]
    assert all(one.is_kept_out() for one in owners)
    late, later = visitors.sharer(), visitors.prepared()
    assert late.is_kept_out() and later.is_kept_out()
    inside.leave()
    served = _first_in(*owners)
    assert late.is_kept_out() and later.is_kept_out()
    served.leave()
    owners[1 - owners.index(served)].leave()
    assert late.is_in() and later.is_in()


def test_nobody_shares_what_is_owned_and_only_one_owns_it(visitors: Visitors) -> None:
    owner = visitors.owner()
    assert owner.is_in()
    sharer, second = visitors.sharer(), visitors.owner()
    assert sharer.is_kept_out() and second.is_kept_out()
    owner.leave()
    assert second.is_in() and sharer.is_kept_out()
    second.leave()
    assert sharer.is_in()


def test_an_owner_waits_for_the_last_sharer(visitors: Visitors) -> None:
    first, second = visitors.sharer(), visitors.sharer()
    assert first.is_in() and second.is_in()
    owner = visitors.owner()
    assert owner.is_kept_out()
    first.leave()
    assert owner.is_kept_out()
    second.leave()
    assert owner.is_in()


@pytest.mark.parametrize("visitors", [(1, 2)], indirect=True)
def test_one_owner_lets_sharers_pass_and_two_do_not(visitors: Visitors) -> None:
    inside = visitors.sharer()
    assert inside.is_in()
    wishing = visitors.sharer()
    assert wishing.is_kept_out()
    owner = visitors.owner()
    assert owner.is_kept_out()
    inside.leave()
    assert wishing.is_in() and owner.is_kept_out()
    late = visitors.sharer()
    assert late.is_kept_out()
    second = visitors.owner()
    assert second.is_kept_out()
    wishing.leave()
    served = _first_in(owner, second)
    other = owner if served is second else second
    assert late.is_kept_out() and other.is_kept_out()
    served.leave()
    assert other.is_in() and late.is_kept_out()
    other.leave()
    assert late.is_in()


def test_while_the_card_is_emptied_nobody_comes_in(visitors: Visitors) -> None:
    inside = visitors.sharer()
    assert inside.is_in()
    owners = [visitors.owner(), visitors.owner()]
    assert all(one.is_kept_out() for one in owners)
    late = visitors.sharer()
    assert late.is_kept_out()
    inside.leave()
    _first_in(*owners)
    assert late.is_kept_out()


@pytest.mark.parametrize("way", ["acquire_shared", "acquire_exclusive"])
def test_who_raises_has_left(way: str) -> None:
    gate = GpuLock(1, 1)
    for _ in range(2):
        with pytest.raises(KeyError), getattr(gate, way)():
            raise KeyError("inside")
    with gate.acquire_exclusive():
        pass
    with gate.acquire_shared():
        pass


@pytest.mark.parametrize(("sharers", "patience"), [(1, 1), (2, 3), (3, 16), (4, 2)])
def test_all_get_through_and_no_owner_ever_meets_anybody(sharers: int, patience: int) -> None:
    gate, lock, chance = GpuLock(sharers, patience), threading.Lock(), random.Random(patience)
    ways = {
        "shared": gate.acquire_shared,
        "prepared": lambda: gate.acquire_shared(last=True),
        "owned": gate.acquire_exclusive,
    }
    inside = {"shared": 0, "owned": 0}
    wrong: list[dict[str, int]] = []

    def step(way: str, by: int) -> None:
        with lock:
            inside[way] += by
            alone = inside == {"shared": 0, "owned": 1} or not inside["owned"]
            if not alone or inside["shared"] > sharers:
                wrong.append(dict(inside))

    def through(plan: list[str]) -> None:
        for way in plan:
            kind = "owned" if way == "owned" else "shared"
            with ways[way]():
                step(kind, 1)
                step(kind, -1)

    plans = [
        chance.choice(
            [["shared", "prepared", "owned"], ["shared"], ["prepared", "prepared", "owned"]]
        )
        for _ in range(40)
    ]
    threads = [threading.Thread(target=through, args=(plan,), daemon=True) for plan in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG_S)
    assert not any(thread.is_alive() for thread in threads)
    assert wrong == []


@pytest.mark.parametrize("patience_s", [2 * SHORT_S, LONG_S])
def test_one_owner_that_has_waited_long_enough_empties_the_card(patience_s: float) -> None:
    visitors = Visitors(GpuLock(2, 9, patience_s))
    inside = visitors.sharer()
    assert inside.is_in()
    owner = visitors.owner()
    time.sleep(4 * SHORT_S)
    late = visitors.sharer()
    if patience_s == LONG_S:
        assert late.is_in()
        late.leave()
    else:
        assert late.is_kept_out()
    inside.leave()
    assert owner.is_in()
    owner.leave()
    assert late.is_in()
    late.leave()


def test_two_processes_with_a_gate_each_never_have_the_card_alone_at_once(tmp_path: Path) -> None:
    """A lease of its own stands for each process: locks are between open files."""
    ours, theirs = (GpuLock(2, 1, lease=GpuLease("fake", folder=tmp_path)) for _ in range(2))
    with ours.acquire_shared():
        beside = Visitor(theirs.acquire_shared)
        assert beside.is_in()
        timing = threading.Event()

        def time_one() -> None:
            with theirs.acquire_exclusive():
                timing.set()

        thread = threading.Thread(target=time_one, daemon=True)
        thread.start()
        beside.leave()
        assert not timing.wait(SHORT_S), "calls of the other process are under way"
    assert timing.wait(LONG_S)
    thread.join(LONG_S)
    with ours.acquire_exclusive():
        kept_out = threading.Thread(target=lambda: _pass_through(theirs), daemon=True)
        kept_out.start()
        kept_out.join(SHORT_S)
        assert kept_out.is_alive()
    kept_out.join(LONG_S)
    assert not kept_out.is_alive()


def _pass_through(gate: GpuLock) -> None:
    with gate.acquire_shared():
        pass
