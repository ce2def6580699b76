"""The family of gated products: what it draws, what it allows, and which answers it rejects."""

import math

import pytest
import torch

from kernelbenchx.spec import Mutant, Task, case
from kernelbenchx.spec.call import call
from kernelbenchx.spec.families.gated_product import (
    apply_gate,
    gated_product,
    inputs,
    shapes_of,
    wide_product,
)
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import MutantRefusal


def sigmoid_product(
    input: torch.Tensor,
    weight1: torch.Tensor,
    weight2: torch.Tensor,
    bias: torch.Tensor,
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    return apply_gate(torch.sigmoid, wide_product(input, weight1), weight2, bias, input.dtype, out)


def _slope(z: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(z) * torch.sigmoid(-z)


def _task() -> Task:
    return gated_product(
        sigmoid_product,
        gate=torch.sigmoid,
        slope=_slope,
        wrong_gates={"hyperbolic": torch.tanh},
        flops=5,
        timings=case(sizes=(64, 64, 64), dtype=torch.float32),
        difficulty=3,
    )


@pytest.mark.parametrize(
    ("kind", "shape"),
    [("vector", (5,)), ("full", (2, 3, 5)), ("matrix", (3, 5)), ("column", (3, 1)), ("0-d", ())],
)
def test_weight2_and_bias_broadcast_each_in_its_own_way(kind: str, shape: tuple[int, ...]) -> None:
    found = shapes_of((3, 4, 5), (2,), weight2=kind)
    assert found == ((2, 3, 4), (4, 5), shape, (5,), (2, 3, 5))
    assert shapes_of((3, 4, 5), (2,), bias=kind)[2:4] == ((5,), shape)


def test_a_gate_of_a_wide_product_is_rounded_once() -> None:
    x, w = torch.randn(4, 40).bfloat16(), torch.randn(40, 3).bfloat16()
    f, b = torch.randn(3).bfloat16(), torch.randn(()).bfloat16()
    exact = torch.sigmoid(x.double() @ w.double()) * f.double() + b.double()
    once = sigmoid_product(x, w, f, b)
    assert once.dtype == torch.bfloat16
    assert torch.allclose(once.double(), exact, rtol=2.0**-8, atol=1e-6)
    wide = sigmoid_product(x.double(), w.double(), f.double(), b.double())
    assert wide.dtype == torch.float64 and torch.allclose(wide, exact)


def test_out_is_written_and_returned() -> None:
    drawn = inputs(Draw.from_seed(0), (3, 4, 5), torch.float32, out="transposed")
    out = drawn.kwargs["out"]
    given = sigmoid_product(*drawn.args, out=out)
    assert given is out and torch.equal(out, sigmoid_product(*drawn.args))
    assert not out.is_contiguous()
    assert "out" not in inputs(Draw.from_seed(0), (3, 4, 5), torch.float32).kwargs


def test_wide_values_leave_some_of_the_bias_out_and_special_ones_are_planted() -> None:
    wide = inputs(Draw.from_seed(1), (30, 40, 50), torch.float32, values="wide", bias="full")
    assert 0 < int((wide.args[3] == 0).sum()) < 1500
    special = inputs(Draw.from_seed(1), (30, 40, 50), torch.float32, values="special").args[0]
    assert bool(special.isnan().any()) and bool(special.isinf().any())
    plain = inputs(Draw.from_seed(1), (30, 40, 50), torch.float32, bias="full")
    assert bool(plain.args[0].isfinite().all()) and bool((plain.args[3] != 0).all())


def test_the_budget_is_what_rounding_explains() -> None:
    task = _task()
    drawn = inputs(Draw.from_seed(2), (20, 90, 30), torch.float32)
    (true,) = (leaf.value for leaf in task.exact(drawn).leaves)
    (budget,) = task.contract.budgets(drawn, (true,), (torch.float32,))  # type: ignore[attr-defined]
    right = sigmoid_product(*drawn.args).double()
    assert bool(((right - true).abs() <= budget).all())
    assert bool((budget < 1e-5).all())
    rounded = sigmoid_product(*(one.bfloat16().float() for one in drawn.args)).double()
    assert bool(((rounded - true).abs() > budget).any())


def test_an_infinite_product_keeps_the_budget_of_what_follows() -> None:
    task = _task()
    asked = call(torch.tensor([[math.inf]]), *(torch.ones(1, 1) for _ in range(3)))
    (true,) = (leaf.value for leaf in task.exact(asked).leaves)
    (budget,) = task.contract.budgets(asked, (true,), (torch.float32,))  # type: ignore[attr-defined]
    assert float(true) == 2.0
    assert 4 * 2.0**-22 < float(budget) < 1e-5


def test_empty_sizes_have_no_layouts_and_large_ones_no_leading_dimensions() -> None:
    task = _task()
    assert task.space is not None
    plain = {axis.name: axis.options[0].name for axis in task.space.axes}
    assert task.space.valid(plain | {"sizes": "empty"})
    assert not task.space.valid(plain | {"sizes": "empty", "layout": "strided"})
    assert not task.space.valid(plain | {"sizes": "empty", "values": "wide"})
    assert task.space.valid(plain | {"batch": "two"})
    assert not task.space.valid(plain | {"batch": "two", "sizes": "tall"})


def test_what_is_timed_against_agrees_with_the_reference() -> None:
    task = _task()
    drawn = inputs(Draw.from_seed(3), (7, 9, 5), torch.float16, batch=(2, 2))
    assert task.eager is not None
    assert torch.equal(task.eager(*drawn.args), sigmoid_product(*drawn.args))


def test_every_wrong_answer_differs_somewhere() -> None:
    task = _task()
    alive = {mutant.name for mutant in task.wrong_answers}
    for one in task.cases(0):
        drawn = task.draw(one, 1)
        right = task.native(drawn)
        for mutant in task.wrong_answers:
            assert isinstance(mutant, Mutant)
            try:
                given = task.outputs(mutant.answer, drawn.copy())
            except MutantRefusal:
                alive.discard(mutant.name)
                continue
            pairs = zip(given.leaves, right.leaves, strict=True)
            if not all(torch.equal(mine.value, true.value) for mine, true in pairs):
                alive.discard(mutant.name)
    assert alive == set()


def test_a_cost_counts_every_tensor_once() -> None:
    task = _task()
    assert task.cost(sizes=(2, 3, 4), dtype=torch.float32).bytes == 4 * (6 + 12 + 4 + 4 + 8)
    assert task.cost(sizes=(2, 3, 4), dtype=torch.float16, bias="0-d").bytes == 2 * (6 + 12 + 13)
    assert task.cost(sizes=(2, 3, 4), dtype=torch.float32, batch=(5,)).flops == 40 * (6 + 5)
