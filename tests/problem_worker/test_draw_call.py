"""Calls of a published problem: inputs, weights, truth, and how far rounding moves it."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from kernelbenchx.problem_worker.draw_call import (
    KINDS,
    DrawRequest,
    compute_answer,
    constants,
    is_random,
    patch_torch_rand,
)
from kernelbenchx.problem_worker.problem_source import ProblemSource, Sizes
from published_problems import FORWARD, RANDOM, SCALED

SIZES: Sizes = {"rows": 3, "wide": 16}
FIRST = DrawRequest("normal", 1, 1)
NORM = SCALED.replace("torch.randn(wide)", "torch.ones(wide)")


@pytest.fixture
def module() -> Any:
    return ProblemSource(SCALED).load(SIZES)


def test_the_truth_is_that_of_the_drawn_weights_and_inputs(module: Any) -> None:
    found = compute_answer(module, FIRST)
    (x,), scale = found.call.args, found.call.state["scale"]
    assert torch.equal(found.truth[0], torch.relu(x.double() * scale.double() + 1))
    assert found.native[0].value.dtype == torch.float32 and found.call.init == (16,)
    error = (found.native[0].value - found.truth[0]).abs()
    assert bool((error <= 16 * found.moves[0] + 1e-12).all())
    assert found.moves[0].max() < 1e-5


def test_seeds_of_inputs_and_weights_are_apart(module: Any) -> None:
    first = compute_answer(module, FIRST)
    assert torch.equal(compute_answer(module, FIRST).call.args[0], first.call.args[0])
    other = compute_answer(module, replace(FIRST, inputs_seed=2, moves=False))
    assert not torch.equal(other.call.args[0], first.call.args[0])
    assert torch.equal(other.call.state["scale"], first.call.state["scale"])
    assert other.moves == ()
    reweighted = compute_answer(module, replace(FIRST, weights_seed=2, moves=False))
    assert torch.equal(reweighted.call.args[0], first.call.args[0])
    assert not torch.equal(reweighted.call.state["scale"], first.call.state["scale"])


def test_inputs_and_weights_of_one_seed_have_nothing_in_common() -> None:
    """Drawn from one stream, x and the first row of the weights would be proportional."""
    product = "nn.functional.linear(x, self.scale)"
    text = SCALED.replace(FORWARD, product).replace(
        "torch.randn(wide)", "torch.rand(64, wide) - 0.5"
    )
    module = ProblemSource(text).load({"rows": 3, "wide": 4096})
    for seed in range(3):
        wanted = DrawRequest("published", seed, seed, "seed alone", moves=False)
        found = compute_answer(module, wanted).truth[0]
        assert found.abs().max() < 6 * found.square().mean().sqrt()


def test_kinds_differ_in_sign_and_width(module: Any) -> None:
    each = {one: compute_answer(module, replace(FIRST, values=one, moves=False)) for one in KINDS}
    inputs = {one: found.call.args[0] for one, found in each.items()}
    assert inputs["published"].min() >= 0 and inputs["published"].max() < 1
    assert inputs["normal"].min() < 0
    assert inputs["wide"].abs().mean() > 5 * inputs["normal"].abs().mean()
    assert torch.rand(100).min() >= 0, "afterwards torch draws as before"


def test_drawing_is_undone_where_a_problem_raises() -> None:
    before = torch.rand
    with pytest.raises(ValueError, match="raised"), patch_torch_rand("wide"):
        raise ValueError("raised")
    assert torch.rand is before


def test_constant_weights_are_drawn_and_named() -> None:
    module = ProblemSource(NORM).load(SIZES)
    assert constants(module) == ("scale",)
    drawn = compute_answer(module, replace(FIRST, moves=False)).call.state["scale"]
    alone = compute_answer(module, replace(FIRST, weights="seed alone", moves=False)).call
    assert bool((drawn != drawn[0]).any()) and bool((alone.state["scale"] == 1).all())
    assert alone.weights_seed == 1 and not alone.loads


def test_a_forward_that_draws_is_random(module: Any) -> None:
    assert not is_random(module, FIRST)
    assert is_random(ProblemSource(RANDOM).load(SIZES), FIRST)


def test_precisions(module: Any) -> None:
    found = compute_answer(module, replace(FIRST, precision="bf16"))
    assert {one.dtype for one in found.call.tensors()} == {torch.bfloat16}
    fine = compute_answer(module, FIRST)
    assert found.moves[0].max() > 1000 * fine.moves[0].max()
