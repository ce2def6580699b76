"""Many share a card or one has it alone; groups, turns, and nobody left behind."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from kernelbenchx.evaluate.gate import Gate

LONG_S, SHORT_S = 60.0, 0.05


class Visitor:
    """A thread that goes through a gate and stays until it is told to leave."""

    def __init__(self, way: Callable[[], AbstractContextManager[None]]) -> None:
        self._way = way
        self._entered, self._leave = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._visit, daemon=True)
        self._thread.start()

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
    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.all: list[Visitor] = []

    def sharer(self) -> Visitor:
        self.all.append(Visitor(self._gate.shared))
        return self.all[-1]

    def hurried(self) -> Visitor:
        self.all.append(Visitor(lambda: self._gate.shared(soon=True)))
        return self.all[-1]

    def owner(self) -> Visitor:
        self.all.append(Visitor(self._gate.owned))
        return self.all[-1]


@pytest.fixture
def visitors(request: pytest.FixtureRequest) -> Iterator[Visitors]:
    sharers, patience = getattr(request, "param", (2, 2))
    found = Visitors(Gate(sharers, patience, LONG_S))
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
def test_who_will_own_it_soon_shares_it_first(visitors: Visitors) -> None:
    inside = visitors.sharer()
    assert inside.is_in()
    first = visitors.sharer()
    assert first.is_kept_out()
    hurried = [visitors.hurried(), visitors.hurried()]
    assert all(one.is_kept_out() for one in hurried)
    inside.leave()
    served = _first_in(*hurried)
    assert first.is_kept_out()
    served.leave()
    other = hurried[1 - hurried.index(served)]
    assert other.is_in() and first.is_kept_out()
    other.leave()
    assert first.is_in()


@pytest.mark.parametrize("visitors", [(4, 2)], indirect=True)
def test_where_enough_owners_are_on_their_way_nobody_else_comes_in(visitors: Visitors) -> None:
    first, second = visitors.hurried(), visitors.hurried()
    assert first.is_in() and second.is_in()
    other = visitors.sharer()
    assert other.is_kept_out()
    third = visitors.hurried()
    assert third.is_in()
    for one in (first, second):
        one.leave()
    assert other.is_in()


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


@pytest.mark.parametrize("way", ["shared", "owned"])
def test_who_raises_has_left(way: str) -> None:
    gate = Gate(1, 1)
    for _ in range(2):
        with pytest.raises(KeyError), getattr(gate, way)():
            raise KeyError("inside")
    with gate.owned():
        pass
    with gate.shared():
        pass


@pytest.mark.parametrize(("sharers", "patience"), [(1, 1), (2, 3), (3, 16), (4, 2)])
def test_all_get_through_and_no_owner_ever_meets_anybody(sharers: int, patience: int) -> None:
    gate, lock, chance = Gate(sharers, patience), threading.Lock(), random.Random(patience)
    inside = {"shared": 0, "owned": 0}
    wrong: list[dict[str, int]] = []

    def step(way: str, by: int) -> None:
        with lock:
            inside[way] += by
            alone = inside == {"shared": 0, "owned": 1} or not inside["owned"]
            if not alone or inside["shared"] > sharers:
                wrong.append(dict(inside))

    def through(ways: list[str]) -> None:
        for way in ways:
            with getattr(gate, way)():
                step(way, 1)
                step(way, -1)

    plans = [
        chance.choice([["shared", "owned"], ["shared"], ["shared", "shared", "owned"]])
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
    visitors = Visitors(Gate(2, 9, patience_s))
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
