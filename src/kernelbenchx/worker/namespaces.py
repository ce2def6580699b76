"""Namespaces: the zygote gets its own view of the machine, each child one of its own."""

import os
from pathlib import Path

from . import libc
from .capabilities import die_with_parent
from .limits import Limits

_NEWNS, _NEWUTS, _NEWIPC = 0x20000, 0x4000000, 0x8000000
_NEWUSER, _NEWPID, _NEWNET = 0x10000000, 0x20000000, 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18

_INSIDE_UID = 65534


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mount; the message of a failure names the target."""
    encoded = [None if text is None else text.encode() for text in (source, target, kind)]
    try:
        libc.call("mount", *encoded, flags, data.encode() or None)
    except OSError as error:
        raise OSError(error.errno, f"mount {target}: {os.strerror(error.errno or 0)}") from None


def enter(*, mapped: bool) -> None:
    """Move this process into namespaces of its own, as their first process.

    Returns in the inner process only; the outer one waits for it and ends as it ended. When either
    dies, the kernel ends everything inside.
    """
    if mapped:
        enter_user_namespace()
    libc.call("unshare", _NEWNS | _NEWPID | _NEWIPC | _NEWUTS | _NEWNET)
    inner = os.fork()
    if inner:
        os.closerange(3, 4096)
        _, status = os.waitpid(inner, 0)
        os._exit(0 if status == 0 else 1)
    die_with_parent()
    mount(None, "/", None, MS_REC | MS_PRIVATE)


def enter_user_namespace() -> None:
    """Map this user alone, under another number; grants rights inside only."""
    uid, gid = os.geteuid(), os.getegid()
    libc.call("unshare", _NEWUSER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{_INSIDE_UID} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{_INSIDE_UID} {gid} 1")


def fork_as_init(own_namespace: int) -> int:
    """Fork a child that is the first process of a new PID namespace: its end ends all inside.

    `own_namespace` is a descriptor of this process's PID namespace. Going back to it first lets one
    parent do this again and again without a process in between.
    """
    libc.call("setns", own_namespace, _NEWPID)
    libc.call("unshare", _NEWPID)
    return os.fork()


def isolate(limits: Limits, *, folder: str, mapped: bool, device: bool) -> None:
    """Give this child its own mounts, network, IPC, names; a capped folder, a fresh `/proc`."""
    libc.call("unshare", _NEWNS | _NEWIPC | _NEWUTS | _NEWNET)
    size = f"size={limits.scratch_bytes},nr_inodes={limits.scratch_files},mode=1777"
    mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, size)
    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC
    # A mapped child still has to write its own map there; the GPU's driver names its threads.
    mount("proc", "/proc", "proc", flags if mapped or device else flags | MS_RDONLY)
    if mapped:
        # A second user namespace: process limits are counted per namespace.
        enter_user_namespace()
