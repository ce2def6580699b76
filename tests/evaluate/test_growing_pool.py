import threading
from functools import partial

from kernelbenchx.evaluate.growing_pool import GrowingPool

LONG_S = 30.0


def _wait(event: threading.Event) -> None:
    assert event.wait(LONG_S)


def _begin_and_wait(begun: threading.Event, let: threading.Event) -> None:
    begun.set()
    _wait(let)


def test_so_many_run_at_once_and_the_others_in_order() -> None:
    pool, let, order = GrowingPool(2, "t"), threading.Event(), list[int]()
    begun = threading.Semaphore(0)

    def work(number: int) -> None:
        order.append(number)
        begun.release()
        _wait(let)

    for number in range(4):
        pool.submit(partial(work, number))
    assert begun.acquire(timeout=LONG_S) and begun.acquire(timeout=LONG_S)
    assert sorted(order) == [0, 1] and pool.has_waiting
    let.set()
    assert begun.acquire(timeout=LONG_S) and begun.acquire(timeout=LONG_S)
    pool.shutdown(wait=True)
    assert sorted(order[2:]) == [2, 3] and not pool.has_waiting


def test_while_one_steps_aside_another_runs() -> None:
    pool, other_ran, aside_over = GrowingPool(1, "t"), threading.Event(), threading.Event()

    def first() -> None:
        with pool.step_aside():
            _wait(other_ran)
        aside_over.set()

    pool.submit(first)
    pool.submit(other_ran.set)
    _wait(aside_over)
    pool.shutdown(wait=True)


def test_without_stepping_aside_it_waits() -> None:
    pool, let, other_ran = GrowingPool(1, "t"), threading.Event(), threading.Event()
    pool.submit(lambda: _wait(let))
    pool.submit(other_ran.set)
    assert not other_ran.wait(0.1)
    let.set()
    _wait(other_ran)
    pool.shutdown(wait=True)


def test_whoever_has_to_wait_for_a_thread_is_told_of() -> None:
    pool, let, told = GrowingPool(1, "t"), threading.Event(), list[bool]()
    begun = threading.Event()
    pool.submit(partial(_begin_and_wait, begun, let))
    _wait(begun)
    pool.on_wait = lambda: told.append(True)
    pool.submit(lambda: None)
    assert told == [True]
    let.set()
    pool.shutdown(wait=True)


def test_shutdown_forgets_what_has_not_begun() -> None:
    pool, let, ran = GrowingPool(1, "t"), threading.Event(), list[int]()
    begun = threading.Event()
    pool.submit(partial(_begin_and_wait, begun, let))
    _wait(begun)
    pool.submit(lambda: ran.append(1))
    pool.shutdown(wait=False)
    let.set()
    pool.shutdown(wait=True)
    assert not ran


def test_a_pool_that_is_resized_runs_more_at_once() -> None:
    pool, let = GrowingPool(1, "t"), threading.Event()
    begun = [threading.Event() for _ in range(3)]
    for one in begun:
        pool.submit(partial(_begin_and_wait, one, let))
    _wait(begun[0])
    assert not begun[1].wait(0.2)
    pool.resize(2)
    _wait(begun[1])
    assert not begun[2].wait(0.2) and pool.has_waiting
    let.set()
    _wait(begun[2])
    pool.shutdown(wait=True)
