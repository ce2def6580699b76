"""What a KernelBench problem costs: traced, or counted by the problem itself."""

import pytest

from kernelbenchx import catalog
from kernelbenchx.spec import problem
from kernelbenchx.spec.problem import Problem
from kernelbenchx.tasks.level3 import gru

SIZE = {"seq": 4, "batch": 3, "wide": 5, "hidden": 7, "layers": 2}


@pytest.fixture(scope="module")
def traced() -> Problem:
    """The GRU without its own count."""
    return problem(
        gru.Model,
        level=3,
        number=39,
        init=lambda wide, hidden, layers, **_: (wide, hidden, layers),
        inputs=lambda x, seq, batch, wide, hidden, layers: (
            x(seq, batch, wide),
            x(layers, batch, hidden),
        ),
        published=SIZE,
        small=(SIZE,),
    )


def test_the_count_of_a_gru_is_what_tracing_finds(traced: Problem) -> None:
    assert gru.TASK.cost(**SIZE) == traced.cost(**SIZE)


@pytest.mark.parametrize("size", SIZE)
def test_the_count_of_another_gru_is_another(traced: Problem, size: str) -> None:
    larger = {**SIZE, size: SIZE[size] + 1}
    assert gru.TASK.cost(**larger) != traced.cost(**SIZE)


def test_a_module_that_copies_its_parts_is_traced() -> None:
    task = catalog.load("level3/vision_transformer")
    small, large = task.checks[0].params, task.timings[0].params
    assert 0 < task.cost(**small).flops < task.cost(**large).flops
