"""Landlock: this process may open only what it was granted; needs no privilege."""

import os
import stat
import struct
from collections.abc import Iterable
from enum import IntFlag

from . import libc
from .seccomp import forbid_new_privileges

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_RULE_PATH_BENEATH = 1


class FileRight(IntFlag):
    """File rights in the kernel's own numbering."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15


READ = FileRight.EXECUTE | FileRight.READ_FILE | FileRight.READ_DIR
LIST = FileRight.READ_DIR
DEVICE = FileRight.READ_FILE | FileRight.WRITE_FILE | FileRight.IOCTL_DEV
WRITE = (
    READ
    | FileRight.WRITE_FILE
    | FileRight.REMOVE_DIR
    | FileRight.REMOVE_FILE
    | FileRight.MAKE_DIR
    | FileRight.MAKE_REG
    | FileRight.MAKE_SOCK
    | FileRight.MAKE_FIFO
    | FileRight.MAKE_SYM
    | FileRight.REFER
    | FileRight.TRUNCATE
)
_FOR_FILES = DEVICE | FileRight.EXECUTE | FileRight.TRUNCATE

Grant = tuple[str, FileRight]


def abi() -> int:
    """The kernel's version of Landlock; 0 where there is none."""
    try:
        return libc.syscall("landlock", _CREATE_RULESET, None, 0, _ASK_VERSION)
    except OSError:
        return 0


def restrict(grants: Iterable[Grant]) -> None:
    """Refuse this process, for good, every path not granted, TCP, and signals to outside."""
    version = abi()
    handled = _mask_rights(version)
    network = 3 if version >= 4 else 0
    scoped = 3 if version >= 6 else 0
    attributes = struct.pack("=QQQ", handled, network, scoped)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = libc.syscall("landlock", _CREATE_RULESET, libc.buffer(attributes), size, 0)
    try:
        for path, access in grants:
            _add(ruleset, path, access & handled)
        forbid_new_privileges()
        libc.syscall("landlock_restrict_self", _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _mask_rights(version: int) -> int:
    """Every file right that this version knows, so that what is not granted is refused."""
    known = 13 + (version >= 2) + (version >= 3) + (version >= 5)
    return (1 << known) - 1


def _add(ruleset: int, path: str, access: int) -> None:
    """Grant a path; one that does not exist needs no grant."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            access &= _FOR_FILES
        rule = libc.buffer(struct.pack("=Qi", access, descriptor))
        libc.syscall(f"landlock {path}", _ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)
