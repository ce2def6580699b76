"""The worked tasks of prompts: right, in the form of every task, and none of the catalogue."""

import re

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.outcome import Composition, Correct, Wrong
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.generate.examples import EXAMPLES, OPERATORS, Example
from kernelbenchx.generate.operators import HEAVY, LIGHT
from kernelbenchx.generate.prompts import FormPrompts, Prompting
from kernelbenchx.generate.templates import names


def named(example: Example) -> str:
    return example.name


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_an_example_is_correct_and_compiles(
    example: Example, as_tasks: None, pipeline: Pipeline
) -> None:
    task = f"examples/{example.name}"
    right = pipeline.evaluate(Submission(name="right", task=task, source=example.code))
    assert isinstance(right.outcome, Correct), right.outcome
    assert right.composition is Composition.PURE
    assert [kernel.name for kernel in right.kernels if kernel.ok and kernel.spills == 0]
    assert right.findings == () and right.flags == ()


def test_a_spoilt_example_is_not(as_tasks: None, pipeline: Pipeline) -> None:
    example = EXAMPLES[1]
    spoilt = example.code.replace('tl.where(inside, x, float("inf"))', "x")
    assert spoilt != example.code
    wrong = pipeline.evaluate(
        Submission(name="wrong", task=f"examples/{example.name}", source=spoilt)
    )
    assert isinstance(wrong.outcome, Wrong)


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_an_example_states_what_is_tested(example: Example, as_tasks: None) -> None:
    tested = statement(f"examples/{example.name}")
    stated = example.stated
    assert (stated.entry, stated.signature, stated.dtypes) == (
        tested.entry,
        tested.signature,
        tested.dtypes,
    )
    assert stated.description == tested.description
    assert example.statement.startswith(f"# {example.name}\n")
    assert f"def {example.name}(" in example.code


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_no_example_is_a_task(example: Example) -> None:
    assert catalog.find(example.name) is None
    for task in catalog.names():
        assert example.name not in statement(task).text()


def test_every_example_file_is_shown() -> None:
    files = {name for name in names() if re.match("example_(?!module_)", name)}
    assert files == {example.template for example in EXAMPLES}


@pytest.mark.parametrize(
    ("task", "left_out"),
    [
        ("activation/gelu", ()),
        ("reduce/mean", ("unit_range",)),
        ("matrix_multiply/addmm", ("gated_projection",)),
    ],
)
def test_an_example_of_the_tasks_main_operator_is_left_out(
    task: str, left_out: tuple[str, ...]
) -> None:
    opening = FormPrompts(Prompting(examples=3)).opening(statement(task))
    text = "\n".join(one.content for one in opening.messages)
    assert opening.left_out == left_out
    assert {one.name for one in EXAMPLES if one.code not in text} == set(left_out)


def test_operators_of_examples_are_known_ones() -> None:
    assert {one.name for one in EXAMPLES} >= set(OPERATORS)
    assert {*HEAVY, *LIGHT} >= set(OPERATORS.values())
