"""Reductions that give values and indices: what the family accepts and rejects."""

from typing import Any

import pytest
import torch

from kernelbenchx.spec import Close, Exact, Mutant, Normal, case
from kernelbenchx.spec.families.dimensions import ONE
from kernelbenchx.spec.families.indexed_reduction import (
    indexed_reduction,
    size_of_smallest,
    smallest,
    store_reduction,
)
from kernelbenchx.spec.task import Task
from rejections import is_caught, living, refused_truths


def least(input: torch.Tensor, dim: int, keepdim: bool = False) -> Any:
    return smallest(input, dim, keepdim, input.dtype)


def least_into(
    input: torch.Tensor, dim: int | None = None, keepdim: bool = False, out: Any = None
) -> Any:
    return store_reduction(smallest(input, dim, keepdim, input.dtype), out)


def _largest(input: torch.Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    return torch.max(input) if dim is None else tuple(torch.max(input, dim, keepdim))


def _task(function: Any, dims: tuple[str, ...], **more: Any) -> Task:
    return indexed_reduction(
        function,
        ordinary=Normal(),
        dims=dims,
        timings=case(shape=(8, 8), dim=1, dtype=torch.float32),
        mutants=(Mutant("largest", _largest),),
        difficulty=1,
        **more,
    )


PAIRS = _task(least, ONE, contract=Exact())
WRITTEN = _task(least_into, (*ONE, "none", "not given"), contract=Close())


@pytest.mark.parametrize("task", [PAIRS, WRITTEN])
def test_the_reference_is_right_and_every_broken_promise_is_seen(task: Task) -> None:
    if task is WRITTEN:
        assert refused_truths(task, 0) == []
    assert not is_caught(task, task.reference)
    assert living(task) == []
    (mutant,) = task.mutants
    assert isinstance(mutant, Mutant) and is_caught(task, mutant.answer)


def _one_room(*args: Any, out: Any = None, **words: Any) -> Any:
    found = least_into(*args, **words)
    if isinstance(out, tuple):
        return out[0].copy_(found[0]), found[1]
    return store_reduction(found, out)


def test_both_tensors_of_out_are_written() -> None:
    assert PAIRS.writes == () and WRITTEN.writes == ("out",)
    for seed in range(3):
        assert is_caught(WRITTEN, _one_room, seed)


def test_an_index_costs_eight_bytes_beside_its_value() -> None:
    params: dict[str, Any] = {"shape": (16, 32), "dtype": torch.float16}
    assert PAIRS.cost(**params, dim=1).bytes == 16 * 32 * 2 + 16 * (2 + 8)
    assert WRITTEN.cost(**params).bytes == 16 * 32 * 2 + 2


def test_what_does_not_fit_into_out_is_returned_beside_it() -> None:
    room, value = torch.zeros(3), torch.ones(3)
    assert store_reduction(value, room) is room and room.tolist() == [1, 1, 1]
    assert store_reduction(value, torch.zeros(2)) is value
    assert store_reduction(value, None) is value


def test_rounding_counts_the_elements_that_may_be_taken_for_the_smallest() -> None:
    scores = torch.tensor([[-1.0, -1.0 + 1e-7, 5.0]]).double()
    sizes = torch.tensor([[1.0, 3.0, 100.0]]).double()
    found = size_of_smallest(scores, sizes, 1, False)
    assert found is not None and found[0].tolist() == [3.0]
    whole = size_of_smallest(scores, sizes, None, True)
    assert whole is not None and whole[0].shape == ()
    assert size_of_smallest(torch.empty(0, 3), torch.empty(0, 3), 1, False) is None
