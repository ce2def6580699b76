"""Whose answer a wrong one is, and what follows from it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import COMPILED_WRONG, Failed, Unmeasured
from kernelbenchx.measure.case_outputs import KEPT, CaseOutputs
from kernelbenchx.measure.output_judging import note_outputs
from kernelbenchx.measure.output_sampling import OutputSnapshot, SampledOutput, copy_output
from kernelbenchx.measure.random_repeats import make_repeat_detector
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from rounded_answers import gelu
from timing_host import inputs_of, serving, small

Function = Callable[..., Any]
GELU = small("activation/gelu", shape=(64, 33), dtype=torch.float32)
OFF = 0.1


def _off(by: float) -> Function:
    return lambda x, *_more, **_named: gelu(x) * (1.0 + by)


def _answers(runner: str, function: Function, eager: Function | None = None) -> CaseOutputs:
    """With one answer, of a runner with this name."""
    task: Task = replace(GELU, eager=eager)
    inputs = inputs_of(task, "activation/gelu")
    block = inputs.draw_block(3)
    with serving(runner, SubmissionProgram(function, "function"), trusted=False) as one:
        one.open(inputs.layout)
        one.fill(0, block.storages[0])
        one.run("batch")
        taken: SampledOutput = copy_output(
            one, 0, block.calls[0], OutputSnapshot(one.rooms[0].clone())
        )
        names: Any = {"eager": [_named("eager 0")], "compile": [_named("compile 0")]}
        answers = CaseOutputs(task, inputs.case, "interpreter", names)
    answers.take([taken])
    return answers


def _named(name: str) -> Any:
    class Named:
        pass

    found: Any = Named()
    found.name = name
    return found


@pytest.mark.parametrize("runner", ["entry 0", "eager 0", "compile 0"])
def test_right_answers_end_nothing(runner: str) -> None:
    answers = _answers(runner, gelu)
    assert answers.find_failure({}) is None
    assert (answers.remarks, answers.dropped) == ([], set())
    assert answers.of_submission == (runner == "entry 0")


def test_a_wrong_answer_of_the_submission_is_its_failure() -> None:
    found = _answers("entry 0", _off(OFF), eager=_off(OFF)).find_failure({})
    assert isinstance(found, Failed) and found.reason is Reason.TIMED_WRONG


def test_a_wrong_first_baseline_is_our_fault() -> None:
    found = _answers("eager 0", _off(OFF)).find_failure({})
    assert isinstance(found, Unmeasured) and found.reason is Reason.EVALUATOR


def test_another_baseline_that_is_wrong_is_left_out() -> None:
    answers = _answers("compile 0", _off(OFF), eager=_off(OFF))
    assert answers.find_failure({}) is None
    assert answers.dropped == {"compile"}
    (remark,) = answers.remarks
    assert remark.startswith(COMPILED_WRONG)


RAND = small("random/rand", shape=(40000,), dtype=torch.float32)
POOL = torch.rand(2, 40000, generator=torch.Generator().manual_seed(3))


def _pool(*_size: Any, generator: torch.Generator) -> torch.Tensor:
    """The same seed gives the same numbers, another seed others: of those that were kept."""
    return POOL[generator.initial_seed() % 2].clone()


def _rand(*size: Any, generator: torch.Generator) -> torch.Tensor:
    return torch.rand(*size, generator=generator)


@pytest.mark.parametrize(("function", "again"), [(_pool, True), (_rand, False)])
def test_numbers_that_were_kept_are_stale_though_each_keeps_the_law(
    function: Function, again: bool
) -> None:
    inputs = inputs_of(RAND, "random/rand")
    block = inputs.draw_block(3)
    names: Any = {"eager": [_named("eager 0")], "compile": [_named("compile 0")]}
    answers = CaseOutputs(RAND, inputs.case, "interpreter", names)
    with serving("entry 0", SubmissionProgram(function, "function"), trusted=False) as one:
        one.open(inputs.layout)
        assert block.seeds is not None
        one.run("batch", seeds=list(block.seeds))
        rooms = [OutputSnapshot(room.clone()) for room in one.rooms]
        answers.take(copy_output(one, slot, block.calls[slot], rooms[slot]) for slot in range(3))
        noted = make_repeat_detector(RAND)
        note_outputs(noted, one, block.calls, one.rooms)
    found = answers.find_failure({}, {"entry 0": noted})
    if not again:
        assert found is None
        return
    assert isinstance(found, Failed)
    assert (found.reason, found.process, found.detail) == (Reason.STALE, "entry 0", KEPT)
