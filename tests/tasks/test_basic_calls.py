"""Every run of every task has six core calls in the first dtype that tell kernels apart."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from kernelbenchx import catalog
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.problem import Problem
from kernelbenchx.spec.space import BASIC_CALLS

SEEDS = (3, 20_260_101)


def _few(cases: Sequence[Case], is_basic: Callable[[Case], bool]) -> bool:
    return sum(map(is_basic, cases)) < BASIC_CALLS


def _problems() -> list[Problem]:
    found = map(catalog.load, catalog.names())
    return [task for task in found if isinstance(task, Problem)]


def test_every_function_has_six_basic_calls_under_each_seed() -> None:
    lacking = [
        name
        for name in catalog.function_names()
        if (space := catalog.load(name).space) is not None
        and any(_few(space.cases(seed), space.is_basic) for seed in SEEDS)
    ]
    assert lacking == []


def test_every_problem_has_six_basic_calls_under_each_seed() -> None:
    problems = _problems()
    assert len(problems) > 30
    for task in problems:
        assert not any(_few(task.cases(seed), task.is_basic) for seed in SEEDS), task.number


def test_a_function_has_fewer_where_they_are_not_added() -> None:
    space = catalog.load("activation/relu").space
    assert space is not None
    plain = replace(space, spans_tiles=lambda _: False)
    for seed in SEEDS:
        few, all_ = plain.cases(seed), space.cases(seed)
        assert all_[: len(few)] == few
        assert _few(few, space.is_basic) and not _few(all_, space.is_basic)


def test_a_basic_call_is_in_the_first_dtype_and_over_several_tiles() -> None:
    space = catalog.load("activation/relu").space
    assert space is not None
    core = [case for case in space.cases(3) if not case.needs]
    basic = [case for case in core if space.is_basic(case)]
    assert {case.options["dtype"] for case in basic} == {"float32"}
    assert {case.options["dtype"] for case in core} > {"float32"}
    assert "small" not in {case.options["shape"] for case in basic}
