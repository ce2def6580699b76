"""The family of two operands: which calls it draws, what passes them and what does not."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec import Close, Draw, binary
from kernelbenchx.spec.mutants import Mutant, Patch
from kernelbenchx.spec.space import PARTS, find_uncovered_pairs
from kernelbenchx.spec.task import Task
from rejections import refused_truths
from tiers import mark_slow
from tried_answers import rejecting


def mul(input: torch.Tensor, other: Any, out: torch.Tensor | None = None) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    wide = torch.promote_types(dtype, torch.float32) if dtype.is_floating_point else dtype
    second = other.to(wide) if isinstance(other, torch.Tensor) else other
    result = (input.to(wide) * second).to(dtype)
    return result if out is None else out.copy_(result)


def exact(input: torch.Tensor, other: Any, out: torch.Tensor | None = None) -> torch.Tensor:
    if not torch.result_type(input, other).is_floating_point:
        return mul(input, other, out)
    result = input.double() * (other.double() if isinstance(other, torch.Tensor) else other)
    if out is not None:
        out.copy_(result)
    return result


def small(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return draw.integers(shape, -1000, 1000, dtype)


def _answer(mutant: Mutant | Patch) -> Callable[..., Any]:
    assert isinstance(mutant, Mutant)
    return mutant.answer


@pytest.fixture(scope="module")
def products() -> Task:
    return binary(
        mul,
        pairs={"special": ((math.inf, 0.0), (math.nan, 1.0), (2.0, math.nan))},
        integers=(small, small),
        contract=Close(),
        truth=exact,
        mutants=(),
        difficulty=1,
    )


@pytest.mark.parametrize("seed", mark_slow(range(3), fast=1))
def test_the_reference_passes_and_wrong_answers_to_promises_do_not(
    products: Task, seed: int
) -> None:
    assert refused_truths(products, seed) == []
    for promise in products.promises:
        assert len(rejecting(products, _answer(promise.mutant), seed)) >= 2, promise.mutant.name


def test_every_pair_is_called_within_five_seeds(products: Task) -> None:
    assert products.space is not None
    assert find_uncovered_pairs(products.space, range(PARTS)) == ()


def test_an_operand_taken_for_contiguous_is_blamed_on_layout_alone(products: Task) -> None:
    second = next(one.mutant for one in products.promises if one.axis == "other_layout")
    found = rejecting(products, _answer(second), 0)
    assert any(case.needs == frozenset({Scope.LAYOUT}) for case in found)
    assert all(Scope.LAYOUT in (case.needs or ()) for case in found)


def test_rows_alone_do_not_show_that_shapes_broadcast(products: Task) -> None:
    in_turn = next(one.mutant for one in products.promises if one.text == "Shapes broadcast.")
    found = {case.options["other"] for case in rejecting(products, _answer(in_turn), 1)}
    assert "row" not in found
    assert found & {"column", "stretches both"}


def test_special_values_meet_where_both_have_the_same_shape(products: Task) -> None:
    drawn = products.inputs(Draw.from_seed(0), shape=(40,), dtype=torch.float32, values="special")
    x, y = drawn.args
    at = int(torch.isinf(x).nonzero())
    assert y[at] == 0
    assert torch.isnan(y).sum() == 1


def test_integers_beside_a_16_bit_operand_are_those_it_holds(products: Task) -> None:
    words: dict[str, Any] = {"shape": (900,), "dtype": torch.int64, "other_dtype": torch.bfloat16}
    x, _ = products.inputs(Draw.from_seed(0), **words).args
    assert torch.equal(x.bfloat16().long(), x)
    wide, _ = products.inputs(Draw.from_seed(0), shape=(900,), dtype=torch.int64).args
    assert not torch.equal(wide.bfloat16().long(), wide)


@pytest.mark.parametrize(("other", "read"), [(None, 2 * 64 * 32), ((32,), 65 * 32), (2.5, 64 * 32)])
def test_operands_are_read_once_as_large_as_they_are(products: Task, other: Any, read: int) -> None:
    cost = products.cost(shape=(64, 32), dtype=torch.float32, other=other)
    assert cost.bytes == (read + 64 * 32) * 4
