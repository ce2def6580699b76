"""Who goes first where there is room for few."""

import threading
import time

import pytest

from kernelbenchx.evaluate.priority_semaphore import PrioritySemaphore, Urgency


def _gone(places: PrioritySemaphore, wanted: list[Urgency]) -> list[Urgency]:
    """In which order they went, when all of them wait behind one that is there already."""
    order: list[Urgency] = []

    def go(urgency: Urgency) -> None:
        with places.acquire(urgency):
            order.append(urgency)

    threads = []
    with places.acquire((0, 0)):
        for urgency in wanted:
            threads.append(threading.Thread(target=go, args=(urgency,)))
            threads[-1].start()
            time.sleep(0.01)
        assert not order
    for thread in threads:
        thread.join(60.0)
    return order


def test_the_most_urgent_goes_first() -> None:
    wanted = [(1, 900), (1, 20), (0, 5000), (1, 20)]
    assert _gone(PrioritySemaphore(1), wanted) == [(0, 5000), (1, 20), (1, 20), (1, 900)]


@pytest.mark.parametrize("count", [1, 3])
def test_no_more_than_there_is_room_for(count: int) -> None:
    places, lock, full = PrioritySemaphore(count), threading.Lock(), threading.Event()
    inside = most = 0

    def go() -> None:
        nonlocal inside, most
        with places.acquire((0, 0)):
            with lock:
                inside += 1
                most = max(most, inside)
                if inside == count:
                    full.set()
            full.wait(30.0)
            time.sleep(0.01)
            with lock:
                inside -= 1

    threads = [threading.Thread(target=go) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert most == count


def test_a_failure_gives_the_place_back() -> None:
    places = PrioritySemaphore(1)
    with pytest.raises(KeyError), places.acquire((0, 0)):
        raise KeyError
    assert _gone(places, [(0, 1)]) == [(0, 1)]
