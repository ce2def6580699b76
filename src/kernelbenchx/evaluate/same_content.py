"""Judges each content once in a run, and shows the verdict under every name and author."""

import threading
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason, Void
from kernelbenchx.core.performance import Unmeasured
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.evaluation_job import EvaluationJob
from kernelbenchx.store.database import Database
from kernelbenchx.store.timings import without_samples

Judge = Callable[[Submission], Evaluation]
MOST_REMEMBERED = 20_000
"""Evaluations that an `Evaluator` without a run holds: about 2 kB each."""


def copy_for(submission: Submission, evaluation: Evaluation) -> Evaluation:
    """Copy the verdict on the same source to another name. Nothing was run or measured for it, so
    it has neither seconds nor raw samples."""
    return msgspec.structs.replace(
        without_samples(evaluation),
        submission=submission.name,
        origin=submission.origin,
        seconds=0.0,
    )


class SameContent:
    """Thread-safe: a job whose content is being judged waits for that verdict."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._busy: dict[str, threading.Lock] = {}
        self._users: Counter[str] = Counter()

    def judge(self, job: EvaluationJob, judge: Judge, *, keep: bool = True) -> Evaluation:
        """A verdict for this job, from an equal source where there is one."""
        with self._lock_content(job.key):
            known = self._database.judged_before(job.key)
            if known is None:
                found = judge(job.submission)
            else:
                found = copy_for(job.submission, known)
            if keep:
                self._append(job, found)
        return found

    def share(self, job: EvaluationJob, evaluation: Evaluation, *, keep: bool = True) -> Evaluation:
        """Store a verdict under the name of another job with the same content."""
        found = copy_for(job.submission, evaluation)
        if keep:
            self._append(job, found)
        return found

    def judge_for_feedback(self, job: EvaluationJob, judge: Judge) -> Evaluation:
        """What a method learns about a job; equal sources teach the same."""
        if (own := self._database.feedback(job.row)) is not None:
            return own
        with self._lock_content(f"feedback {job.key}"):
            known = self._database.feedback_on(job.key)
            if known is None:
                found = judge(job.submission)
            else:
                found = copy_for(job.submission, known)
            self._database.keep_feedback(job.row, found)
        return self._database.feedback(job.row) or found

    def _append(self, job: EvaluationJob, evaluation: Evaluation) -> None:
        self._database.append(job.row, evaluation, job.submission.source, content_key=job.key)

    @contextmanager
    def _lock_content(self, content: str) -> Iterator[None]:
        with self._lock:
            busy = self._busy.setdefault(content, threading.Lock())
            self._users[content] += 1
        try:
            with busy:
                yield
        finally:
            with self._lock:
                self._users[content] -= 1
                if not self._users[content]:
                    del self._users[content], self._busy[content]


class RecentEvaluations:
    """Evaluations without a run folder, by content; the least recently used is dropped."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: str) -> Evaluation | None:
        """The evaluation of a content, without its samples."""
        with self._lock:
            packed = self._packed.get(key)
            if packed is None:
                return None
            self._packed.move_to_end(key)
        return from_json(zlib.decompress(packed), Evaluation)

    def add(self, key: str, evaluation: Evaluation) -> None:
        """Remember it, unless it has to be tried again."""
        if not is_final(evaluation):
            return
        packed = zlib.compress(to_json(without_samples(evaluation)))
        with self._lock:
            self._packed[key] = packed
            while len(self._packed) > self._most:
                self._packed.popitem(last=False)


def is_final(evaluation: Evaluation) -> bool:
    """Neither void nor with times that could not be measured, as a run decides what to repeat."""
    if isinstance(evaluation.outcome, Void) or isinstance(evaluation.performance, Unmeasured):
        return False
    lower = (evaluation.core_performance, evaluation.basic_performance)
    return not any(
        isinstance(one, Unmeasured) and one.reason is not Reason.UNSUPPORTED for one in lower
    )
