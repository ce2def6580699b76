"""One lease per GPU across processes: correctness calls share it, timing has it alone.

Leases are file locks, named after the GPU's UUID. The kernel frees them when their holder dies.
"""

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.runner.gpu_users import GpuUser, Registration, live_users, lock_folder, user_of

_FIRST_S, _LONGEST_S = 0.002, 0.05
"""Pauses between two tries. A blocking call would keep a run that is closed from ending."""
_UNSAID_S = 1.0
"""Shorter waits are not reported."""
_AGAIN_S = 60.0
"""The same line is not repeated sooner: many threads wait, and a run waits many times."""

Say = Callable[[str], None]


def _say_nothing(_words: str) -> None:
    """Default of `say`: report nothing."""


class GpuLease:
    """The lease of one GPU, for all threads of a process.

    New sharers queue behind a process that waits to have the GPU alone: it holds the turn.
    """

    def __init__(
        self, uuid: str, run: str = "", *, say: Say = _say_nothing, folder: Path | None = None
    ) -> None:
        self.uuid = uuid
        self._run = run
        self._say = say
        self._folder = lock_folder() if folder is None else folder
        self._own = threading.local()
        self._closed = threading.Event()
        self._register = threading.Lock()
        self._registration: Registration | None = None
        self._said: dict[str, float] = {}

    @contextmanager
    def share(self) -> Iterator[None]:
        """Share the GPU with others that make calls. A thread that has the lease keeps it."""
        with self._hold_lock(fcntl.LOCK_SH):
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Have the GPU alone, to time: no other process has it, shared or alone."""
        with self._hold_lock(fcntl.LOCK_EX):
            yield

    def require(self) -> None:
        """Refuse in one line where no lock can be created."""
        try:
            for kind in ("turn", "lock") if self.uuid else ():
                os.close(self._open_lock_file(kind))
        except EvaluatorFault as fault:
            raise BadInput(f"{fault}; name another folder in KBX_GPU_LOCKS") from fault

    def close(self) -> None:
        """Forget this run; threads that still wait get an error."""
        self._closed.set()
        with self._register:
            if self._registration is not None:
                self._registration.close()
                self._registration = None

    @contextmanager
    def _hold_lock(self, how: int) -> Iterator[None]:
        held = getattr(self._own, "held", None)
        if held == fcntl.LOCK_SH and how == fcntl.LOCK_EX:
            raise EvaluatorFault("a thread that shares the GPU cannot have it alone")
        if not self.uuid or held is not None:
            yield  # a second request of the same thread would wait for those that wait for it
            return
        self._register_once()
        lock = self._acquire(how)
        self._own.held = how
        try:
            yield
        finally:
            self._own.held = None
            with contextlib.suppress(OSError):
                if how == fcntl.LOCK_EX:
                    os.ftruncate(lock, 0)
            os.close(lock)

    def _acquire(self, how: int) -> int:
        turn = self._open_lock_file("turn")
        try:
            self._wait_for(turn, fcntl.LOCK_EX)
            lock = self._open_lock_file("lock")
            try:
                self._wait_for(lock, how)
                if how == fcntl.LOCK_EX:
                    _write(lock, GpuUser.here(self._run))
            except BaseException:
                os.close(lock)
                raise
            return lock
        finally:
            os.close(turn)

    def _wait_for(self, descriptor: int, how: int) -> None:
        pause, began = _FIRST_S, time.monotonic()
        while True:
            with contextlib.suppress(BlockingIOError):
                return fcntl.flock(descriptor, how | fcntl.LOCK_NB)
            if self._closed.wait(pause):
                raise EvaluatorFault("the run was closed while it waited for the GPU")
            pause = min(2 * pause, _LONGEST_S)
            if time.monotonic() - began > _UNSAID_S and (holder := self.holder()):
                self._say_now_and_then(f"waiting for GPU-{self.uuid}: {holder}")

    def _say_now_and_then(self, line: str) -> None:
        now = time.monotonic()
        with self._register:
            self._said = {each: at for each, at in self._said.items() if now - at < _AGAIN_S}
            unsaid = line not in self._said
            self._said.setdefault(line, now)
        if unsaid:
            self._say(line)

    def holder(self) -> str:
        """Which other processes have the GPU: the one that times, else those that make calls."""
        alone = user_of(self._path("lock"))
        others = [one for one in live_users(self.uuid, self._folder) if one.pid != os.getpid()]
        if alone is not None and alone.pid != os.getpid() and alone.lives:
            return f"{alone.words} takes times"
        return ", ".join(one.words for one in others)

    def _register_once(self) -> None:
        with self._register:
            if self._registration is None and not self._closed.is_set():
                self._registration = Registration(self.uuid, self._run, self._folder)

    def _path(self, kind: str) -> Path:
        return self._folder / f"GPU-{self.uuid}.{kind}"

    def _open_lock_file(self, kind: str) -> int:
        """Open a lock file for all users of the machine.

        An existing file of another user is opened without `O_CREAT`, which the kernel refuses in
        folders that all may write to.
        """
        path = self._path(kind)
        flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            with contextlib.suppress(FileNotFoundError):
                return os.open(path, flags)
            self._folder.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
                os.fchmod(descriptor, 0o666)  # whatever the mask
                return descriptor
            return os.open(path, flags)
        except OSError as error:
            raise EvaluatorFault(f"cannot lock the GPU: {path}: {error.strerror}") from error


def _write(descriptor: int, user: GpuUser) -> None:
    """Write for those that wait; a full disk is no reason to fail."""
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, user.to_bytes(), 0)
