"""Every KernelBench problem tells right answers from trivial ones, and is the published problem.

For the second, `KERNELBENCH` names a folder with the data set (KernelBench/level1/...).
"""

import importlib.util
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from kernelbenchx import catalog
from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.modules import run_module
from kernelbenchx.spec.outputs import flatten
from kernelbenchx.spec.problem import Problem
from tiers import mark_slow

DATA = os.environ.get("KERNELBENCH", "")

GEMM = "level2/gemm_multiply_leaky_relu"
RARE = {"far", "large", "narrow", "special"}

MANY_STEPS = {(3, 39)}
"""A minute each, even without values; their results are compared at small sizes only."""

with_data = pytest.mark.skipif(not DATA, reason="KERNELBENCH names no folder with the data set")
ignores_nested_tensors = pytest.mark.filterwarnings("ignore:enable_nested_tensor is True")
"""The published vision transformer leaves the option as it is, and torch warns."""
every_problem = pytest.mark.parametrize("name", mark_slow(catalog.problem_names(), fast=3))

Values = tuple[torch.Tensor, ...]


def _load(name: str) -> Problem:
    task = catalog.load(name)
    assert isinstance(task, Problem)
    return task


@dataclass(frozen=True)
class Judged:
    """A case with its truth and what each element may be wrong by."""

    task: Problem
    case: Case
    call: Call
    truth: Values
    native: Values
    budgets: Values

    def rejects(self, outputs: Values) -> bool:
        contract: Any = self.task.contract
        return not contract.judge_with_budgets(outputs, self.truth, self.budgets, "cuda").ok


@cache
def _cases(name: str) -> list[Judged]:
    """The fixed cases; a budget is expensive, so it is computed once."""
    task, found = _load(name), []
    for case in task.checks:
        call = task.draw(case, 1)
        truth = tuple(leaf.value for leaf in task.exact(call).leaves)
        native = tuple(leaf.value for leaf in task.native(call).leaves)
        dtypes = tuple(value.dtype for value in native)
        budgets = task.contract.budgets(call, truth, dtypes)  # type: ignore[attr-defined]
        found.append(Judged(task, case, call, truth, native, budgets))
    return found


def _kinds_that_reject(name: str, answer: Callable[[Judged], Values]) -> set[str]:
    """Which kinds of values have a case that tells the answer from a right one."""
    return {one.case.params["values"] for one in _cases(name) if one.rejects(answer(one))}


def _every_kind(name: str) -> set[str]:
    return {case.params["values"] for case in _load(name).checks}


def _to_another_input(one: Judged) -> Values:
    other = one.task.draw(one.case, 2)
    return tuple(leaf.value for leaf in one.task.native(replace(one.call, args=other.args)).leaves)


def _with_other_weights(one: Judged) -> Values:
    other = one.task.draw(one.case, 2)
    return tuple(
        leaf.value for leaf in one.task.native(replace(one.call, state=other.state)).leaves
    )


def test_there_are_problems() -> None:
    every = catalog.problem_names()
    assert len(every) > 30
    assert len({(_load(name).level, _load(name).number) for name in every}) == len(every)


@every_problem
def test_torch_in_float32_is_right(name: str) -> None:
    for one in _cases(name):
        assert not one.rejects(one.native), one.case.name
        special = one.case.params["values"] == "special"
        assert all(value.isfinite().all() for value in one.truth) is not special, one.case.name


@every_problem
def test_zeros_are_wrong(name: str) -> None:
    if _load(name).unsound:
        pytest.skip(_load(name).unsound)
    kinds = _kinds_that_reject(name, lambda one: tuple(map(torch.zeros_like, one.native)))
    assert kinds == _every_kind(name)


@every_problem
def test_the_answer_to_another_input_is_wrong(name: str) -> None:
    if _load(name).unsound:
        pytest.skip(_load(name).unsound)
    assert _kinds_that_reject(name, _to_another_input) == _every_kind(name)


@every_problem
def test_the_answer_with_other_weights_is_wrong(name: str) -> None:
    if _load(name).unsound or not _cases(name)[0].call.state:
        pytest.skip(_load(name).unsound or "no weights")
    assert _kinds_that_reject(name, _with_other_weights) == _every_kind(name)


@every_problem
def test_a_run_draws_sizes_that_work(name: str) -> None:
    task = _load(name)
    for case in task.cases(5):
        if not case.corner:
            answers = task.native(task.draw(case, 1)).leaves
            assert all(one.value.numel() for one in answers), case.name


@every_problem
def test_the_sizes_that_a_run_may_draw_are_sizes_of_the_problem(name: str) -> None:
    task = _load(name)
    for drawn, (low, high) in task.ranges.items():
        assert all(drawn in case.params for case in task.checks)
        assert 1 <= low <= high <= task.timings[0].params[drawn]


def test_constructor_numbers_are_negative_and_fractions_but_published_where_timed() -> None:
    task = _load(GEMM)
    for name in task.numbers:
        fixed = [case.params[name] for case in task.checks if name in case.params]
        assert min(fixed) < 0 and max(fixed) > 1 and any(0 < one < 1 for one in fixed)
        drawn = {case.params[name] for seed in range(3) for case in task.cases(seed)
                 if not case.corner}  # fmt: skip
        assert len(drawn) > 5 and min(drawn) < 0 < max(drawn) and 0 not in drawn
    published = [case for case in task.checks if case.params["values"] == "published"]
    assert [task.draw(case, 0).init[2:] for case in published] == [(2.0, 0.1)] * len(published)


def test_every_choice_is_made_in_fixed_cases_and_the_published_one_for_long_sizes() -> None:
    task = _load("level1/masked_cumsum")
    made = [task.draw(case, 0).init for case in task.checks]
    assert set(made) == {(dim,) for dim in task.choices["dim"]}
    [long] = [case for case in task.cases(1) if case.params["rows"] > 1000]
    assert task.draw(long, 0).init == (1,)


@pytest.mark.parametrize(
    ("name", "kind", "holds"),
    [
        ("level1/group_norm", "far", lambda x: x.mean() > 100 * x.std()),
        ("level1/group_norm", "narrow", lambda x: x.var() < 1e-5),
        ("level1/relu", "special", lambda x: x.isnan()[0, 0] and x.isnan()[-1, -1] and
         x.isinf().any()),
    ],
)  # fmt: skip
def test_rare_values_are_drawn_where_a_task_names_them_and_nowhere_else(
    name: str, kind: str, holds: Callable[[torch.Tensor], bool]
) -> None:
    task = _load(name)
    assert any(case.params["values"] == kind for case in task.checks)
    for case in task.cases(1):
        (x,) = task.draw(case, 1).args
        if x.numel() > 100:
            assert bool(holds(x)) is (case.params["values"] == kind)
        expected = {Scope.VALUES} if case.params["values"] in RARE else set()
        assert set(case.needs or ()) == expected


def test_the_first_and_the_last_class_are_among_the_targets() -> None:
    task = _load("level1/cross_entropy_loss")
    for case in task.cases(1):
        _, targets = task.draw(case, 1).args
        if len(targets) > 2:
            assert targets.min() == 0 and targets.max() == case.params["classes"] - 1


def _published(name: str) -> Any:
    """The module of the published problem's file."""
    task = _load(name)
    [path] = Path(DATA, "KernelBench", f"level{task.level}").glob(f"{task.number}_*.py")
    spec = importlib.util.spec_from_file_location(f"published_{task.level}_{task.number}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _shapes(values: Any) -> list[tuple[torch.Size, torch.dtype]]:
    return [(leaf.value.shape, leaf.value.dtype) for leaf in flatten(values)]


def _weights(module: nn.Module) -> dict[str, tuple[torch.Size, torch.dtype]]:
    return {name: (value.shape, value.dtype) for name, value in module.state_dict().items()}


def _in_tuples(value: Any) -> Any:
    """Lists and tuples alike."""
    return tuple(map(_in_tuples, value)) if isinstance(value, list | tuple) else value


def _arguments(function: Callable[..., Any]) -> list[str]:
    """Names; a class without a constructor of its own takes none."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind not in kinds]


def _require_same_structure(task: Problem, published: Any) -> None:
    """At the published size, where nothing is computed: tensors are shapes only."""
    assert _arguments(task.reference) == _arguments(published.Model)
    assert list(task.signature.parameters) == _arguments(published.Model.forward)[1:]
    with FakeTensorMode():
        call = task.draw(task.timings[0], 0)
    assert _in_tuples(call.init) == _in_tuples(published.get_init_inputs())
    with torch.device("meta"), torch.no_grad():
        given = published.get_inputs()
        assert _shapes(call.args) == _shapes(given)
        mine, theirs = task.reference(*call.init), published.Model(*published.get_init_inputs())
        assert _weights(mine) == _weights(theirs)
        if (task.level, task.number) not in MANY_STEPS:
            assert _shapes(mine(*given)) == _shapes(theirs(*given))


def _require_same_values(name: str, published: Any) -> None:
    """On equal weights and inputs at our small sizes, in float64."""
    for one in _cases(name):
        theirs = flatten(run_module(published.Model, one.call.widen()))
        for mine, leaf in zip(one.truth, theirs, strict=True):
            torch.testing.assert_close(mine, leaf.value, rtol=1e-10, atol=1e-10)


@pytest.fixture
def drawn_as_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No weights: drawing them asks for numbers, and there are none."""
    monkeypatch.setattr(Draw, "seed", lambda _: 0)
    family = "kernelbenchx.spec.families.problem"
    monkeypatch.setattr(f"{family}.build_under_seed", lambda *_: nn.Module())
    monkeypatch.setattr(f"{family}.draw_weights", lambda *_: {})


@with_data
@ignores_nested_tensors
@every_problem
def test_weights_and_shapes_are_the_published_ones(name: str, drawn_as_shapes: None) -> None:
    _require_same_structure(_load(name), _published(name))


@with_data
@ignores_nested_tensors
@every_problem
def test_values_are_the_published_ones(name: str) -> None:
    _require_same_values(name, _published(name))


@with_data
@pytest.mark.parametrize("place", range(4))
def test_another_argument_than_the_published_one_shows(place: int, drawn_as_shapes: None) -> None:
    published = _published(GEMM)
    given = published.get_init_inputs()
    given[place] += 1
    published.get_init_inputs = lambda: given
    with pytest.raises(AssertionError):
        _require_same_structure(_load(GEMM), published)


@with_data
def test_another_weight_than_the_published_one_shows(drawn_as_shapes: None) -> None:
    published = _published(GEMM)
    made = published.Model.__init__

    def with_one_more(self: nn.Module, *args: Any) -> None:
        made(self, *args)
        self.one_more = nn.Parameter(torch.zeros(1))

    with_one_more.__signature__ = inspect.signature(made)  # type: ignore[attr-defined]
    published.Model.__init__ = with_one_more
    with pytest.raises(AssertionError, match="one_more"):
        _require_same_structure(_load(GEMM), published)


@with_data
def test_another_value_than_the_published_one_shows() -> None:
    published = _published(GEMM)
    right = published.Model.forward
    published.Model.forward = lambda self, x: right(self, x) * (1 + 1e-8)
    with pytest.raises(AssertionError, match="not close"):
        _require_same_values(GEMM, published)
