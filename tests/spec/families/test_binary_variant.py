"""A variant of a binary task: its axes, corners and promises."""

import pytest
import torch

from kernelbenchx.spec import Close, Mutant, Promise, binary
from kernelbenchx.spec.families.axes import argument, dtypes
from kernelbenchx.spec.families.binary_variant import binary_variant
from kernelbenchx.spec.families.operands import wide_integers
from kernelbenchx.spec.task import Task


def _sum(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return input + other


def _task() -> Task:
    return binary(
        _sum,
        pairs={},
        integers=(wide_integers, wide_integers),
        contract=Close(),
        mutants=(),
        difficulty=1,
    )


def _names(task: Task, axis: str) -> set[str]:
    assert task.space is not None
    return {option.name for option in task.space.by_name[axis].options}


def test_axes_are_replaced_and_the_others_stay() -> None:
    task = binary_variant(_task(), axes=(dtypes((torch.int8,)),), corners=())
    assert _names(task, "dtype") == {"int8"}
    assert _names(task, "other") == _names(_task(), "other")


def test_an_axis_that_the_task_lacks_is_an_error() -> None:
    with pytest.raises(ValueError, match="no axis is called alpha"):
        binary_variant(_task(), axes=(argument("alpha", one=1),), corners=())


def test_without_numbers_neither_option_nor_promise_is_left() -> None:
    task = binary_variant(_task(), axes=(), corners=(), numbers=False)
    assert not {"number", "whole number"} & _names(task, "other")
    assert not any("a number" in promise.text for promise in task.promises)
    whole = binary_variant(_task(), axes=(), corners=())
    assert {"number", "whole number"} <= _names(whole, "other")
    assert any("a number" in promise.text for promise in whole.promises)


def test_promises_are_dropped_by_their_beginning_and_added_at_the_end() -> None:
    own = Promise("Dtypes are kept.", "dtype", ("float32",), Mutant("other dtype", _sum))
    task = binary_variant(
        _task(), axes=(), corners=(), dropped=("Dtypes promote",), promises=(own,)
    )
    assert task.promises[-1] == own
    assert len(task.promises) == len(_task().promises)


def test_a_promise_that_is_not_there_cannot_be_dropped() -> None:
    with pytest.raises(ValueError, match="no promise begins with 'Strides'"):
        binary_variant(_task(), axes=(), corners=(), dropped=("Strides",))


def test_corners_and_fields_are_those_of_the_variant() -> None:
    task = binary_variant(_task(), axes=(), corners=({"shape": "0-d"},), difficulty=3)
    assert task.space is not None
    assert [dict(one) for one in task.space.corners] == [{"shape": "0-d"}]
    assert task.difficulty == 3


def test_a_corner_must_be_valid() -> None:
    with pytest.raises(ValueError, match="not a valid call"):
        binary_variant(
            _task(), axes=(), corners=({"shape": "0-d"},), valid=lambda one: one["shape"] != "0-d"
        )
