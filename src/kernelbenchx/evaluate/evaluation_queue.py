"""A queue of submissions that wait for a worker: a future for each, each content judged once."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from functools import partial

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.evaluate.evaluation_job import EvaluationJob
from kernelbenchx.evaluate.growing_pool import GrowingPool


@dataclass
class _QueuedJob:
    """A future of the evaluation of a job."""

    job: EvaluationJob
    future: Future[Evaluation]
    on_done: Callable[[Evaluation], None] | None
    given_up: bool = False


@dataclass
class _Work:
    """One content to judge, and every future that waits for its evaluation."""

    key: str
    waiting: list[_QueuedJob] = field(default_factory=list)
    begun: bool = False


class EvaluationQueue:
    """Judges jobs in the order in which they came, several at once."""

    def __init__(
        self,
        judge: Callable[[EvaluationJob], Evaluation],
        share: Callable[[EvaluationJob, Evaluation], Evaluation],
        stop: Callable[[], None],
        threads: int,
    ) -> None:
        """`share` gives a job the evaluation of another one with the same content."""
        self._judge = judge
        self._share = share
        self._stop = stop
        self.pool = GrowingPool(threads, "kbx-evaluator")
        self._lock = threading.Lock()
        self._under_way: dict[str, _Work] = {}
        self._closed = False

    def put(
        self, job: EvaluationJob, on_done: Callable[[Evaluation], None] | None = None
    ) -> Future[Evaluation]:
        """A future of its evaluation; one that has not begun can be cancelled.

        `on_done` is called before the future has its result, in another thread.
        """
        future: Future[Evaluation] = Future()
        new: _Work | None = None
        with self._lock:
            if self._closed:
                raise BadInput("the Evaluator is closed")
            work = self._under_way.get(job.key)
            if work is None:
                work = new = self._under_way[job.key] = _Work(job.key)
            elif work.begun:
                future.set_running_or_notify_cancel()
            work.waiting.append(_QueuedJob(job, future, on_done))
        if new is not None:
            self.pool.submit(partial(self._run, new))
        return future

    def give_up(self, future: Future[Evaluation]) -> None:
        """Stop waiting for it. A running job continues, but closing does not wait for it."""
        if future.cancel():
            return
        with self._lock:
            for one in self._all_waiting():
                one.given_up = one.given_up or one.future is future

    def close(self, *, wait_for_all: bool) -> None:
        """Accept no more jobs; finish the waiting ones, or end them now."""
        with self._lock:
            self._closed = True
            every = [one.future for one in self._all_waiting() if not one.given_up]
        try:
            if wait_for_all:
                wait([one for one in every if not one.cancelled()])
        finally:
            self.pool.shutdown(wait=False)
            for future in self._drop_queued():
                future.cancel()
                future.set_running_or_notify_cancel()  # notifies every waiting thread
            if self._under_way:
                self._stop()
            self.pool.shutdown(wait=True)

    def _drop_queued(self) -> list[Future[Evaluation]]:
        """The futures of all work that will not begin any more."""
        with self._lock:
            queued = [work for work in self._under_way.values() if not work.begun]
            for work in queued:
                del self._under_way[work.key]
                work.begun = True
            return [one.future for work in queued for one in work.waiting]

    def _run(self, work: _Work) -> None:
        with self._lock:
            if work.begun:  # dropped by `close` in the meantime
                return
            live = [one for one in work.waiting if one.future.set_running_or_notify_cancel()]
            work.waiting = live
            work.begun = True
            if not work.waiting:
                del self._under_way[work.key]
                return
            first = work.waiting[0].job
        try:
            judged = {first.row: self._judge(first)}
        except BaseException as error:  # noqa: BLE001 - raised where the future is waited for
            for one in self._take_waiting(work):
                one.future.set_exception(error)
            return
        for one in self._take_waiting(work):
            self._answer(one, first, judged)

    def _answer(self, one: _QueuedJob, first: EvaluationJob, judged: dict[str, Evaluation]) -> None:
        """By row, so that a job that was put twice is shown once."""
        try:
            if one.job.row not in judged:
                judged[one.job.row] = self._share(one.job, judged[first.row])
            if one.on_done is not None:
                one.on_done(judged[one.job.row])
        except BaseException as error:  # noqa: BLE001 - raised where the future is waited for
            one.future.set_exception(error)
        else:
            one.future.set_result(judged[one.job.row])

    def _all_waiting(self) -> list[_QueuedJob]:
        return [one for work in self._under_way.values() for one in work.waiting]

    def _take_waiting(self, work: _Work) -> list[_QueuedJob]:
        with self._lock:
            del self._under_way[work.key]
            return work.waiting
