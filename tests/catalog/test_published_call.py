"""The published size in words, as the task file gives it."""

from dataclasses import replace

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.published_call import describe_published_call
from kernelbenchx.catalog.statement import statement
from kernelbenchx.spec.problem import Problem


def of(name: str) -> Problem:
    task = catalog.load(name)
    assert isinstance(task, Problem)
    return task


@pytest.mark.parametrize(
    ("name", "init", "inputs"),
    [
        ("level1/elu", ("1.0",), ("x: float32 (4096, 393216)",)),
        ("level1/cross_entropy_loss", (), ("predictions: float32 (32768, 4096)",
                                           "targets: int64 (32768,)")),
        ("level3/mlp", ("16384", "[16384, 16384]", "8192"), ("x: float32 (128, 16384)",)),
    ],
)  # fmt: skip
def test_arguments_and_shapes_are_the_published_ones(
    name: str, init: tuple[str, ...], inputs: tuple[str, ...]
) -> None:
    found = describe_published_call(of(name))
    assert found is not None
    assert (found.init, found.inputs) == (init, inputs)


@pytest.mark.parametrize("name", catalog.problem_names())
def test_every_problem_says_how_it_is_timed(name: str) -> None:
    known = facts(name).problem
    assert known is not None and known.published is not None
    assert len(known.published.init) <= len(known.parameters)
    assert f"`ModelNew({', '.join(known.published.init)})`, called with" in statement(name).text()


def test_floats_follow_the_precision_and_integers_do_not() -> None:
    known = facts("level1/cross_entropy_loss:bf16").problem
    assert known is not None and known.published is not None
    assert known.published.inputs == (
        "predictions: bfloat16 (32768, 4096)",
        "targets: int64 (32768,)",
    )


def test_a_problem_that_was_made_otherwise_has_none() -> None:
    other = replace(of("level1/elu"), inputs=lambda draw, **_: draw)
    assert describe_published_call(other) is None
