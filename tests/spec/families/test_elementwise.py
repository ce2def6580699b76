"""The elementwise family: which calls it draws, what passes them and what does not."""

import math
from typing import Any

import pytest
import torch

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec import Draw, elementwise
from kernelbenchx.spec.mutants import Mutant
from kernelbenchx.spec.space import PARTS, find_uncovered_pairs
from kernelbenchx.spec.task import Task
from rejections import refused_truths
from tried_answers import rejecting


def root(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    wide = input if input.dtype == torch.float64 else input.float()
    dtype = input.dtype if input.is_floating_point() else torch.float32
    result = torch.sqrt(wide).to(dtype)
    return result if out is None else out.copy_(result)


def rectified(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return torch.nn.functional.relu(input, inplace)


@pytest.fixture(scope="module")
def roots() -> Task:
    return elementwise(
        root,
        draw=(0.0, 9.0),
        ranges={"large": (100.0, 200.0)},
        planted=(-1.0, math.inf, math.nan),
        integers=(0, 50),
        mutants=(),
        difficulty=1,
    )


@pytest.fixture(scope="module")
def rectifiers() -> Task:
    return elementwise(rectified, mutants=(), difficulty=1)


def test_the_reference_passes_and_wrong_answers_to_promises_do_not(
    roots: Task, rectifiers: Task
) -> None:
    for task in (roots, rectifiers):
        assert refused_truths(task, 0) == []
        for promise in task.promises:
            assert isinstance(promise.mutant, Mutant)
            assert rejecting(task, promise.mutant.answer, 0), promise.mutant.name


def test_every_pair_is_called_within_five_seeds(roots: Task, rectifiers: Task) -> None:
    for task in (roots, rectifiers):
        assert task.space is not None
        assert find_uncovered_pairs(task.space, range(PARTS)) == ()


def test_infinity_cut_away_is_told_apart_by_special_values_alone(roots: Task) -> None:
    def finite(input: torch.Tensor, **words: Any) -> torch.Tensor:
        return root(input.nan_to_num(math.nan, 1e4), **words)

    found = rejecting(roots, finite, 0)
    assert {case.options["values"] for case in found} == {"special"}
    assert all(Scope.VALUES in (case.needs or ()) for case in found)


def test_axes_follow_from_what_the_function_takes(roots: Task, rectifiers: Task) -> None:
    assert roots.space is not None and rectifiers.space is not None
    assert {"out", "values"} <= set(roots.space.by_name)
    assert roots.writes == ("out",)
    assert "inplace" in rectifiers.space.by_name
    assert not {"out", "values"} & set(rectifiers.space.by_name)
    assert rectifiers.writes == ("input",)


def test_calls_that_cannot_be_are_not_valid(roots: Task, rectifiers: Task) -> None:
    assert roots.space is not None and rectifiers.space is not None
    matrix = {"shape": "matrix", "dtype": "float32", "layout": "transposed"}
    assert roots.space.valid(matrix)
    assert not roots.space.valid(matrix | {"shape": "vector"})
    assert not roots.space.valid(matrix | {"shape": "0-d"})
    assert not roots.space.valid(matrix | {"dtype": "int32", "values": "special"})
    assert rectifiers.space.valid(matrix | {"inplace": "yes"})
    assert not rectifiers.space.valid(matrix | {"inplace": "yes", "layout": "expanded"})


def test_values_come_from_the_range_that_is_named(roots: Task) -> None:
    words: dict[str, Any] = {"shape": (500,), "dtype": torch.float32}
    (usual,) = roots.inputs(Draw.from_seed(0), **words).args
    (large,) = roots.inputs(Draw.from_seed(0), **words, values="large").args
    (special,) = roots.inputs(Draw.from_seed(0), **words, values="special").args
    assert usual.min() >= 0 and usual.max() <= 9
    assert large.min() >= 100 and large.max() <= 200
    assert special.isnan().any() and not usual.isnan().any()


@pytest.mark.parametrize(("dtype", "each"), [(torch.float16, 4), (torch.int64, 12)])
def test_each_element_is_read_and_written_once(roots: Task, dtype: torch.dtype, each: int) -> None:
    assert roots.cost(shape=(64, 32), dtype=dtype).bytes == 64 * 32 * each


def test_rows_of_out_with_gaps_are_told_apart_from_contiguous_ones(roots: Task) -> None:
    def through_memory(input: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
        if out is None or out.dim() < 2 or out.stride(-1) != 1:
            return root(input, out)
        out.as_strided(out.shape, root(input).contiguous().stride()).copy_(root(input))
        return out

    found = rejecting(roots, through_memory, 0)
    assert {case.options["out"] for case in found} == {"padded rows"}
    assert any(case.corner for case in found)


def test_extreme_sizes_are_planted_beside_special_values(roots: Task) -> None:
    def cut_away(input: torch.Tensor, **words: Any) -> torch.Tensor:
        wide = input if input.dtype == torch.float64 else input.float()
        huge = wide.isfinite() & (wide > 1e15)
        return root(torch.where(huge, 0.0, wide).to(input.dtype), **words)

    found = rejecting(roots, cut_away, 0)
    assert {case.options["values"] for case in found} == {"special"}


def test_the_longest_vector_has_more_blocks_than_a_gpu_has_multiprocessors(roots: Task) -> None:
    def one_wave(input: torch.Tensor, **words: Any) -> torch.Tensor:
        result = root(input, **words)
        if result.dim() == 1:
            result[132 * 1024 :] = 0
        return result

    found = rejecting(roots, one_wave, 0)
    assert {case.options["shape"] for case in found} == {"long"}
