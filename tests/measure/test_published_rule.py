"""KernelBench's rule: what passes by it, and that it is noted of a submission's first answer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import nn

from kernelbenchx import catalog
from kernelbenchx.core.performance import Failed, PublishedRule
from kernelbenchx.measure import published_rule as rule
from kernelbenchx.measure.answers import Answers
from kernelbenchx.measure.published_rule import published_rule
from kernelbenchx.measure.taking import Snapshot, take
from kernelbenchx.spec import case
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.outputs import Leaf, Returned
from kernelbenchx.spec.task import Outputs, Task
from kernelbenchx.worker.timing.entry import Entry
from timing_host import inputs_of, serving, small

NAME = "level2/gemm_multiply_leaky_relu"
PROBLEM = replace(catalog.load(NAME), timings=case(rows=5, wide=33, out=17, values="published"))
BOTH = PublishedRule(passes_1e_2=True, passes_1e_4=True)
LOOSE = PublishedRule(passes_1e_2=True, passes_1e_4=False)
NEITHER = PublishedRule(passes_1e_2=False, passes_1e_4=False)
WANTED = torch.tensor([[1.0, -2.0, 4.0], [0.0, 8.0, 1.0]])


def _of(result: Any, wanted: torch.Tensor = WANTED, task: Task = PROBLEM) -> PublishedRule | None:
    native = Outputs((Leaf("out", "tensor", wanted),), ("",), 1)
    return published_rule(task, Returned(result=result, after=Call()), native)


@pytest.mark.parametrize(
    ("off", "said"),
    [(0.0, BOTH), (5e-5, BOTH), (5e-3, LOOSE), (0.1, NEITHER), (torch.nan, NEITHER)],
)
def test_how_far_an_answer_may_be_off(off: float, said: PublishedRule) -> None:
    assert _of(WANTED + off) == said


def test_one_tolerance_is_for_both_kinds_of_difference() -> None:
    wanted = torch.tensor([100.0])
    assert _of(wanted + 1.0, wanted) == LOOSE, "0.01 and 0.01 of 100 are allowed"
    assert _of(wanted + 1.1, wanted) == NEITHER


@pytest.mark.parametrize(
    "other",
    [WANTED.T, WANTED[:1], WANTED.double(), (WANTED, WANTED), [], None, 1.0, WANTED.to("meta")],
)
def test_another_structure_shape_dtype_or_device_does_not_pass(other: Any) -> None:
    assert _of(other) == NEITHER
    assert _of((WANTED,)) == BOTH, "a tuple of one is the same outputs"


def test_large_answers_are_compared_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule, "_AT_ONCE", 4)
    off = WANTED.clone()
    off[1, 2] += 0.1
    assert (_of(WANTED.clone()), _of(off)) == (BOTH, NEITHER)


def test_strided_answers_are_compared_by_their_values() -> None:
    assert _of(WANTED.T.contiguous().T) == BOTH


def test_other_tasks_have_no_such_rule() -> None:
    relu = small("activation/relu", shape=(64, 33), dtype=torch.float32)
    assert _of(WANTED, task=relu) is None


def _model(by: float) -> Callable[..., nn.Module]:
    class Off(PROBLEM.reference):  # type: ignore[misc, name-defined]
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            found: torch.Tensor = super().forward(x)
            return found + by

    return Off


def _answers(runner: str, by: float) -> Answers:
    inputs = inputs_of(PROBLEM, NAME)
    block = inputs.block(3)
    with serving(runner, Entry(_model(by), "module"), trusted=False) as one:
        one.open(inputs.layout)
        one.fill(0, block.storages[0])
        one.run("batch")
        taken = take(one, 0, block.calls[0], Snapshot(one.rooms[0].clone()))
    answers = Answers(PROBLEM, inputs.case, "interpreter", {"eager": [_eager()]})
    answers.take([taken])
    return answers


def _eager() -> Any:
    class Named:
        name = "eager 0"

    return Named()


def test_a_right_answer_is_noted_and_ends_nothing() -> None:
    answers = _answers("entry 0", 0.0)
    assert answers.ended({}) is None
    assert answers.rule == BOTH


@pytest.mark.parametrize(("by", "said"), [(5e-3, LOOSE), (1.0, NEITHER)])
def test_a_wrong_answer_carries_what_their_rule_says(by: float, said: PublishedRule) -> None:
    found = _answers("entry 0", by).ended({})
    assert isinstance(found, Failed) and found.published_rule == said


def test_the_answer_of_a_baseline_is_not_noted() -> None:
    answers = _answers("eager 0", 0.0)
    assert answers.ended({}) is None
    assert answers.rule is None
