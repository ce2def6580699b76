"""Who has processes around a submission: many at once, or one alone."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

from kernelbenchx.evaluate.process_slots import ProcessSlots

SOON_S = 60.0


class Guest:
    """A thread that stays until it may go."""

    def __init__(self, room: Callable[[], AbstractContextManager[None]]) -> None:
        self._inside, self._may_go = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._stay, args=(room,), daemon=True)
        self._thread.start()

    def _stay(self, room: Callable[[], AbstractContextManager[None]]) -> None:
        with room():
            self._inside.set()
            assert self._may_go.wait(SOON_S)

    def came(self, within_s: float = SOON_S) -> bool:
        return self._inside.wait(within_s)

    def go(self) -> None:
        self._may_go.set()
        self._thread.join(SOON_S)


def test_no_more_come_than_there_is_room_for() -> None:
    crews = ProcessSlots(2)
    first, second, third = Guest(crews.take_one), Guest(crews.take_one), Guest(crews.take_one)
    guests = [one for one in (first, second, third) if one.came(0.3)]
    assert len(guests) == 2
    guests[0].go()
    assert all(one.came() for one in (first, second, third))
    for one in (first, second, third):
        one.go()


def test_who_wants_to_be_alone_waits_for_the_others_and_lets_none_in() -> None:
    crews = ProcessSlots(3)
    there = Guest(crews.take_one)
    assert there.came()
    alone = Guest(crews.take_alone)
    assert not alone.came(0.05)
    late = Guest(crews.take_one)
    assert not late.came(0.05), "it came after somebody who wants to be alone"
    there.go()
    assert alone.came()
    assert not late.came(0.05)
    alone.go()
    assert late.came()
    late.go()


def test_two_who_want_to_be_alone_go_one_after_the_other() -> None:
    crews = ProcessSlots(3)
    first, second = Guest(crews.take_alone), Guest(crews.take_alone)
    assert first.came(0.5) or second.came()
    inside, waiting = (first, second) if first.came(0) else (second, first)
    assert not waiting.came(0.05)
    inside.go()
    assert waiting.came()
    waiting.go()
    after = Guest(crews.take_one)
    assert after.came()
    after.go()
