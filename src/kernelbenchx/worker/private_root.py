"""A root folder that holds only what a child needs, read-only, built from bind mounts."""

import os
import stat
import struct
from pathlib import Path

from . import libc
from .namespaces import MS_BIND, MS_NODEV, MS_NOSUID, MS_RDONLY, MS_REC, MS_REMOUNT, mount

_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
_MNT_DETACH = 2
# An installation for one user only is opened folder by folder, but not down to every file.
_DEEPEST_REBUILT = 3

PRIVATE = "/kbx"
"""Where a child may write. Not `/tmp`: an installation may lie there, and would be covered."""

DEVICES = ("null", "zero", "full", "random", "urandom")


def build(at: str, roots: tuple[str, ...], hidden: tuple[str, ...]) -> None:
    """Assemble the new root below `at`: parents of a root are rebuilt so that all may pass."""
    os.umask(0o022)
    mount("tmpfs", at, "tmpfs", MS_NOSUID, "size=16m,mode=755")
    real = [root for root in roots if not Path(root).is_symlink()]
    for root in sorted(real):
        _bring(root, at, depth=0)
    for name in DEVICES:
        _bind(f"/dev/{name}", f"{at}/dev/{name}", _ATTR_RDONLY | _ATTR_NOSUID)
    for link in sorted(set(roots) - set(real)):
        _copy_link(link, at)
    for path in hidden:
        _mask(at + path)
    _furnish(Path(at))


def switch(at: str) -> None:
    """Make `at` the root of this mount namespace and let go of the old one."""
    mount("proc", f"{at}/proc", "proc", MS_NOSUID | MS_NODEV)
    mount("tmpfs", at + PRIVATE, "tmpfs", MS_NOSUID | MS_NODEV, "size=256m,mode=1777")
    mount(None, at, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID)
    os.chdir(at)
    libc.call("pivot_root", b".", b".")
    libc.call("umount2", b".", _MNT_DETACH)
    os.chdir(PRIVATE)


def _bring(root: str, at: str, *, depth: int) -> None:
    """Bind a file or folder; one that only its owner may enter is rebuilt around its entries."""
    target = at + root
    try:
        mode = Path(root).stat().st_mode
    except FileNotFoundError:
        return
    if Path(target).exists():
        return
    if Path(root).is_symlink():
        _copy_link(root, at)
    elif stat.S_ISDIR(mode) and mode & 0o005 != 0o005 and depth < _DEEPEST_REBUILT:
        Path(target).mkdir(parents=True)
        for entry in sorted(Path(root).iterdir()):
            _bring(str(entry), at, depth=depth + 1)
    else:
        extra = 0 if root.startswith("/dev/") else _ATTR_NODEV
        _bind(root, target, _ATTR_RDONLY | _ATTR_NOSUID | extra)


def _bind(source: str, target: str, attributes: int) -> None:
    destination = Path(target)
    destination.parent.mkdir(parents=True, exist_ok=True)
    if Path(source).is_dir():
        destination.mkdir(exist_ok=True)
    else:
        destination.touch()
    mount(source, target, None, MS_BIND | MS_REC)
    wanted = libc.buffer(struct.pack("=QQQQ", attributes, 0, 0, 0))
    path = target.encode()
    try:
        libc.syscall(
            "mount_setattr", _MOUNT_SETATTR, _AT_FDCWD, path, _AT_RECURSIVE, wanted, len(wanted)
        )
    except OSError:
        # Older kernels: the flags have the same numbers, but reach the top mount only.
        mount(None, target, None, MS_REMOUNT | MS_BIND | attributes)


def _copy_link(link: str, at: str) -> None:
    copy = Path(at + link)
    if not os.path.lexists(copy):
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.symlink_to(Path(link).readlink())


def _mask(target: str) -> None:
    if Path(target).is_dir():
        mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, "size=4k,mode=555")
    elif Path(target).exists():
        mount("/dev/null", target, None, MS_BIND)


def _furnish(root: Path) -> None:
    """The folders and files that programs expect to find."""
    for name in ("proc", "etc", "dev", PRIVATE.lstrip("/")):
        (root / name).mkdir(exist_ok=True)
    for name in ("tmp", "dev/shm"):
        if not (root / name).exists():
            (root / name).symlink_to(PRIVATE)
    (root / "etc/passwd").write_text(
        "root:x:0:0::/:/bin/false\nnobody:x:65534:65534::/:/bin/false\n"
    )
    (root / "etc/group").write_text("root:x:0:\nnobody:x:65534:\n")
