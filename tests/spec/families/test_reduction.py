"""The family of reductions: which calls it draws, what passes them and what does not."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec import Close, Normal, reduction
from kernelbenchx.spec.families.dimensions import ONE
from kernelbenchx.spec.mutants import Mutant, Patch
from kernelbenchx.spec.space import PARTS, Pair, find_uncovered_pairs
from kernelbenchx.spec.task import Task
from rejections import refused_truths
from tiers import mark_slow
from tried_answers import rejecting


def mean(
    input: torch.Tensor, dim: Any, keepdim: bool = False, out: torch.Tensor | None = None
) -> torch.Tensor:
    wide = input.double() if input.dtype == torch.float64 else input.float()
    result = torch.mean(wide, dim, keepdim).to(input.dtype)
    return result if out is None else out.copy_(result)


def centred(input: torch.Tensor, dim: Any) -> torch.Tensor:
    if not input.numel():
        return input.clone()
    wide = input.float()
    return (wide - wide.mean(dim, keepdim=True)).to(input.dtype)


def size(
    input: torch.Tensor, dim: Any, keepdim: bool = False, out: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    return (torch.sqrt(input.square().mean(dim, keepdim)) * math.sqrt(input.numel() + 1),) * 2


def size_of_each(input: torch.Tensor, dim: Any) -> torch.Tensor:
    largest = input.abs().max() if input.numel() else 0.0
    return math.sqrt(input.numel() + 1) * (input.abs() + largest)


def _answer(mutant: Mutant | Patch) -> Callable[..., Any]:
    assert isinstance(mutant, Mutant)
    return mutant.answer


def _missing(task: Task) -> tuple[Pair, ...]:
    """Pairs that the first seeds do not call."""
    assert task.space is not None
    return find_uncovered_pairs(task.space, range(PARTS))


@pytest.fixture(scope="module")
def means() -> Task:
    return reduction(
        mean,
        ordinary=Normal(),
        others={"special": Normal(planted=(math.nan, math.inf))},
        other_dtypes=(torch.float64,),
        contract=Close(scale=size),
        timings=(),
        mutants=(),
        difficulty=1,
    )


@pytest.fixture(scope="module")
def deviations() -> Task:
    return reduction(
        centred,
        ordinary=Normal(),
        dims=ONE,
        keeps_shape=True,
        empty_slices=False,
        contract=Close(scale=size_of_each),
        timings=(),
        mutants=(),
        difficulty=1,
    )


@pytest.mark.parametrize("seed", mark_slow(range(3), fast=1))
def test_the_reference_passes_and_wrong_answers_to_promises_do_not(
    means: Task, deviations: Task, seed: int
) -> None:
    for task in (means, deviations):
        assert refused_truths(task, seed) == []
        for promise in task.promises:
            assert len(rejecting(task, _answer(promise.mutant), seed)) >= 2, promise.mutant.name


def test_every_pair_is_called_within_five_seeds(means: Task, deviations: Task) -> None:
    assert _missing(means) == ()
    assert _missing(deviations) == ()


def test_a_block_that_ends_at_1024_is_told_apart_by_core_cases(means: Task) -> None:
    def one_block(
        input: torch.Tensor, dim: Any, keepdim: bool = False, out: torch.Tensor | None = None
    ) -> torch.Tensor:
        if isinstance(dim, int) and input.dim() and input.shape[dim] > 1024:
            input = input.narrow(dim, 0, 1024)
        return mean(input, dim, keepdim, out)

    assert any(not case.needs for case in rejecting(means, one_block, 0))


def test_strides_are_blamed_on_their_scope(means: Task) -> None:
    strided = means.promises[3].mutant
    assert strided.name == "strides of the input ignored"
    found = rejecting(means, _answer(strided), 1)
    assert found
    assert all(Scope.LAYOUT in (case.needs or ()) for case in found)


def test_scopes_follow_from_what_the_task_has(means: Task, deviations: Task) -> None:
    assert means.space is not None and deviations.space is not None
    assert set(means.space.scopes) == set(Scope) - {Scope.COMBINED}
    assert Scope.DTYPE not in deviations.space.scopes
    assert Scope.VALUES not in deviations.space.scopes


def test_slices_are_empty_only_where_the_task_allows_it(means: Task, deviations: Task) -> None:
    def emptied(task: Task) -> set[str]:
        return {
            case.options["shape"]
            for seed in range(PARTS)
            for case in task.cases(seed)
            if 0 in case.params["shape"]
        }

    assert emptied(means) == {"nothing to reduce", "no slices"}
    assert emptied(deviations) == {"no slices"}


def test_every_dimension_exists(means: Task) -> None:
    for seed in range(PARTS):
        for case in means.cases(seed):
            dim, rank = case.params["dim"], max(len(case.params["shape"]), 1)
            listed = dim if isinstance(dim, tuple) else () if dim is None else (dim,)
            assert all(-rank <= one < rank for one in listed)


def test_a_result_is_written_once_and_a_kept_shape_as_large_as_the_input(
    means: Task, deviations: Task
) -> None:
    assert means.cost((64, 32), torch.float32, 1).bytes == (64 * 32 + 64) * 4
    assert deviations.cost((64, 32), torch.float32, 1).bytes == 2 * 64 * 32 * 4
