import threading
import time
from collections.abc import Callable

import pytest

from kernelbenchx.generate.parallel_calls import together


def _meeting(count: int) -> list[Callable[[], int]]:
    """Calls that only end when all of them are there at once."""
    meet = threading.Barrier(count, timeout=60)

    def call(number: int) -> Callable[[], int]:
        def wait() -> int:
            meet.wait()
            return number

        return wait

    return [call(number) for number in range(count)]


def test_calls_run_side_by_side_and_answer_in_order() -> None:
    hands = threading.Semaphore(2)
    assert together(_meeting(3), hands) == [0, 1, 2]
    assert together(_meeting(3), hands) == [0, 1, 2]  # hands come back
    assert together([], hands) == []


def test_without_hands_one_comes_after_the_other() -> None:
    here: list[int] = []
    most = []

    def call() -> None:
        here.append(1)
        most.append(len(here))
        time.sleep(0.001)
        here.pop()

    together([call] * 20, threading.Semaphore(0))
    assert max(most) == 1
    most.clear()
    together([call] * 20, threading.Semaphore(3))
    assert max(most) <= 4 and len(most) == 20


def test_the_first_error_in_order_is_raised_when_all_have_ended() -> None:
    ended = []

    def fails(word: str, after_s: float) -> Callable[[], None]:
        def call() -> None:
            time.sleep(after_s)
            raise ValueError(word)

        return call

    with pytest.raises(ValueError, match="first"):
        together(
            [fails("first", 0.02), fails("second", 0.0), lambda: ended.append("third")],
            threading.Semaphore(2),
        )
    assert ended == ["third"]
