"""Calls that a task adds to those of its family."""

import dataclasses
import math

import pytest
import torch

from kernelbenchx.spec import elementwise
from kernelbenchx.spec.families.corners import ENDS, with_corners
from kernelbenchx.spec.task import Task


def doubled(input: torch.Tensor) -> torch.Tensor:
    return input + input


TASK = elementwise(doubled, ranges={"large": 9.0}, mutants=(), difficulty=1)


def test_a_corner_is_called_in_every_run_and_without_it_in_few() -> None:
    wanted = {"dtype": "float16", "shape": "matrix", "values": "large"}
    more = with_corners(TASK, wanted)

    def runs(task: Task) -> int:
        return sum(
            any(wanted.items() <= one.options.items() for one in task.cases(seed))
            for seed in range(5)
        )

    assert runs(more) == 5 and runs(TASK) < 5
    assert TASK.space is not None and more.space is not None
    assert more.space.corners == (*TASK.space.corners, wanted)


def test_a_corner_that_is_no_valid_call_is_refused() -> None:
    with pytest.raises(ValueError, match="not a valid call"):
        with_corners(TASK, {"shape": "0-d", "layout": "transposed"})
    with pytest.raises(ValueError, match="without a space"):
        with_corners(dataclasses.replace(TASK, space=None), {})


def test_the_ends_are_infinities_and_nan() -> None:
    assert ENDS[:2] == (math.inf, -math.inf) and math.isnan(ENDS[2])
