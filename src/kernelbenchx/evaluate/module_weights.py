"""Submissions given as modules: how they got their weights, and when they are judged again.

A module that fits no route, or that packs its weights in its constructor, can only be right with
the weights that its own constructor draws. Then both modules are built under one seed.
"""

from dataclasses import replace

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog import BUILT_UNDER_SEED, SEED_ALONE
from kernelbenchx.core.outcome import CaseState, Correct, Outcome, Reason, Void, Wrong
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.runner.orders import WorkerReport
from kernelbenchx.spec.problem import Problem

_BY_STRENGTH = ("name", "place", "part", "shape")
UNTESTED = "weights from the seed alone: constant parameters ({}) were not tested"
_MOST_NAMED = 4
_MOST_SAID = 300


def find_route(report: WorkerReport) -> str:
    """The weakest route of all calls, as the worker reports it; any other word counts as none."""
    said = {str(trace.get("weights", "")) for trace in report.traces.values()}
    return next((route for route in reversed(_BY_STRENGTH) if route in said), "")


def plan_second_try(attempt: EvaluationState, outcome: Outcome) -> EvaluationState | None:
    """The same submission with weights from a seed; None if that could change nothing."""
    name = attempt.submission.task
    if attempt.facts.form != "module" or not isinstance(catalog.load(name), Problem):
        return None
    if isinstance(outcome, Void) and outcome.reason is Reason.WEIGHTS:
        variant = SEED_ALONE
    elif isinstance(outcome, Wrong) and attempt.weights and _may_be_packed(attempt):
        # Weights that are constants in every fresh module are still given: what ignores one fails.
        variant = BUILT_UNDER_SEED
    else:
        return None
    seeded = msgspec.structs.replace(attempt.submission, task=name + variant)
    return replace(attempt.copy_before_calls(), submission=seeded, weights="seed")


def _may_be_packed(attempt: EvaluationState) -> bool:
    """Whether packed weights may explain the failure: it shows in almost every case, only in
    values."""
    wrong = [one for one in attempt.cases if one.state is CaseState.WRONG]
    by_values = all(one.detail.startswith(Reason.BAD_VALUES.value) for one in wrong)
    return by_values and 2 * len(wrong) > len(attempt.cases)


def choose_outcome(
    attempt: EvaluationState, outcome: Outcome, again: EvaluationState, found: Outcome
) -> Outcome:
    """Choose between the two: the second if it is right, or failed whatever the weights."""
    unfit = isinstance(outcome, Void)
    by_values = isinstance(found, Wrong) and found.reason is Reason.BAD_VALUES
    if not isinstance(found, Correct) and (not unfit or by_values or isinstance(found, Void)):
        return outcome
    if isinstance(outcome, Void):
        again.flags.append(outcome.detail[:_MOST_SAID])
    if unfit and (constants := _constants(again.submission.task)):
        again.flags.append(UNTESTED.format(", ".join(constants[:_MOST_NAMED])))
    attempt.adopt(again)
    return found


def _constants(name: str) -> tuple[str, ...]:
    task = catalog.load(name)
    return task.constants if isinstance(task, Problem) else ()
