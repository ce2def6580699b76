"""Who is timed moves together to a core that is fast."""

import os
from collections.abc import Sequence

import pytest

from kernelbenchx.measure.seat import SLOW, Seat, seconds_on


class Machine:
    """Cores of a speed that the test says."""

    def __init__(self, places: Sequence[int]) -> None:
        self.speeds = dict.fromkeys(places, 1.0)
        self.looked: list[int] = []
        self.held: dict[int, int] = {}
        self.seat = Seat(places, self._look, self.held.__setitem__)

    def _look(self, place: int) -> float:
        self.looked.append(place)
        return self.speeds[place]


def test_everybody_sits_on_the_same_core() -> None:
    machine = Machine([5, 6, 7])
    machine.seat.take([101, 102])
    machine.seat.settle()
    assert machine.held == {101: 5, 102: 5}
    assert machine.looked == [5]  # the others are not looked at while it is fast


def test_all_move_when_it_becomes_slow_and_stay_while_it_is_not() -> None:
    machine = Machine([5, 6, 7])
    machine.seat.take([101, 102])
    machine.seat.settle()
    assert machine.seat.steady()
    machine.speeds = {5: 1.5 * SLOW, 6: 1.9, 7: 1.1}
    assert not machine.seat.steady()
    machine.seat.settle()
    assert machine.held == {101: 7, 102: 7}
    machine.speeds[7] = 0.99 * SLOW
    machine.seat.settle()
    assert machine.seat.steady()
    assert machine.held == {101: 7, 102: 7}
    machine.seat.take([103])  # the next submission begins where the last one was
    assert machine.held[103] == 7


def test_nobody_moves_to_a_core_that_is_hardly_better() -> None:
    machine = Machine([5, 6])
    machine.seat.take([101])
    machine.seat.settle()
    machine.speeds = {5: 1.7, 6: 1.6}
    machine.seat.settle()
    assert machine.held == {101: 5}
    machine.speeds = {5: 1.7, 6: 1.7 / SLOW - 0.01}
    machine.seat.settle()
    assert machine.held == {101: 6}


def test_one_look_that_was_too_good_does_not_make_all_others_slow() -> None:
    machine = Machine([5, 6])
    machine.speeds[5] = 0.1
    machine.seat.settle()
    machine.speeds[5] = 1.0
    for _ in range(12):
        machine.seat.settle()
    assert machine.seat.steady()


@pytest.mark.parametrize("places", [(), (5,)])
def test_where_there_is_no_choice_nothing_is_looked_at(places: tuple[int, ...]) -> None:
    machine = Machine(places)
    machine.seat.take([101])
    machine.seat.settle()
    assert machine.seat.steady()
    assert machine.looked == []
    assert machine.held == ({101: 5} if places else {})


def test_looking_leaves_this_process_where_it_was() -> None:
    before = os.sched_getaffinity(0)
    assert 0.0 < seconds_on(min(before)) < 1.0
    assert os.sched_getaffinity(0) == before
    with pytest.raises(OSError):
        seconds_on(1 << 15)
    assert os.sched_getaffinity(0) == before
