"""Feedback of methods on their kernels: evaluations on other calls, and the model's tests."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from kernelbenchx.analysis.attempt import Attempt, FeedbackResult
from kernelbenchx.core.standards import Standard
from kernelbenchx.store.shallow_evaluation import Times

_FEEDBACK = "SELECT key, outcome, {weaker}, record FROM feedback WHERE outcome <> 'void'"
_STANDARD = """
SELECT json_extract(value, '$.evaluation.correct') FROM meta
WHERE key = 'generation' AND json_valid(value)
"""
_WEAKER = {Standard.BASIC.value: "basic_correct", Standard.CORE.value: "core_correct"}
"""Columns that say whether a standard is met, beside the outcome."""
_TRIALS = "SELECT category || '/' || task, step, passed FROM trials"


class _FeedbackRecord(msgspec.Struct, frozen=True, gc=False):
    """What is needed of an evaluation for feedback."""

    composition: str = ""
    stage: str = ""
    performance: Times | None = None
    core_performance: Times | None = None
    basic_performance: Times | None = None


_DECODER = msgspec.json.Decoder(_FeedbackRecord, strict=False)


@dataclass(frozen=True)
class RunFeedback:
    """Of one run."""

    by_key: dict[str, FeedbackResult]
    """By the key of the verdict."""
    tests: dict[tuple[str, str], bool]
    """By task and step: whether it passed."""

    def complete(self, one: Attempt) -> Attempt:
        """The attempt with what its method saw of it."""
        if not one.step:
            return one
        seen = self.by_key.get(one.key)
        passed = self.tests.get((one.task, one.step))
        if seen is None and passed is None:
            return one
        return msgspec.structs.replace(one, seen=seen, passed_own_test=passed)


def shared_by_runs(attempts: Sequence[Attempt]) -> list[Attempt]:
    """A kernel that was judged once more elsewhere was seen by its method all the same."""
    known = {_kernel(one): one for one in attempts if one.seen is not None or one.passed_own_test}
    return [
        one
        if not one.step or one.seen is not None or (first := known.get(_kernel(one))) is None
        else msgspec.structs.replace(one, seen=first.seen, passed_own_test=first.passed_own_test)
        for one in attempts
    ]


def _kernel(one: Attempt) -> tuple[str, ...]:
    return one.task, one.method, one.model, one.step, one.digest


def read_seen(connection: sqlite3.Connection) -> RunFeedback:
    """Everything at once; void evaluations showed nothing."""
    weaker = _WEAKER.get(_standard_of(connection))
    rows = connection.execute(_FEEDBACK.format(weaker=weaker or "NULL"))
    found = {
        key: _build_feedback(outcome, bool(meets), _DECODER.decode(record))
        for key, outcome, meets, record in rows
    }
    tests = {(task, step): bool(passed) for task, step, passed in connection.execute(_TRIALS)}
    return RunFeedback(found, tests)


def _standard_of(connection: sqlite3.Connection) -> str:
    """By which the run's method chose its kernels."""
    row = connection.execute(_STANDARD).fetchone()
    return str(row[0]) if row and row[0] else Standard.STRICT.value


def _build_feedback(outcome: str, meets: bool, record: _FeedbackRecord) -> FeedbackResult:
    strict = record.performance
    correct = meets or (outcome == "correct" and (strict is None or strict.kind != "failed"))
    times = strict or record.core_performance or record.basic_performance
    eager = [one.speedup for one in times.speedups if one.baseline == "eager"] if times else []
    ran = outcome == "reached" and record.stage != "check"
    return FeedbackResult(
        correct=correct,
        called=ran or outcome in ("wrong", "correct"),
        pure=record.composition == "pure",
        speedup=eager[0] if correct and eager else None,
    )
