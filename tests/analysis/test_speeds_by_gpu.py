import math

import numpy as np
import pytest

from attempt_samples import timed_attempt
from kernelbenchx.analysis.speeds_by_gpu import build_speed_matrix


def test_kernels_are_sources_for_a_task_and_cards_are_columns() -> None:
    found = build_speed_matrix(
        [
            timed_attempt(2.0, gpu="A", digest="x" * 64),
            timed_attempt(8.0, gpu="A", digest="x" * 64),
            timed_attempt(3.0, gpu="B", digest="x" * 64),
            timed_attempt(5.0, gpu="B", digest="x" * 64, task="math/add"),
        ]
    )
    assert found.cards == ("A", "B")
    assert found.names == ("activation/relu xxxxxxxxxx", "math/add xxxxxxxxxx")
    assert found.times.tolist() == [[2, 1], [0, 1]]
    assert found.speedups[0].tolist() == pytest.approx([4.0, 3.0])
    assert math.isnan(found.speedups[1, 0])
    assert found.on(("A", "B")).tolist() == [0] and found.on(("B",)).tolist() == [0, 1]


def test_extremes_over_cards_and_over_the_measurements_of_one() -> None:
    found = build_speed_matrix(
        [
            timed_attempt(2.0, gpu="A"),
            timed_attempt(8.0, gpu="A"),
            timed_attempt(3.0, gpu="B"),
        ]
    )
    every = np.array([0])
    largest, smallest = found.extremes(every, None)
    assert (largest.value[0], smallest.value[0]) == pytest.approx((4.0, 3.0))
    largest, smallest = found.extremes(every, 0)
    assert (largest.value[0], smallest.value[0]) == (8.0, 2.0)
    assert (smallest.low[0], smallest.high[0]) == pytest.approx((1.98, 2.02))


def test_an_interval_that_begins_at_zero_is_no_error() -> None:
    found = build_speed_matrix([timed_attempt(2.0)])
    assert found.middle.low[0, 0] > 0
    assert build_speed_matrix([]).names == ()
