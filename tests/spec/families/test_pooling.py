"""The pooling family, in one and in two dimensions."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec import Close, Normal, argument, pooling
from kernelbenchx.spec.mutants import Mutant, Patch
from kernelbenchx.spec.shapes import compute_pooled_sizes
from kernelbenchx.spec.space import PARTS, Pair, find_uncovered_pairs
from kernelbenchx.spec.task import Task
from rejections import refused_truths
from tiers import mark_slow
from tried_answers import rejecting

SPECIAL = {"special": Normal(planted=(math.nan, math.inf))}


def avg1(
    input: torch.Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0
) -> torch.Tensor:
    pool = torch.nn.functional.avg_pool1d
    return pool(input.float(), kernel_size, stride or kernel_size, padding).to(input.dtype)


def avg2(
    input: torch.Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
) -> torch.Tensor:
    pool = torch.nn.functional.avg_pool2d
    return pool(input.float(), kernel_size, stride, padding, ceil_mode).to(input.dtype)


def exact2(
    input: torch.Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
) -> torch.Tensor:
    return torch.nn.functional.avg_pool2d(input.double(), kernel_size, stride, padding, ceil_mode)


def size1(
    input: torch.Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0
) -> torch.Tensor:
    return 4 * avg1(input.abs(), kernel_size, stride, padding)


def size2(input: torch.Tensor, *args: Any, **words: Any) -> torch.Tensor:
    return 4 * exact2(input.abs(), *args, **words)


def _answer(mutant: Mutant | Patch) -> Callable[..., Any]:
    assert isinstance(mutant, Mutant)
    return mutant.answer


def _missing(task: Task) -> tuple[Pair, ...]:
    """Pairs that the first seeds do not call."""
    assert task.space is not None
    return find_uncovered_pairs(task.space, range(PARTS))


@pytest.fixture(scope="module")
def lines() -> Task:
    return pooling(
        avg1,
        rank=1,
        others=SPECIAL,
        contract=Close(scale=size1),
        timings=(),
        mutants=(),
        difficulty=1,
    )


@pytest.fixture(scope="module")
def images() -> Task:
    return pooling(
        avg2,
        rank=2,
        others=SPECIAL,
        arguments=(argument("ceil_mode", not_given=None, yes=True),),
        contract=Close(scale=size2),
        truth=exact2,
        timings=(),
        mutants=(),
        difficulty=1,
    )


@pytest.mark.parametrize("seed", mark_slow(range(3), fast=1))
def test_the_reference_passes_and_wrong_answers_to_promises_do_not(
    lines: Task, images: Task, seed: int
) -> None:
    for task in (lines, images):
        assert refused_truths(task, seed) == []
        for promise in task.promises:
            assert len(rejecting(task, _answer(promise.mutant), seed)) >= 2, promise.mutant.name


def test_every_pair_is_called_within_five_seeds(lines: Task, images: Task) -> None:
    assert _missing(lines) == ()
    assert _missing(images) == ()


def test_an_argument_of_the_task_is_told_apart(images: Task) -> None:
    def floored(input: torch.Tensor, kernel_size: Any, **words: Any) -> torch.Tensor:
        return avg2(input, kernel_size, **words | {"ceil_mode": False})

    assert rejecting(images, floored, 0)
    assert {case.options["ceil_mode"] for case in rejecting(images, floored, 0)} == {"yes"}


def test_windows_above_64_are_core(lines: Task) -> None:
    narrow = lines.promises[0].mutant
    assert narrow.name == "windows of at most 64"
    assert any(not case.needs for case in rejecting(lines, _answer(narrow), 0))


def test_strides_are_blamed_on_layout(lines: Task) -> None:
    found = rejecting(lines, _answer(lines.promises[-1].mutant), 0)
    assert all(Scope.LAYOUT in (case.needs or ()) for case in found)
    assert any(case.needs == frozenset({Scope.LAYOUT}) for case in found)


def test_no_window_is_larger_than_its_input_and_no_padding_than_half_of_it(
    lines: Task, images: Task
) -> None:
    for task, rank in ((lines, 1), (images, 2)):
        for seed in range(PARTS):
            for case in task.cases(seed):
                shape, window = case.params["shape"], case.params["kernel_size"]
                windows = (window,) * rank if isinstance(window, int) else window
                padding = case.params.get("padding", 0)
                pads = (padding,) * rank if isinstance(padding, int) else padding
                assert all(a >= b for a, b in zip(shape[-rank:], windows, strict=True))
                assert all(2 * a <= b for a, b in zip(pads, windows, strict=True))


@pytest.mark.parametrize("ceil_mode", [False, True])
@pytest.mark.parametrize("words", [{}, {"stride": 2}, {"stride": 4, "padding": 1}])
def test_sizes_are_those_of_torch(words: dict[str, Any], ceil_mode: bool) -> None:
    for size in range(3, 12):
        x = torch.zeros(1, size, 7)
        true = torch.nn.functional.avg_pool2d(x, 3, ceil_mode=ceil_mode, **words).shape[1:]
        assert compute_pooled_sizes((size, 7), 3, ceil_mode=ceil_mode, **words) == tuple(true)


def test_a_window_costs_an_operation_for_each_element(images: Task) -> None:
    cost = images.cost(shape=(2, 3, 8, 8), dtype=torch.float32, kernel_size=(2, 4))
    assert cost.flops == 2 * 3 * 4 * 2 * 8
    assert cost.bytes == (2 * 3 * 64 + 2 * 3 * 8) * 4
