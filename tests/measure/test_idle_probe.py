"""Work that somebody left on the card is seen between turns."""

from typing import Any

import pytest

from kernelbenchx.measure.idle_probe import LOOKS, MOST_US, IdleProbe


class Card:
    """The shortest work takes as long as is said, in this order and then again."""

    def __init__(self, *times_us: float) -> None:
        self._times_us, self._made, self._ns = times_us, 0, 0

    def touch(self) -> None:
        self._ns += int(1e3 * self._times_us[self._made % len(self._times_us)])
        self._made += 1

    def now_ns(self) -> int:
        return self._ns


def _disturbed(*times_us: float, looks: int = 4) -> str:
    card: Any = Card(*times_us)
    quiet = IdleProbe(card, card.now_ns)
    for _ in range(looks):
        quiet.look()
    return quiet.disturbed


def test_who_waits_for_its_turn_each_time_is_not_alone() -> None:
    assert _disturbed(MOST_US + 50.0) == (
        "other work was on the GPU between turns: the shortest probe took 250 us"
    )


@pytest.mark.parametrize(
    "times_us",
    [
        (20.0,),
        (MOST_US - 1.0,),
        (5000.0,) * (LOOKS - 1) + (20.0,),  # a slow host
        (*(5000.0,) * LOOKS, *(20.0,) * LOOKS),  # half of the looks
    ],
)
def test_a_slow_host_is_not_somebody_else(times_us: tuple[float, ...]) -> None:
    assert _disturbed(*times_us) == ""


def test_without_a_look_nothing_is_known() -> None:
    assert _disturbed(9e9, looks=0) == ""
