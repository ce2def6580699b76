"""Judges each content once in a run, and shows the verdict under every name and author."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.batch import Job
from kernelbenchx.store.database import Database
from kernelbenchx.store.timings import without_samples

Judge = Callable[[Submission], Evaluation]


def copy_for(submission: Submission, evaluation: Evaluation) -> Evaluation:
    """The verdict on the same source under another name. Nothing was run and nothing measured for
    it, so it has neither seconds nor raw samples."""
    return msgspec.structs.replace(
        without_samples(evaluation),
        submission=submission.name,
        origin=submission.origin,
        seconds=0.0,
    )


class SameContent:
    """Safe from many threads: who asks for what another judges now waits for that verdict."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._busy: dict[str, threading.Lock] = {}
        self._users: Counter[str] = Counter()

    def judge(self, job: Job, judge: Judge, *, keep: bool = True) -> Evaluation:
        """A verdict for this job, from an equal source where there is one."""
        with self._alone_with(job.key):
            known = self._database.judged_before(job.key)
            if known is None:
                found = judge(job.submission)
            else:
                found = copy_for(job.submission, known)
            if keep:
                self._append(job, found)
        return found

    def share(self, job: Job, evaluation: Evaluation, *, keep: bool = True) -> Evaluation:
        """Show a verdict under the name of another job with the same content."""
        found = copy_for(job.submission, evaluation)
        if keep:
            self._append(job, found)
        return found

    def judge_for_feedback(self, job: Job, judge: Judge) -> Evaluation:
        """What a method learns about a job; equal sources teach the same."""
        if (own := self._database.feedback(job.row)) is not None:
            return own
        with self._alone_with(f"feedback {job.key}"):
            known = self._database.feedback_on(job.key)
            if known is None:
                found = judge(job.submission)
            else:
                found = copy_for(job.submission, known)
            self._database.keep_feedback(job.row, found)
        return self._database.feedback(job.row) or found

    def _append(self, job: Job, evaluation: Evaluation) -> None:
        self._database.append(job.row, evaluation, job.submission.source, content_key=job.key)

    @contextmanager
    def _alone_with(self, content: str) -> Iterator[None]:
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
