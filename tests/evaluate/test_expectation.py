import pytest

from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.rule import Form, Kind, Randomness
from kernelbenchx.checks.run import check
from kernelbenchx.evaluate.expectation import accepted_entries, expectation_of


def test_the_statement_s_name_comes_first_and_the_published_fallback_last() -> None:
    assert accepted_entries(facts("activation/relu")) == ("relu", "kernel_function")


def test_the_signature_is_carried_over() -> None:
    expected = expectation_of(facts("random/rand"), "triton")
    assert expected.form is Form.FUNCTION
    assert expected.randomness is Randomness.GENERATOR
    kinds = {one.name: one.kind for one in expected.parameters}
    assert kinds["size"] is Kind.VAR_POSITIONAL
    assert kinds["generator"] is Kind.KEYWORD_ONLY


PROBLEM = """
import torch
import triton
import triton.language as tl

@triton.jit
def kernel(y, x, BLOCK: tl.constexpr):
    tl.store(y, tl.load(x))

class ModelNew(torch.nn.Module):
    def __init__(self, {init}):
        super().__init__()
    def forward(self, {forward}):
        y = torch.empty_like({forward})
        kernel[(1,)](y, {forward}, BLOCK=1)
        return y
"""


@pytest.mark.parametrize(
    ("init", "why"),
    [
        ("in_features, out_features, multiplier, negative_slope", ""),
        ("a, b, c, d", ""),
        ("a, b, *rest", ""),
        ("a, b, c, d, e=1", ""),
        ("a, b, c", "`negative_slope` must be positional argument 4"),
        ("a, b, c, d, e", "requires `e`, which the task does not have"),
    ],
)
def test_a_problem_compares_constructors_by_place(init: str, why: str) -> None:
    known = facts("level2/gemm_multiply_leaky_relu")
    report = check(PROBLEM.format(init=init, forward="x"), expectation_of(known, "triton"))
    assert [one.why for one in report.fatal] == ([f"ModelNew.__init__: {why}"] if why else [])
