"""One zygote process: its files, its connection, its end."""

import contextlib
import os
import shutil
import socket
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kernelbenchx.worker
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.runner import bytecode, readable_paths
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.environment import build_environment
from kernelbenchx.runner.levels import Level, WorkerIsolation
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.worker import wire
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.private_root import PRIVATE
from kernelbenchx.worker.settings import KINDS, WorkerSettings

_PROGRAM = "import sys; sys.path.insert(0, sys.argv[2]); from worker.server import main; main()"
# Two zygotes rarely share a block of user ids, whose processes are counted together.
_FIRST_UID, _UID_BLOCKS, MOST_CHILDREN = 61_000, 60, 64
_PATIENCE_S = 5.0


@dataclass(frozen=True)
class Start:
    """How a zygote is started; only tests and probes differ from the defaults."""

    main: str = "worker.main:serve"
    modules: tuple[Path, ...] = ()
    """Files put beside the worker package, to be named by `main`."""
    packages: tuple[str, ...] = ()
    """Packages of the harness that children may import, such as `spec`; submissions get none."""
    warm_order: Path | None = None
    """A trusted order served once in the zygote itself, so that children find everything loaded."""
    sites: tuple[Path, ...] = ()
    """Further folders of packages."""
    limit_s: float = 180.0
    """Importing torch from a cold disk takes half a minute."""


class ZygoteProcess:
    """Runs from construction until it dies or is closed; takes orders once it is warm."""

    def __init__(self, kind: str, isolation: WorkerIsolation, start: Start) -> None:
        self._kind = kind
        self._start = start
        self._waiting: dict[int, PendingChild] = {}
        self._lock = threading.Lock()
        self._alive = True
        self._greeted = threading.Event()
        self._fault = ""
        """Why it did not become warm."""
        self._last_id = 0
        self._scratch = Scratch()
        self._connection, theirs = socket.socketpair()
        with theirs:
            self._process = self._launch(theirs, isolation.level)
        self._reader = threading.Thread(target=self._listen, name=f"{kind} parent", daemon=True)
        try:
            self._introduce(self._settings(isolation))
        except BaseException:
            self.close()
            raise
        self._reader.start()

    def wait_until_warm(self) -> None:
        """Wait until children can be requested; a zygote that fails to start has to be closed."""
        self._greeted.wait()
        if self._fault:
            raise EvaluatorFault(f"the warm worker for {self._kind} did not start: {self._fault}")

    @property
    def alive(self) -> bool:
        return self._alive

    @property
    def warm(self) -> bool:
        """Whether it takes orders, or did before it died."""
        return self._greeted.is_set() and not self._fault

    @property
    def pid(self) -> int:
        return self._process.pid

    def request(
        self, order: int, result: int, limits: Limits, channel: int | None = None
    ) -> PendingChild:
        """Request a child; it always gets an ending, also when the zygote dies."""
        with self._lock:
            self._last_id += 1
            identifier = self._last_id
            pending = PendingChild(lambda: self._cancel(identifier))
            if not self._alive:
                pending.end(Ending(lost=True, fault=self._last_words()))
                return pending
            self._waiting[identifier] = pending
            descriptors = (order, result) if channel is None else (order, result, channel)
            body = limits.to_json().encode()
            self._send(wire.WireMessage({"id": identifier}, body, descriptors))
        return pending

    def _cancel(self, identifier: int) -> None:
        with self._lock:
            if self._alive and identifier in self._waiting:
                self._send(wire.WireMessage({"cancel": identifier}))

    def _send(self, message: wire.WireMessage) -> None:
        """Called with the lock held."""
        try:
            wire.send(self._connection, message)
        except OSError:
            # The listener notices too, and answers for every child that is waited for.
            with contextlib.suppress(OSError):  # it may have been closed first
                self._connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End the zygote and every child, and remove its files."""
        warm = self.warm  # the listener takes the end of the connection for a failed start
        with contextlib.suppress(OSError):  # it may have been closed first
            self._connection.shutdown(socket.SHUT_RDWR)
        if not warm:  # it has no child yet, and does not read while it loads
            self._process.kill()
        try:
            self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._reader.is_alive():
            self._reader.join()
        self._connection.close()
        self._scratch.__exit__(None, None, None)

    def _launch(self, theirs: socket.socket, level: Level) -> "subprocess.Popen[bytes]":
        library = self._scratch.path / "lib"
        _copy_library(library, self._start)
        temporary = self._scratch.path / "tmp"
        temporary.mkdir(mode=0o700)
        folder = PRIVATE if level >= Level.L3 else str(temporary)
        descriptor = str(theirs.fileno())
        # Isolated, no site hooks, no bytecode; unbuffered, so that a crash loses no last words.
        python = [
            readable_paths.python(),
            "-I",
            "-S",
            "-B",
            "-u",
            *bytecode.flags(bytecode.folder()),
        ]
        command = [*python, "-c", _PROGRAM, descriptor, str(library)]
        with (self._scratch.path / "parent.log").open("wb") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=temporary,
                env=build_environment(self._kind, folder),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def _settings(self, isolation: WorkerIsolation) -> WorkerSettings:
        library = str(self._scratch.path / "lib")
        sites = (
            *(str(path.resolve()) for path in self._start.sites),
            *readable_paths.site_folders(),
        )
        kept = bytecode.folder()
        extra = (library, *sites, *([] if kept is None else [str(kept)]))
        device = KINDS[self._kind].device
        return WorkerSettings(
            kind=self._kind,
            level=isolation.level,
            identity=isolation.identity,
            main=self._start.main,
            paths=(library, *sites),
            roots=readable_paths.roots(device=device, extra=extra),
            hidden=readable_paths.list_hidden(),
            private=str(self._scratch.path),
            first_uid=_FIRST_UID + self.pid % _UID_BLOCKS * MOST_CHILDREN,
            warm_order=self._start.warm_order is not None,
        )

    def _introduce(self, settings: WorkerSettings) -> None:
        """Send the settings; the listener reads the answer that it is warm."""
        self._connection.settimeout(self._start.limit_s)
        warm_order = self._start.warm_order
        opened = [] if warm_order is None else [os.open(warm_order, os.O_RDONLY)]
        try:
            message = wire.WireMessage({}, settings.to_json().encode(), tuple(opened))
            wire.send(self._connection, message)
        except OSError as error:
            raise EvaluatorFault(
                f"the warm worker for {self._kind} did not start: {error}"
            ) from error
        finally:
            for descriptor in opened:
                os.close(descriptor)

    def _greet(self) -> str:
        """Wait until the zygote is warm; returns the fault otherwise."""
        try:
            answer = wire.receive(self._connection)
            self._connection.settimeout(None)
        except (OSError, wire.BadMessage) as error:
            return str(error)
        if answer is None:
            return self._last_words()
        return str(answer.header.get("fault", ""))

    def _listen(self) -> None:
        """Pass each ending to its child; when the zygote dies, all children end as lost."""
        self._fault = self._greet()
        self._greeted.set()
        while not self._fault and (message := self._receive()) is not None:
            if "started" in message.header:
                self._hear_of_start(message)
                continue
            if "long" in message.header:
                self._hear_of_long(message.header["id"])
                continue
            pending = self._waiting.pop(message.header["id"], None)
            if pending is not None:
                pending.end(_ending(message.header, message.body))
        with self._lock:
            self._alive = False
            fault = self._last_words()
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for pending in waiting:
            pending.end(Ending(lost=True, fault=fault))

    def _hear_of_start(self, message: wire.WireMessage) -> None:
        pending = self._waiting.get(message.header["id"])
        if pending is not None:
            pending.start(*(message.descriptors or (None,)))
            return
        for descriptor in message.descriptors:
            os.close(descriptor)

    def _hear_of_long(self, identifier: int) -> None:
        pending = self._waiting.get(identifier)
        if pending is not None:
            pending.note_long()

    def _receive(self) -> wire.WireMessage | None:
        try:
            return wire.receive(self._connection, descriptors=1)
        except (OSError, wire.BadMessage):
            return None

    def _last_words(self) -> str:
        try:
            lines = (self._scratch.path / "parent.log").read_text(errors="replace").splitlines()
        except OSError:
            lines = []
        return f"the warm worker for {self._kind} ended" + (f": {lines[-1]}" if lines else "")


def _copy_library(library: Path, start: Start) -> None:
    """The worker package and what was named beside it, readable by all and writable by none."""
    source = Path(kernelbenchx.worker.__file__).parent
    copies = {library / "worker": source}
    copies |= {library / "kernelbenchx" / name: source.parent / name for name in start.packages}
    for copy, folder in copies.items():
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if start.packages:
        (library / "kernelbenchx" / "__init__.py").touch()
    for module in start.modules:
        shutil.copy(module, library / module.name)
    for path in (library, *library.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)


def _ending(header: dict[str, Any], log: bytes) -> Ending:
    """The zygote's message as a record; a child that never got to run is the harness's fault."""
    fields = {name: value for name, value in header.items() if name != "id"}
    fault = fields.get("fault", "")
    return Ending(**fields, log=log.decode(errors="replace"), lost=bool(fault))
