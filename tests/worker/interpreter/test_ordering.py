"""Order by atomics: release and acquire at one address keep programs apart, nothing less does."""

from __future__ import annotations

import numpy as np
import pytest

from kernelbenchx.worker.interpreter.ordering import Ordering
from kernelbenchx.worker.interpreter.races import Clash, Shadow

LOCK, OTHER_LOCK = 0x1000, 0x2000


def _write(shadow: Shadow, *places: int) -> Clash | None:
    index = np.array(places, dtype=np.int64)
    return shadow.on_write(index, 4, lambda: np.ones(index.shape, dtype=bool))


def _read(shadow: Shadow, *places: int) -> Clash | None:
    return shadow.on_read(np.array(places, dtype=np.int64), 4)


@pytest.fixture
def order() -> Ordering:
    return Ordering(8)


@pytest.fixture
def shadow(order: Ordering) -> Shadow:
    return Shadow(64, 4, order)


def test_what_was_released_may_be_read_by_who_acquires(order: Ordering, shadow: Shadow) -> None:
    order.begin(1)
    assert _write(shadow, 3) is None
    order.release(LOCK)
    order.begin(2)
    order.acquire(LOCK)
    assert _read(shadow, 3) is None
    assert order.used


@pytest.mark.parametrize("missing", ["release", "acquire", "address"])
def test_half_of_it_orders_nothing(order: Ordering, shadow: Shadow, missing: str) -> None:
    order.begin(1)
    assert _write(shadow, 3) is None
    if missing != "release":
        order.release(LOCK)
    order.begin(2)
    if missing != "acquire":
        order.acquire(OTHER_LOCK if missing == "address" else LOCK)
    assert _read(shadow, 3) == Clash("read-write", 1, 12)
    assert not order.used


def test_what_comes_after_the_release_is_not_covered_by_it(order: Ordering, shadow: Shadow) -> None:
    order.begin(1)
    order.release(LOCK)
    assert _write(shadow, 3) is None
    order.begin(2)
    order.acquire(LOCK)
    clash = _read(shadow, 3)
    assert clash is not None
    assert order.program_of(clash.other) == 1


def test_what_comes_before_the_acquire_is_not_covered_by_it(
    order: Ordering, shadow: Shadow
) -> None:
    order.begin(1)
    assert _write(shadow, 3) is None
    order.release(LOCK)
    order.begin(2)
    assert _write(shadow, 3) == Clash("write-write", 1, 12)
    order.acquire(LOCK)


def test_order_is_handed_on(order: Ordering, shadow: Shadow) -> None:
    order.begin(1)
    assert _write(shadow, 3) is None
    order.release(LOCK)
    order.begin(2)
    order.acquire(LOCK)
    order.release(OTHER_LOCK)
    order.begin(3)
    order.acquire(OTHER_LOCK)
    assert _write(shadow, 3) is None


def test_a_writer_meets_the_reader_that_released_nothing(order: Ordering, shadow: Shadow) -> None:
    order.begin(1)
    assert _write(shadow, 0) is None  # opens the tables
    assert _read(shadow, 3) is None
    order.begin(2)
    assert _read(shadow, 3) is None
    order.release(LOCK)
    order.begin(3)
    order.acquire(LOCK)
    clash = _write(shadow, 3)
    assert clash is not None
    assert order.program_of(clash.other) == 1


def test_a_program_is_ordered_after_itself(order: Ordering, shadow: Shadow) -> None:
    order.begin(1)
    assert _write(shadow, 3) is None
    order.release(LOCK)
    assert _write(shadow, 3) is None
    assert not order.used


def test_a_launch_that_begins_anew_has_no_order(order: Ordering, shadow: Shadow) -> None:
    order.begin(1)
    order.release(LOCK)
    order.forget()
    order.begin(1)
    assert _write(shadow, 3) is None
    order.begin(2)
    order.acquire(LOCK)
    assert _read(shadow, 3) is not None
