"""Gives up rights: capabilities, groups, user id, and inspection by other processes."""

import os
import signal
import struct

from . import libc

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_READ, _PR_CAPBSET_DROP = 1, 4, 23, 24
_PR_SET_CHILD_SUBREAPER, _PR_CAP_AMBIENT, _AMBIENT_CLEAR_ALL = 36, 47, 4
_CAPABILITY_VERSION_3 = 0x20080522
_MOST_CAPABILITIES = 64


def renounce(uid: int | None) -> None:
    """Become this user (None: keep the current one) and empty every capability set for good.

    The bounding set goes first: dropping from it needs a capability that the new user lacks.
    """
    libc.prctl("ambient", _PR_CAP_AMBIENT, _AMBIENT_CLEAR_ALL)
    for capability in range(_MOST_CAPABILITIES):
        if not _drop_from_bounding_set(capability):
            break
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = libc.buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0))
    libc.call("capset", header, libc.buffer(bytes(24)))


def die_with_parent() -> None:
    """Ask for SIGKILL when the parent ends; a later change of user id would cancel it."""
    libc.prctl("pdeathsig", _PR_SET_PDEATHSIG, int(signal.SIGKILL))


def set_dumpable(allowed: bool) -> None:
    """Whether processes of the same user may look into this one; `/proc/self` changes owner."""
    libc.prctl("dumpable", _PR_SET_DUMPABLE, int(allowed))


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    libc.prctl("subreaper", _PR_SET_CHILD_SUBREAPER, 1)


def _drop_from_bounding_set(capability: int) -> bool:
    """False once past the last capability of this kernel, or without the right to drop."""
    try:
        if libc.prctl("bounding set", _PR_CAPBSET_READ, capability):
            libc.prctl("bounding set", _PR_CAPBSET_DROP, capability)
    except OSError:
        return False
    return True
