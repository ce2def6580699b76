"""Right outputs to spoil: the truth rounded once, or for random tasks what the witness drew."""

from collections.abc import Sequence

import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.wrong_answers import Runs
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import stages
from kernelbenchx.evaluate.calls import DrawnCase, Slot
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.spec.outputs import CallResult, flatten
from kernelbenchx.spec.task import Task


def valid_outputs(
    name: str, drawn: Sequence[DrawnCase], pipeline: Pipeline, salt: int
) -> list[Runs]:
    """For each case the outputs of each repetition; another `salt` gives another chance."""
    task = catalog.load(name)
    if task.randomness == "none":
        return [rounded_truth(task, one) for one in drawn]
    return _witness(name, task, drawn, pipeline, salt)


def rounded_truth(task: Task, one: DrawnCase) -> Runs:
    """The reference itself may round twice in 16 bits; where there is a truth, that is better."""
    native = [leaf.value for leaf in one.truth.native.leaves]
    rounded = [true.to(own.dtype) for true, own in zip(one.truth.exact, native, strict=False)]
    return (tuple(rounded or native),) * task.calls(one.case)


def _witness(
    name: str, task: Task, drawn: Sequence[DrawnCase], pipeline: Pipeline, salt: int
) -> list[Runs]:
    slots = tuple(Slot(one, number) for one in drawn for number in range(task.calls(one.case)))
    submission = Submission(name="witness", task=name, source=witness_source(name))
    attempt = EvaluationState(submission, facts(name), accepted_entries(facts(name)))
    mode = "interpret" if pipeline.settings.device == "interpreter" else "cuda"
    plan = stages.plan_for(attempt, mode, slots, pipeline.seed + salt, pipeline.settings)
    report = pipeline.workers.run(plan, pipeline.settings.wall_s).report
    if len(report.returned) != len(slots):
        raise EvaluatorFault(f"{name}: the witness did not answer every call")
    answers = iter(report.returned[number] for number in range(len(slots)))
    return [
        tuple(_leaves(task, next(answers)) for _ in range(task.calls(one.case))) for one in drawn
    ]


def _leaves(task: Task, one: CallResult) -> tuple[torch.Tensor, ...]:
    """What was returned, then what was written."""
    written = task.bound(one.after)
    leaves = [leaf.value for leaf in flatten(one.result)]
    return tuple(leaves + [written[w] for w in task.writes if written.get(w) is not None])
