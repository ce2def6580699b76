"""The trusted side of a zygote: gives it orders and receives the ending of each child."""

import contextlib
import os
import threading
from pathlib import Path
from types import TracebackType

from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.levels import WorkerIsolation
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.runner.zygote_process import MOST_CHILDREN, Start, ZygoteProcess
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.settings import KINDS

_RESULT = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC


class Zygote:
    """Runs orders in children of one zygote; several threads may call it."""

    def __init__(
        self,
        kind: str,
        isolation: WorkerIsolation,
        *,
        jobs: int | None = None,
        start: Start | None = None,
    ) -> None:
        if kind not in KINDS:
            raise BadInput(f"unknown kind of worker {kind!r}; choose one of {', '.join(KINDS)}")
        self.isolation = isolation
        self._kind = kind
        self._start = start or Start()
        self._places = threading.BoundedSemaphore(min(jobs or os.cpu_count() or 1, MOST_CHILDREN))
        self._lock = threading.Lock()
        self._parent: ZygoteProcess | None = None
        self._stopped = False
        self.served = 0
        """How many orders it was given."""

    def __enter__(self) -> "Zygote":
        self._warm_parent()
        return self

    def start_parent(self) -> None:
        """Start it now without waiting; a failure is reported by the first order."""
        with self._lock, contextlib.suppress(EvaluatorFault, OSError):
            self._living_parent()

    def wait_until_warm(self) -> None:
        """Start it unless it runs, and wait, so that its first order need not."""
        self._warm_parent()

    def stop(self) -> None:
        """End it now and start no other; a child that is waited for is reported as lost at once."""
        self._stopped = True
        self.__exit__(None, None, None)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            parent, self._parent = self._parent, None
        if parent is not None:
            parent.close()

    @property
    def pid(self) -> int | None:
        """The process id of the zygote once it is warm: until then it starts processes itself."""
        parent = self._parent
        return parent.pid if parent is not None and parent.warm else None

    def run(self, order: Path, result: Path, limits: Limits, channel: int | None = None) -> Ending:
        """Serve one order in a fresh child; `result` is created and complete on return.

        Never raises for what the child does. Where the harness fails, `Ending.lost` is true and the
        next call starts another zygote.
        """
        return self.start(order, result, limits, channel).wait()

    def start(
        self, order: Path, result: Path, limits: Limits, channel: int | None = None
    ) -> PendingChild:
        """Like `run`, without waiting for the child; waits only while no place is free.

        `channel` is one end of a connected unix stream socket, for messages with the child while it
        runs. It stays the caller's, who closes it now in order to see the child's end at the other.
        """
        self._places.acquire()
        try:
            pending = self._request(order, result, limits, channel)
        except EvaluatorFault as fault:
            pending = PendingChild()
            pending.end(Ending(lost=True, fault=str(fault)))
        except BaseException:
            self._places.release()
            raise
        pending.when_over(self._places.release)
        return pending

    def _request(
        self, order: Path, result: Path, limits: Limits, channel: int | None
    ) -> PendingChild:
        with self._lock:
            self.served += 1
        parent = self._warm_parent()
        source = os.open(order, os.O_RDONLY | os.O_CLOEXEC)
        try:
            sink = os.open(result, _RESULT, 0o600)
            try:
                return parent.request(source, sink, limits, channel)
            finally:
                os.close(sink)
        finally:
            os.close(source)

    def _warm_parent(self) -> ZygoteProcess:
        """The zygote, once warm. Waits without the lock, so that `stop` need not wait."""
        with self._lock:
            parent = self._living_parent()
        try:
            parent.wait_until_warm()
        except EvaluatorFault:
            with self._lock:
                mine = self._parent is parent
                self._parent = None if mine else self._parent
            if mine:
                parent.close()
            raise
        return parent

    def _living_parent(self) -> ZygoteProcess:
        """The zygote, started again if it has died. Called with the lock held."""
        if self._stopped:
            raise EvaluatorFault("the run was stopped")
        if self._parent is not None and not self._parent.alive:
            self._parent.close()
            self._parent = None
        if self._parent is None:
            self._parent = ZygoteProcess(self._kind, self.isolation, self._start)
        return self._parent
