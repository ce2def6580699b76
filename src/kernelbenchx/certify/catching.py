"""Runs a wrong submission like any other until a case tells it from a right one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced

import msgspec

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Broken, CaseState, Outcome, Rejected, Wrong
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.calls import cases_of
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.task import Task

WALL_S = 15.0
"""CPU time of one process: a mutant that hangs is caught after it."""
_AT_ONCE = (4, 8)
"""So many cases at first, so many each time after that. Most mutants fail in the first ones."""


@dataclass(frozen=True)
class Catch:
    """What told a wrong submission from a right one."""

    by: str
    """The case, with the reason where it broke."""
    corner: bool
    """Whether the case is the same in every run."""


def catch(
    pipeline: Pipeline, submission: Submission, skipped: frozenset[str] = frozenset()
) -> Catch | None:
    """Judge corners, then drawn calls, cheap ones first, until one fails; None if none does.

    Nothing is compiled and no source rule applies: an ordinary run catches at least as much.
    `skipped` are cases that prove nothing, since the witness fails there too.
    """
    task = catalog.load(submission.task)
    quick = _without_compiling(pipeline)
    cases = [case for case in cases_of(submission.task, pipeline.seed) if case.name not in skipped]
    for corner in (True, False):
        some = [case for case in cases if case.corner is corner]
        for names in _batches(sorted(some, key=lambda case: _work(task, case))):
            outcome = replaced(quick, only=names).evaluate(submission).outcome
            if by := _told_apart_by(outcome):
                return Catch(by, corner)
    return None


def failing_cases(name: str, pipeline: Pipeline) -> frozenset[str]:
    """The cases of this seed in which the witness itself fails; there should be none."""
    quick = _without_compiling(pipeline, wall_s=pipeline.settings.wall_s)
    witness = Submission(name="witness", task=name, source=witness_source(name))
    found = quick.evaluate(witness).cases
    return frozenset(one.case for one in found if one.state is not CaseState.PASSED)


def _without_compiling(pipeline: Pipeline, wall_s: float = WALL_S) -> Pipeline:
    settings = msgspec.structs.replace(
        pipeline.settings, compile=False, checks=False, wall_s=wall_s
    )
    return replaced(pipeline, workers=replaced(pipeline.workers, settings=settings))


def _batches(cases: Sequence[Case]) -> Iterator[frozenset[str]]:
    first, later = _AT_ONCE
    starts = [0, *range(first, len(cases), later)]
    for start, end in zip(starts, [*starts[1:], len(cases)], strict=True):
        if names := frozenset(case.name for case in cases[start:end]):
            yield names


def _work(task: Task, case: Case) -> float:
    cost = task.cost(**case.params)
    return (cost.bytes + cost.flops) * task.calls(case)


def _told_apart_by(outcome: Outcome) -> str:
    if isinstance(outcome, Wrong):
        return outcome.case
    if isinstance(outcome, Broken):
        return f"{outcome.reason.value} {outcome.case}".strip()
    return "rejected" if isinstance(outcome, Rejected) else ""
