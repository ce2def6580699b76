"""Confines a child between fork and untrusted code: from here on, rights are only given up."""

import fcntl
import os
import select
import signal
import socket
from dataclasses import dataclass
from pathlib import Path

from . import capabilities, landlock, namespaces, seccomp
from .grants import own_process
from .limits import Limits, apply_rlimits
from .settings import WorkerSettings

ORDER, RESULT, STATUS, CHANNEL = 3, 4, 5, 6
_FIRST_FREE = 7
_OUT_OF_THE_WAY = 64
_CLOSE_UP_TO = 1 << 16


@dataclass(frozen=True)
class ChildSandbox:
    """One child's sandbox: its folder and the user it becomes."""

    folder: str
    uid: int | None
    grants: tuple[landlock.Grant, ...]


@dataclass(frozen=True)
class Pipes:
    """The descriptors that a child keeps."""

    order: int
    result: int
    log: int
    status: int
    channel: int | None = None
    """A connected stream socket, for children that exchange messages while they run."""


def confine(settings: WorkerSettings, limits: Limits, place: ChildSandbox) -> None:
    """Apply every protection of the level; an exception means that nothing may run."""
    linux = Path("/proc/self/statm").exists()
    if linux:
        _be_first_to_go()
    if settings.namespaced:
        mapped = settings.identity == "mapped"
        device = settings.policy.device
        namespaces.isolate(limits, folder=place.folder, mapped=mapped, device=device)
    own_uid = settings.namespaced and settings.identity != "same"
    apply_rlimits(limits, settings.policy, own_uid=own_uid)
    if settings.confined:
        capabilities.renounce(place.uid)
    if linux:
        capabilities.die_with_parent()
        _stop_if_parent_is_gone()
    if settings.confined:
        capabilities.set_dumpable(False)
        if landlock.abi():
            landlock.restrict([*place.grants, *own_process(settings, place.folder)])
        seccomp.install(settings.policy, namespaced=settings.namespaced)


def keep_only(pipes: Pipes) -> None:
    """Put each pipe at its fixed number, the log at 1 and 2; close everything else."""
    null = os.open(os.devnull, os.O_RDONLY)
    wanted = {0: null, 1: pipes.log, 2: pipes.log, ORDER: pipes.order, RESULT: pipes.result}
    wanted[STATUS] = pipes.status
    if pipes.channel is not None:
        wanted[CHANNEL] = pipes.channel
    # Away from the numbers that are about to be overwritten.
    moved = {number: _move_descriptor(descriptor) for number, descriptor in wanted.items()}
    for number, descriptor in moved.items():
        os.dup2(descriptor, number, inheritable=number <= 2)
    os.closerange(_FIRST_FREE if pipes.channel is not None else CHANNEL, _CLOSE_UP_TO)


def channel() -> socket.socket | None:
    """The child's channel, or None; ask before anything is opened that could take its number."""
    try:
        return socket.socket(fileno=CHANNEL)
    except OSError:
        return None


def forget_signals() -> None:
    """Undo the signal handling that the zygote set up for itself."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()


def settle(folder: str) -> None:
    """Make the child's folder its home, temporary folder and cache."""
    os.environ.update(HOME=folder, TMPDIR=folder, TRITON_CACHE_DIR=f"{folder}/triton")
    os.chdir(folder)


def _move_descriptor(descriptor: int) -> int:
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY)


def _be_first_to_go() -> None:
    """Make the kernel end this process first when memory runs out."""
    capabilities.set_dumpable(True)
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        return


def _stop_if_parent_is_gone() -> None:
    """The parent may have ended before we asked to end with it: then the log has no reader."""
    poll = select.poll()
    poll.register(1, 0)
    if any(event & select.POLLERR for _, event in poll.poll(0)):
        os._exit(1)
