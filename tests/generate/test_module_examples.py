"""Worked modules: right by the judge, no problem of KernelBench, left out where they would help."""

import ast

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.kernelbench import LEVELS, problem_files
from kernelbenchx.catalog.module_source import module_source
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Composition, Correct, Wrong
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.generate.module_examples import MODULE_EXAMPLES, ModuleExample
from kernelbenchx.generate.operators import HEAVY, LIGHT, main_operators
from kernelbenchx.generate.templates import names

SPOILT = ("row * features + at, mask=inside", "row * features + at % 128, mask=inside")
"""Only the first 128 columns are read, again and again."""


def named(example: ModuleExample) -> str:
    return example.name


@pytest.mark.slow
@pytest.mark.parametrize("example", MODULE_EXAMPLES, ids=named)
def test_an_example_is_correct_and_compiles(
    example: ModuleExample, as_tasks: None, pipeline: Pipeline
) -> None:
    task = f"examples/{example.name}"
    right = pipeline.evaluate(Submission(name="right", task=task, source=example.code))
    assert isinstance(right.outcome, Correct), right.outcome
    assert (right.composition, right.weights) == (Composition.PURE, "name")
    assert right.kernels and not [one for one in right.kernels if not one.ok or one.spills]
    assert right.findings == () and right.flags == ()


def test_a_spoilt_example_is_not(as_tasks: None, pipeline: Pipeline) -> None:
    example = MODULE_EXAMPLES[0]
    spoilt = example.code.replace(*SPOILT)
    assert spoilt != example.code
    task = f"examples/{example.name}"
    wrong = pipeline.evaluate(Submission(name="wrong", task=task, source=spoilt))
    assert isinstance(wrong.outcome, Wrong), wrong.outcome


@pytest.mark.parametrize("example", MODULE_EXAMPLES, ids=named)
def test_what_is_shown_is_what_is_tested(example: ModuleExample, as_tasks: None) -> None:
    assert example.source == module_source(f"examples/{example.name}")
    assert "class ModelNew(nn.Module):" in example.code
    assert example.operator in main_operators(example.source)
    assert example.description and "```" not in example.description


@pytest.mark.parametrize("example", MODULE_EXAMPLES, ids=named)
def test_no_example_is_a_problem_or_repeats_a_witness(example: ModuleExample) -> None:
    files = {file.lower() for level in LEVELS for file in problem_files(level)}
    assert not [file for file in files if example.name.replace("_", "") in file.replace("_", "")]
    assert catalog.find(example.name) is None
    own = {line.strip() for line in example.code.splitlines() if "tl." in line}
    for task in catalog.problem_names():
        if not catalog.witness_path(task).is_file():
            continue
        theirs = {line.strip() for line in witness_source(task).splitlines() if "tl." in line}
        assert len(own & theirs) <= 3, task
        forward = ast.unparse(_forward(module_source(task)))
        assert forward != ast.unparse(_forward(example.source))


def _forward(source: str) -> ast.AST:
    return next(
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == "forward"
    )


@pytest.mark.parametrize(
    ("task", "left_out"),
    [
        ("level1/elu", set()),
        ("level1/hinge_loss", {"charbonnier_rows"}),
        ("level2/gemm_multiply_leaky_relu", {"radial_similarity"}),
        ("level2/conv2d_relu_bias_add", set()),
        ("level3/mini_gpt_block", {"radial_similarity", "distance_attention"}),
    ],
)
def test_an_example_of_the_tasks_main_operator_gives_it_away(task: str, left_out: set[str]) -> None:
    stated = statement(task)
    assert {one.name for one in MODULE_EXAMPLES if one.gives_away(stated)} == left_out


def test_every_example_file_is_shown() -> None:
    files = {name for name in names() if name.startswith("example_module_")}
    assert files == {example.template for example in MODULE_EXAMPLES}
    assert {one.operator for one in MODULE_EXAMPLES} <= {*HEAVY, *LIGHT}
