"""A case is trivial where zeros, another constant, an argument or unwritten memory is right."""

from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.evaluate import calls
from kernelbenchx.evaluate.calls import DrawnCase, drawn_cases
from kernelbenchx.evaluate.trivial_answers import passes_trivially
from kernelbenchx.judge.correctness import truth_of
from kernelbenchx.spec.call import call

MIXED = torch.tensor([-1.0, 2.0, 3.0])


def trivial(name: str, *args: Any, **kwargs: Any) -> bool:
    task, asked = catalog.load(name), call(*args, **kwargs)
    return passes_trivially(task, asked, truth_of(task, asked), task.contract.calls)


@pytest.mark.parametrize(
    ("name", "passed", "told"),
    [
        ("activation/relu", -MIXED.abs(), MIXED),  # zeros
        ("activation/relu", MIXED.abs(), MIXED),  # the input
        ("activation/relu", torch.full((3,), torch.nan), MIXED),  # memory that is not written
        ("activation/relu", torch.empty(0, 3), MIXED),  # anything
        ("math/reciprocal", torch.ones(3), MIXED),  # a constant
        ("math/reciprocal", torch.full((3,), -1.0), MIXED),
        ("math/reciprocal", torch.zeros(3), MIXED),  # infinities
    ],
)
def test_one_call_is_trivial_and_another_is_not(
    name: str, passed: torch.Tensor, told: torch.Tensor
) -> None:
    assert trivial(name, passed)
    assert not trivial(name, told)


def test_an_argument_of_another_form_is_tried_in_the_form_of_the_output() -> None:
    """Whole numbers become floats; the second argument counts like the first."""
    assert trivial("math/div", torch.tensor([2, 3]), torch.ones(2, dtype=torch.int64))
    assert trivial("math/add", torch.zeros(2, 2), torch.eye(2))
    assert not trivial("math/div", torch.tensor([2, 3]), torch.tensor([2, 5]))
    assert not trivial("math/add", torch.ones(2, 2), torch.eye(2))


def test_a_reduction_may_give_zero() -> None:
    assert trivial("reduce/sum", torch.tensor([1.0, -1.0]), 0)
    assert not trivial("reduce/sum", MIXED, 0)


def test_what_is_written_may_be_left_alone() -> None:
    """In place on values that stay: nothing has to be done."""
    assert trivial("activation/relu", MIXED.abs(), inplace=True)
    assert not trivial("activation/relu", MIXED.clone(), inplace=True)


def test_nothing_that_it_is_given_changes() -> None:
    given = MIXED.clone()
    trivial("activation/relu", given, inplace=True)
    assert torch.equal(given, MIXED)


def test_core_cases_of_a_drawn_run_tell() -> None:
    task = catalog.load("activation/relu")
    found = drawn_cases("activation/relu", 7)
    core = [one for one in found if not one.needs]
    assert core and not any(one.is_trivial(task) for one in core)
    empty = [one for one in found if not one.call.tensors()[0].numel()]
    assert empty and all(one.is_trivial(task) for one in empty)


def test_it_is_computed_once_and_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def note(*_given: object) -> bool:
        asked.append(1)
        return True

    monkeypatch.setattr(calls, "passes_trivially", note)
    task = catalog.load("activation/relu")
    first = drawn_cases("activation/relu", 7)[0]
    fresh = DrawnCase(first.case, first.call, first.truth)
    assert not asked
    assert fresh.is_trivial(task) and fresh.is_trivial(task) and len(asked) == 1
