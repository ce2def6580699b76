"""The family of exact elementwise results: integers keep what floats would lose."""

import math
from typing import Any

import pytest
import torch

from kernelbenchx.spec import Draw, Exact
from kernelbenchx.spec.families.exact_elementwise import exact_elementwise
from kernelbenchx.spec.families.mistakes import store_result
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.space import PARTS, find_uncovered_pairs
from kernelbenchx.spec.task import Task
from rejections import refused_truths
from tried_answers import rejecting


def negated(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.neg(input, out=out)


def positive(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    return torch.gt(input, 0, out=out)


PLANTED = (0.0, -0.0, math.inf, math.nan, math.nan)


@pytest.fixture(scope="module")
def negations() -> Task:
    return exact_elementwise(negated, planted=PLANTED, mutants=(), difficulty=1)


@pytest.fixture(scope="module")
def comparisons() -> Task:
    return exact_elementwise(positive, result=torch.bool, planted=PLANTED, mutants=(), difficulty=1)


@pytest.mark.slow
def test_the_reference_passes_and_wrong_answers_to_promises_do_not(
    negations: Task, comparisons: Task
) -> None:
    for task in (negations, comparisons):
        assert refused_truths(task, 0) == []
        for promise in task.promises:
            assert isinstance(promise.mutant, Mutant)
            assert rejecting(task, promise.mutant.answer, 0), promise.mutant.name


def test_every_pair_is_called_within_five_seeds(negations: Task) -> None:
    assert negations.space is not None
    assert find_uncovered_pairs(negations.space, range(PARTS)) == ()


def test_one_sentence_speaks_of_dtypes(negations: Task, comparisons: Task) -> None:
    for task, word in ((negations, "dtype, also"), (comparisons, "is bool, also")):
        (text,) = (one.text for one in task.promises if one.axis == "dtype")
        assert word in text and "float32" not in text


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_integers_come_in_every_size(negations: Task, dtype: torch.dtype) -> None:
    (x,) = negations.inputs(Draw.from_seed(0), shape=(400,), dtype=dtype).args
    ends = torch.iinfo(dtype)
    assert x.dtype == dtype and {ends.min, ends.max, 0, -1} <= set(x.tolist())
    assert (x.abs() < 100).sum() > 100
    assert bool((x.double().float().long() != x).any())
    assert not bool((x.short() == x).all())


def test_half_of_the_nan_have_the_sign_bit(negations: Task) -> None:
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        words: dict[str, Any] = {"shape": (50,), "dtype": dtype}
        (x,) = negations.inputs(Draw.from_seed(0), **words, values="special").args
        assert sorted(torch.signbit(x[x.isnan()]).tolist()) == [False, True]
        (usual,) = negations.inputs(Draw.from_seed(0), **words).args
        assert not usual.isnan().any()


def test_out_has_the_dtype_of_the_result(negations: Task, comparisons: Task) -> None:
    words: dict[str, Any] = {"shape": (4, 5), "dtype": torch.int64, "out": "transposed"}
    assert negations.inputs(Draw.from_seed(0), **words).kwargs["out"].dtype == torch.int64
    room = comparisons.inputs(Draw.from_seed(0), **words).kwargs["out"]
    assert room.dtype == torch.bool and room.stride() == (1, 4)


def test_the_sign_of_a_zero_counts_and_a_right_one_passes(negations: Task) -> None:
    def plain(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
        return store_result(0 - input, out)

    def signed(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
        return store_result(input * -1, out)

    assert negations.contract == Exact(signed_zero=True)
    assert {case.options["values"] for case in rejecting(negations, plain, 0)} == {"special"}
    assert not rejecting(negations, signed, 0)


def test_each_element_is_read_and_written_once(negations: Task, comparisons: Task) -> None:
    assert negations.cost(shape=(64, 32), dtype=torch.int64).bytes == 64 * 32 * 16
    assert comparisons.cost(shape=(64, 32), dtype=torch.float16).bytes == 64 * 32 * 3
