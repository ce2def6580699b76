"""The lock of a GPU: shared by many while answers are checked, exclusive while one is timed."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from kernelbenchx.runner.gpu_lease import GpuLease

PARKED = 20
"""Submissions that may wait for a GPU with their processes warm."""
PATIENCE, PATIENCE_S = 6, 1.5
"""So many waiting owners empty the GPU, or one that has waited for so long. Shared phases are
short, so a group may be small."""


class GpuLock:
    """Sharers enter until enough owners wait; then the GPU is emptied and the owners take turns.

    Emptying takes as long as the slowest sharer, so owners are served in groups. The lock is for
    the threads of this process; inside it they take the lease, which is for all processes.
    """

    def __init__(
        self,
        sharers: int,
        patience: int,
        patience_s: float = PATIENCE_S,
        lease: GpuLease | None = None,
    ) -> None:
        self._lease = lease or GpuLease("")
        self._most = sharers
        self._patience = patience
        self._patience_s = patience_s
        self._changed = threading.Condition()
        self._sharing = 0
        self._wishing = self._prepared = 0
        """Waiting sharers; the second count is of those that need nothing but the GPU."""
        self._waiting = 0
        self._owned = False
        self._draining = False

    @contextmanager
    def acquire_shared(self, *, last: bool = False) -> Iterator[None]:
        """Use the GPU beside others; `last` for a submission that needs nothing but the GPU
        afterwards.

        The others still have kernels to compile, which can be done while another submission is
        timed. The sooner they have been here, the less is left to compile when none is timed.
        """
        with self._changed:
            self._wishing += 1
            self._prepared += last
            self._changed.wait_for(lambda: self._may_share(last=last))
            self._wishing -= 1
            self._prepared -= last
            self._sharing += 1
            self._changed.notify_all()
        try:
            with self._lease.share():
                yield
        finally:
            with self._changed:
                self._sharing -= 1
                self._changed.notify_all()

    @contextmanager
    def acquire_exclusive(self) -> Iterator[None]:
        """Hold the GPU exclusively."""
        with self._changed:
            self._waiting += 1
            self._changed.notify_all()
            if not self._changed.wait_for(self._may_own, self._patience_s):
                self._draining = True
                self._changed.wait_for(self._may_own)
            self._waiting -= 1
            self._owned = True
        try:
            with self._lease.alone():
                yield
        finally:
            with self._changed:
                self._owned = False
                self._draining = self._waiting > 0
                self._changed.notify_all()

    def _may_share(self, *, last: bool) -> bool:
        room = not self._owned and not self._draining and self._sharing < self._most
        return room and (not last or self._wishing == self._prepared)

    def _may_own(self) -> bool:
        alone = not self._sharing and not self._owned
        if self._waiting >= self._patience or (alone and not self._wishing):
            self._draining = True
        return alone and self._draining
