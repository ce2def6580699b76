import pytest

from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.rule import Form, ParameterKind, Randomness
from kernelbenchx.evaluate.expectation import accepted_entries, expectation_of


def test_the_statement_s_name_comes_first_and_the_published_fallback_last() -> None:
    assert accepted_entries(facts("activation/relu")) == ("relu", "kernel_function")
    assert accepted_entries(facts("optimizer/Lion")) == ("Lion", "lion_step", "kernel_function")


def test_names_that_others_give_an_argument_are_known() -> None:
    file, prompt, *_ = expectation_of(facts("activation/tanh"), "triton").other_names
    assert file == {"input_tensor": "input", "out_tensor": "out"}
    assert prompt == {"input": "input", "out": "out"}
    assert expectation_of(facts("level1/relu"), "triton").other_names == ()


@pytest.mark.parametrize(
    "name", ["activation/tanh", "random/rand", "level2/gemm_multiply_leaky_relu"]
)
def test_a_signature_s_text_says_what_its_facts_say(name: str) -> None:
    known, kinds = facts(name), expectation_of(facts(name), "triton").parameters
    assert [(one.name, one.has_default) for one in kinds] == [
        (one.name, one.has_default) for one in known.parameters
    ]
    defaults = {one.name: one.default for one in kinds if one.has_default}
    assert defaults.get("layout", "torch.strided") == "torch.strided"


def test_the_signature_is_carried_over() -> None:
    expected = expectation_of(facts("random/rand"), "triton")
    assert expected.form is Form.FUNCTION
    assert expected.randomness is Randomness.GENERATOR
    kinds = {one.name: one.kind for one in expected.parameters}
    assert kinds["size"] is ParameterKind.VAR_POSITIONAL
    assert kinds["generator"] is ParameterKind.KEYWORD_ONLY


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
        ("a, b, c", "it has no parameter for `negative_slope`"),
        ("a, b, c, d, e", "it requires `e`, which the task does not have"),
    ],
)
def test_a_problem_s_constructor_is_called_by_place(init: str, why: str) -> None:
    known = facts("level2/gemm_multiply_leaky_relu")
    report = check(PROBLEM.format(init=init, forward="x"), expectation_of(known, "triton"))
    call = "ModelNew.__init__(in_features, out_features, multiplier, negative_slope)"
    expected = [f"{call} cannot be called: {why}"] if why else []
    assert [one.why for one in report.fatal] == expected
    assert report.binding.init is None


def test_a_problem_s_module_may_take_its_arguments_by_name_alone() -> None:
    known = facts("level2/gemm_multiply_leaky_relu")
    init = "in_features, out_features, *, multiplier, slope=0.1, negative_slope"
    report = check(PROBLEM.format(init=init, forward="x"), expectation_of(known, "triton"))
    assert not report.fatal
    assert report.binding.call is None
    assert report.binding.init is not None
    assert report.binding.init.keyword_of("multiplier") == "multiplier"
