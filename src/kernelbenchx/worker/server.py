"""The zygote: loads torch once, forks one confined child per order, reports how each ended."""

import os
import selectors
import signal
import socket
import sys
import time
import traceback
from pathlib import Path
from typing import NoReturn

from . import (
    capabilities,
    grants,
    namespaces,
    notices,
    private_root,
    processes,
    reserved_cores,
    wire,
)
from .confine import (
    ORDER,
    RESULT,
    STATUS,
    ChildSandbox,
    Pipes,
    confine,
    forget_signals,
    keep_only,
    settle,
)
from .gc_control import settle_memory
from .job import CANCELLED, Job, Log, remove_folder
from .lazy_torch import NEEDS_LAZY_TORCH, LazyTorch
from .limits import Limits, limits_from_json
from .preload import Serve, load, load_more
from .progress import begin_child
from .settings import WorkerSettings, settings_from_json

_POLL_S = 0.05
_WALK_EVERY = 4
# Order, result and channel.
_MOST_DESCRIPTORS = 3


class Server:
    """Serves one connection until the other side closes it."""

    def __init__(self, connection: socket.socket, settings: WorkerSettings, serve: Serve) -> None:
        self._connection = connection
        self._settings = settings
        self._serve = serve
        self._late = LazyTorch(settings.kind)
        self._jobs: dict[int, Job] = {}
        self._selector = selectors.DefaultSelector()
        self._own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY) if settings.namespaced else -1
        self._grants = grants.at_level(settings)
        self._inherited_bytes = processes.private_bytes(os.getpid())
        self._rounds = 0

    def run(self) -> None:
        """Fork, watch and report until the connection is closed and no child is left."""
        wakeup, alarm = socket.socketpair()
        for end in (wakeup, alarm):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        processes.ignore_stops()
        signal.set_wakeup_fd(alarm.fileno(), warn_on_full_buffer=False)
        self._selector.register(wakeup, selectors.EVENT_READ)
        self._selector.register(self._connection, selectors.EVENT_READ)
        connected = True
        while connected:
            for key, _ in self._selector.select(_POLL_S if self._jobs else None):
                if key.fileobj is wakeup:
                    wakeup.recv(4096)
                elif key.fileobj is self._connection:
                    connected = self._take_request()
                elif not key.data.drain():
                    self._selector.unregister(key.fd)
            self._reap()
            self._watch()
        for job in self._jobs.values():
            self._kill(job)

    def _take_request(self) -> bool:
        """Start or end a child; False when the other side has closed the connection."""
        message = wire.receive(self._connection, descriptors=_MOST_DESCRIPTORS)
        if message is None:
            return False
        if "cancel" in message.header:
            self._cancel(message.header["cancel"])
            return True
        if message.descriptors[2:]:
            self._load_late()  # a child with a channel cannot be started again
        limits = limits_from_json(message.body)
        self._begin(message.header["id"], limits, message.descriptors)
        return True

    def _begin(self, identifier: int, limits: Limits, descriptors: tuple[int, ...]) -> None:
        """Start a child, or report why there is none."""
        order, result, *channel = descriptors
        try:
            pid = self._start(identifier, limits, descriptors)
            if channel:
                notices.announce_start(self._connection, identifier, pid)
        except OSError as error:
            os.close(order)
            os.close(result)
            fault = f"could not start a child: {error}"
            wire.send(self._connection, wire.WireMessage({"id": identifier, "fault": fault}))
        finally:
            # While the channel is open here, it is not seen that the child closed it.
            for descriptor in channel:
                os.close(descriptor)

    def _cancel(self, identifier: int) -> None:
        """End this child, unless it has ended."""
        for job in self._jobs.values():
            if job.id == identifier:
                job.over = job.over or CANCELLED
                self._kill(job)

    def _start(self, identifier: int, limits: Limits, descriptors: tuple[int, ...]) -> int:
        order, result, *channel = descriptors
        slot = min(set(range(len(self._jobs) + 1)) - {job.slot for job in self._jobs.values()})
        place = ChildSandbox(
            folder=self._folder(identifier), uid=self._uid(slot), grants=self._grants
        )
        log_read, log_write = os.pipe()
        status_read, status_write = os.pipe()
        pipes = Pipes(order, result, log_write, status_write, *channel)
        progress = begin_child()
        try:
            pid = self._fork()
        except OSError:
            for descriptor in (log_read, log_write, status_read, status_write):
                os.close(descriptor)
            raise
        if pid == 0:
            self._be_child(pipes, limits, place)
        os.close(log_write)
        os.close(status_write)
        os.set_blocking(log_read, False)
        log, own = Log(log_read), (status_read, order, result, place.folder, progress)
        job = Job(identifier, pid, slot, limits, log, *own, asks=self._late.missing)
        self._jobs[pid] = job
        self._selector.register(log_read, selectors.EVENT_READ, log)
        return pid

    def _fork(self) -> int:
        if self._settings.namespaced:
            return namespaces.fork_as_init(self._own_pids)
        return os.fork()

    def _folder(self, identifier: int) -> str:
        if self._settings.namespaced:
            return private_root.PRIVATE
        folder = Path(self._settings.private) / f"child-{identifier}"
        folder.mkdir(mode=0o700)
        return str(folder)

    def _uid(self, slot: int) -> int | None:
        other = self._settings.namespaced and self._settings.identity == "other"
        return self._settings.first_uid + slot if other else None

    def _be_child(self, pipes: Pipes, limits: Limits, place: ChildSandbox) -> NoReturn:
        """Runs in the child; whatever happens, it does not return into the parent's loop."""
        code = 1
        try:
            try:
                forget_signals()
                keep_only(pipes)
                confine(self._settings, limits, place)
                settle(place.folder)
            except BaseException as error:
                os.write(STATUS, f"{type(error).__name__}: {error}".encode()[:1000])
                raise
            # Closed before anything untrusted runs: no child can claim that its set-up failed.
            os.write(STATUS, b"+")
            os.close(STATUS)
            self._late.watch()
            self._serve(ORDER, RESULT)
            code = 0
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else int(error.code is not None)
        except BaseException:  # noqa: BLE001 - the process boundary
            traceback.print_exc()
        finally:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code & 0xFF)

    def _reap(self) -> None:
        """Report every child that has ended."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            job = self._jobs.pop(pid, None)
            if job is not None:
                self._finish(job, status, usage)

    def _finish(self, job: Job, status: int, usage: object) -> None:
        if not self._settings.namespaced:
            processes.sweep_orphans(self._jobs)
        if job.log.descriptor in self._selector.get_map():
            self._selector.unregister(job.log.descriptor)
        job.log.drain()
        ending = job.ending(status, usage)
        if not self._settings.namespaced:
            remove_folder(job.folder)
        if job.asks and ending["exit_code"] == NEEDS_LAZY_TORCH and not job.over:
            self._repeat(job)
            return
        job.close()
        try:
            wire.send(self._connection, wire.WireMessage(ending, job.log.text()))
        except BrokenPipeError:
            return

    def _repeat(self, job: Job) -> None:
        """Serve an order once more, with a child that finds everything loaded."""
        self._load_late()
        order, result = os.dup(job.order), os.dup(job.result)
        job.close()
        os.lseek(order, 0, os.SEEK_SET)
        os.lseek(result, 0, os.SEEK_SET)
        os.ftruncate(result, 0)
        self._begin(job.id, job.limits, (order, result))

    def _load_late(self) -> None:
        if not self._late.missing:
            return
        self._late.load()
        self._inherited_bytes = processes.private_bytes(os.getpid())

    def _watch(self) -> None:
        """End children that are over a limit, and processes that slipped away from theirs."""
        self._rounds += 1
        walk = not self._settings.namespaced and self._rounds % _WALK_EVERY == 0
        alone = self._settings.confined and not self._settings.policy.processes
        if walk and not alone:
            processes.sweep_orphans(self._jobs)
        for pid, job in self._jobs.items():
            most = 0 if alone else job.limits.processes
            tree = [pid, *(processes.descendants(pid, most=most) if most else [])]
            known = job.is_long
            excess = job.find_excess(tree, inherited_bytes=self._inherited_bytes, walk=walk)
            if job.is_long and not known:
                notices.announce_long(self._connection, job.id)
            if excess:
                job.over = job.over or excess
                self._kill(job)

    def _kill(self, job: Job) -> None:
        if self._settings.namespaced:
            os.kill(job.pid, signal.SIGKILL)
        else:
            processes.kill_tree(job.pid)


def main() -> None:
    """Take the settings from the connection, get ready, serve."""
    connection = socket.socket(fileno=int(sys.argv[1]))
    message = wire.receive(connection, descriptors=1)
    if message is None:
        return
    try:
        settings = settings_from_json(message.body)
        serve = _get_ready(settings, message.descriptors)
    except Exception as error:  # noqa: BLE001 - the process boundary
        traceback.print_exc()
        fault = f"{type(error).__name__}: {error}"
        wire.send(connection, wire.WireMessage({"fault": fault}))
        return
    wire.send(connection, wire.WireMessage({"ready": time.process_time()}))
    load_more(settings.kind)  # as a rule no child is requested yet
    Server(connection, settings, serve).run()
    os._exit(0)  # to take torch apart in good order takes as long as to judge a small kernel


def _get_ready(settings: WorkerSettings, descriptors: tuple[int, ...]) -> Serve:
    """Everything between start and the first fork."""
    if settings.namespaced:
        namespaces.enter(mapped=settings.identity == "mapped")
        root = str(Path(settings.private) / "root")
        Path(root).mkdir()
        private_root.build(root, settings.roots, settings.hidden)
        private_root.switch(root)
    if sys.platform == "linux":
        capabilities.adopt_orphans()
    serve = load(settings)
    if settings.policy.device or settings.kind == "ahead":  # others may be timed meanwhile
        reserved_cores.keep_away()
    if settings.warm_order:
        order, sink = descriptors[0], os.open(os.devnull, os.O_WRONLY)
        serve(order, sink)
    settle_memory()
    sys.stdout.flush()
    if sys.platform == "linux":
        capabilities.set_dumpable(False)
    return serve
