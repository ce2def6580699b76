"""What a call of a published problem costs is found without computing it."""

import math

import pytest
from torch._subclasses.fake_tensor import DataDependentOutputException

from kernelbenchx.problem_worker.call_cost import cost
from kernelbenchx.problem_worker.problem_source import ProblemSource
from published_problems import (
    FORWARD,
    LARGE,
    READS_IN_CONSTRUCTOR,
    READS_IN_FORWARD,
    RECURRENT,
)


@pytest.mark.parametrize(("kind", "gates"), [("LSTM", 4), ("GRU", 3), ("RNN", 1)])
def test_products_of_recurrent_networks_are_counted(kind: str, gates: int) -> None:
    layers, products = 2, 2
    problem = ProblemSource(RECURRENT.replace("LSTM", kind))
    expected = 2 * layers * products * 10 * 512 * gates * 48 * 48
    assert cost(problem, {}).flops == expected
    assert cost(problem, {"steps": 256}).flops == expected // 2
    assert cost(ProblemSource(LARGE), {}).flops == 0


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_results_of_recurrent_networks_have_their_shapes(kind: str) -> None:
    there = RECURRENT.replace("LSTM", kind)
    both = there.replace("batch_first=True", "batch_first=True, bidirectional=True")
    given = 10 * 512 * 48
    assert cost(ProblemSource(there), {}).elements == 2 * given
    assert cost(ProblemSource(both), {}).elements == 3 * given
    states = both.replace("[0]\n", "[1]\n")
    states_of_layers = 2 * 2 * 10 * 48 * (2 if kind == "LSTM" else 1)
    assert cost(ProblemSource(states), {}).elements == given + states_of_layers


@pytest.mark.parametrize(
    ("forward", "count"),
    [
        ("batch_norm(x, None, None, training=True)", 4096),
        ("batch_norm(x, x[0], x[0].abs())", math.inf),
        ("layer_norm(x, (8192,))", 8192),
        ("group_norm(x, 16)", 512),
        ("instance_norm(x[None])", 8192),
        ("relu(x)", math.inf),
    ],
)
def test_the_smallest_mean_of_a_normalization_is_known(forward: str, count: float) -> None:
    text = LARGE.replace(FORWARD, f"nn.functional.{forward} * self.scale")
    assert cost(ProblemSource(text), {}).averaged == count


def test_a_constructor_may_read_numbers_from_tensors_and_a_forward_may_not() -> None:
    assert cost(ProblemSource(READS_IN_CONSTRUCTOR), {}) == cost(ProblemSource(LARGE), {})
    with pytest.raises(DataDependentOutputException):
        cost(ProblemSource(READS_IN_FORWARD), {})
