"""Submissions that wait for a worker: a future for each, and each key judged once at a time."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.evaluate.batch import Job


@dataclass
class _Work:
    """A job and the futures that wait for its evaluation."""

    job: Job
    waiting: list[Future[Evaluation]] = field(default_factory=list)
    watching: list[Callable[[Evaluation], None]] = field(default_factory=list)
    begun: bool = False


class EvaluationQueue:
    """Judges jobs in the order in which they came, several at once."""

    def __init__(
        self, judge: Callable[[Job], Evaluation], stop: Callable[[], None], threads: int
    ) -> None:
        self._judge = judge
        self._stop = stop
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="kbx-evaluator")
        self._lock = threading.Lock()
        self._under_way: dict[str, _Work] = {}
        self._closed = False

    def put(
        self, job: Job, on_done: Callable[[Evaluation], None] | None = None
    ) -> Future[Evaluation]:
        """A future of its evaluation; one that has not begun can be cancelled.

        `on_done` is called before the future has its result, in another thread.
        """
        future: Future[Evaluation] = Future()
        with self._lock:
            if self._closed:
                raise BadInput("the Evaluator is closed")
            work = self._under_way.get(job.key)
            if work is None:
                work = self._under_way[job.key] = _Work(job)
                self._pool.submit(self._run, work)
            elif work.begun:
                future.set_running_or_notify_cancel()
            work.waiting.append(future)
            if on_done is not None:
                work.watching.append(on_done)
        return future

    def give_up(self, future: Future[Evaluation]) -> None:
        """Wait for it no longer. What runs goes on, but closing does not wait for it."""
        if future.cancel():
            return
        with self._lock:
            for work in self._under_way.values():
                if future in work.waiting:
                    work.waiting.remove(future)

    def close(self, *, wait_for_all: bool) -> None:
        """Take nothing more; finish what is waited for, or end it now."""
        with self._lock:
            self._closed = True
            every = [one for work in self._under_way.values() for one in work.waiting]
        try:
            if wait_for_all:
                wait([one for one in every if not one.cancelled()])
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for future in self._dropped():
                future.cancel()
                future.set_running_or_notify_cancel()  # tells those that wait for it
            if self._under_way:
                self._stop()
            self._pool.shutdown()

    def _dropped(self) -> list[Future[Evaluation]]:
        """The futures of all work that will not begin any more."""
        with self._lock:
            queued = [work for work in self._under_way.values() if not work.begun]
            for work in queued:
                del self._under_way[work.job.key]
                work.begun = True
            return [future for work in queued for future in work.waiting]

    def _run(self, work: _Work) -> None:
        with self._lock:
            if work.begun:  # dropped by `close` meanwhile
                return
            work.waiting = [one for one in work.waiting if one.set_running_or_notify_cancel()]
            work.begun = True
            if not work.waiting:
                del self._under_way[work.job.key]
                return
        try:
            evaluation = self._judge(work.job)
            for on_done in work.watching:
                on_done(evaluation)
        except BaseException as error:  # noqa: BLE001 - raised where the future is waited for
            for future in self._taken(work):
                future.set_exception(error)
        else:
            for future in self._taken(work):
                future.set_result(evaluation)

    def _taken(self, work: _Work) -> list[Future[Evaluation]]:
        with self._lock:
            del self._under_way[work.job.key]
            return work.waiting
