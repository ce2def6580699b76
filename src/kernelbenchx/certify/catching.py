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
_FAILED = (CaseState.WRONG, CaseState.BROKEN)
_AT_ONCE = (4, 8)
"""So many cases at first, so many each time after that. Most mutants fail in the first ones."""


@dataclass(frozen=True)
class Catch:
    """What told a wrong submission from a right one."""

    by: str
    """The case, with the reason where it broke."""
    corner: bool
    """Whether the case is the same in every run."""


class Catcher:
    """Runs wrong submissions on the cases of one seed."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = _configure_pipeline(pipeline, compile=False)
        self._compiling = _configure_pipeline(pipeline, compile=True)
        self._witness_failures: dict[tuple[str, frozenset[str]], frozenset[str]] = {}

    def catch(self, submission: Submission) -> Catch | None:
        """Judge corners, then drawn calls, cheap ones first, until one fails; None if none does.

        What lives is compiled for one case. An ordinary run compiles for all of them and applies
        source rules, so it catches at least as much.
        """
        task = catalog.load(submission.task)
        cases = cases_of(submission.task, self._pipeline.seed)
        for corner in (True, False):
            some = [case for case in cases if case.corner is corner]
            for names in _batches(sorted(some, key=lambda case: _work(task, case))):
                if by := self._caught_by(self._pipeline, submission, names):
                    return Catch(by, corner)
        # Neither empty nor of one element, which is compiled as a constant, nor among the largest.
        fixed = sorted((case for case in cases if case.corner), key=lambda case: _work(task, case))
        ordinary = (fixed or cases)[len(fixed) // 2]
        by = self._caught_by(self._compiling, submission, frozenset((ordinary.name,)))
        return Catch(by, ordinary.corner) if by else None

    def _caught_by(self, pipeline: Pipeline, submission: Submission, names: frozenset[str]) -> str:
        found = replaced(pipeline, only=names).evaluate(submission)
        by = _told_apart_by(found.outcome)
        if not by:
            return ""
        failed = {one.case for one in found.cases if one.state in _FAILED} or names
        return by if failed - self.witness_failures(submission.task, names) else ""

    def witness_failures(self, task: str, names: frozenset[str]) -> frozenset[str]:
        """The cases in which the witness itself does not pass: they prove nothing."""
        if (task, names) not in self._witness_failures:
            witness = Submission(name="witness", task=task, source=witness_source(task))
            cases = replaced(self._pipeline, only=names).evaluate(witness).cases
            passed = {one.case for one in cases if one.state is CaseState.PASSED}
            self._witness_failures[task, names] = names - passed
        return self._witness_failures[task, names]


def _configure_pipeline(pipeline: Pipeline, *, compile: bool) -> Pipeline:
    settings = msgspec.structs.replace(
        pipeline.settings, compile=compile, checks=False, wall_s=WALL_S
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
