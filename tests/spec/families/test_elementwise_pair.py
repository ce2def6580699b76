"""Elementwise tasks with two results: what passes them and what does not."""

import math

import pytest
import torch

from kernelbenchx.spec.families.elementwise_pair import Pair, elementwise_pair
from kernelbenchx.spec.families.round_once import round_to_input, widen_input
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.space import PARTS, find_uncovered_pairs
from kernelbenchx.spec.task import Task
from rejections import refused_truths
from tried_answers import rejecting


def half_and_root(input: torch.Tensor) -> Pair:
    x = widen_input(input)
    return round_to_input(x / 2, input), round_to_input(torch.sqrt(x), input)


@pytest.fixture(scope="module")
def pairs() -> Task:
    return elementwise_pair(
        half_and_root,
        draw=(0.0, 9.0),
        planted=(-1.0, math.inf, math.nan),
        integers=(0, 50),
        flops=3,
        mutants=(),
        difficulty=1,
    )


def test_the_reference_passes_and_wrong_answers_to_promises_do_not(pairs: Task) -> None:
    assert refused_truths(pairs, 0) == []
    for promise in pairs.promises:
        assert isinstance(promise.mutant, Mutant)
        assert rejecting(pairs, promise.mutant.answer, 0), promise.mutant.name


def test_every_pair_is_called_within_five_seeds(pairs: Task) -> None:
    assert pairs.space is not None
    assert find_uncovered_pairs(pairs.space, range(PARTS)) == ()


def test_one_sentence_speaks_of_dtypes_and_of_two_results(pairs: Task) -> None:
    (text,) = (one.text for one in pairs.promises if one.axis == "dtype")
    assert "two new tensors" in text and "float32" in text


@pytest.mark.parametrize("which", [0, 1])
def test_either_result_alone_can_be_wrong(pairs: Task, which: int) -> None:
    def spoiled(input: torch.Tensor) -> Pair:
        results = list(half_and_root(input))
        results[which] = results[which] * 1.01
        return results[0], results[1]

    assert rejecting(pairs, spoiled, 0)
    assert not rejecting(pairs, half_and_root, 0)
    assert rejecting(pairs, lambda input: half_and_root(input)[which], 0)


@pytest.mark.parametrize(("dtype", "each"), [(torch.float16, 6), (torch.int64, 16)])
def test_each_element_is_read_once_and_written_twice(
    pairs: Task, dtype: torch.dtype, each: int
) -> None:
    cost = pairs.cost(shape=(64, 32), dtype=dtype)
    assert cost.bytes == 64 * 32 * each and cost.flops == 64 * 32 * 3
