"""Runs of kbx that use a GPU: each has a locked file, so that its idle processes are known.

A file whose lock is free was left by a process that died, and is removed.
"""

import contextlib
import fcntl
import json
import os
import secrets
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

_VARIABLE, _DEFAULT = "KBX_GPU_LOCKS", "/tmp/kernelbenchx-gpus"
_MOST_BYTES = 4096


def lock_folder() -> Path:
    """The same for all processes of the machine: not below `TMPDIR`, which Slurm sets per job."""
    folder = Path(os.environ.get(_VARIABLE) or _DEFAULT)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True)
        folder.chmod(0o1777)  # as /tmp: all may add files, and remove only their own
    return folder


@dataclass(frozen=True)
class GpuUser:
    """A kbx process and its run."""

    pid: int
    run: str
    namespace: str
    """Namespace of process ids: in another one the number means another process."""

    @classmethod
    def here(cls, run: str) -> "GpuUser":
        """This process."""
        return cls(os.getpid(), run, _namespace())

    @property
    def words(self) -> str:
        """The process in words, for the one that waits for it."""
        return f"pid {self.pid}" + (f" ({self.run})" if self.run else "")

    @property
    def lives(self) -> bool:
        """Whether the process is alive, as far as it can be seen from here."""
        return self.namespace != _namespace() or Path(f"/proc/{self.pid}").exists()

    def to_bytes(self) -> bytes:
        """The content of a lock file."""
        return json.dumps(asdict(self)).encode()


class Registration:
    """A locked file for as long as this run uses the GPU."""

    def __init__(self, uuid: str, run: str, folder: Path) -> None:
        name = f"GPU-{uuid}.{os.getpid()}.{secrets.token_hex(4)}"
        self._path = folder / f"{name}.user"
        hidden = folder / f".{name}"
        self._descriptor = -1
        with contextlib.suppress(OSError):  # then its idle workers are foreign to others
            folder.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self._descriptor = os.open(hidden, flags, 0o644)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
            os.write(self._descriptor, GpuUser.here(run).to_bytes())
            hidden.rename(self._path)  # locked before it has its name: never abandoned

    def close(self) -> None:
        """Remove the file: the GPU is not used any more."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1


def live_users(uuid: str, folder: Path | None = None) -> list[GpuUser]:
    """Runs of this user, or of root, that use the GPU now; files of dead ones are removed.

    Files of another user do not count: its processes are foreign.
    """
    found = []
    for path in sorted((folder or lock_folder()).glob(f"GPU-{uuid}.*.user")):
        if _is_left_behind(path):
            with contextlib.suppress(OSError):
                path.unlink()
        elif (one := user_of(path, trusted=True)) is not None and one.namespace == _namespace():
            found.append(one)
    return found


def user_of(path: Path, *, trusted: bool = False) -> GpuUser | None:
    """The user that a lock file names; None where it is empty, or not trusted as it must be."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        seen = os.fstat(descriptor)
        if not stat.S_ISREG(seen.st_mode) or (trusted and seen.st_uid not in _trusted_users()):
            return None
        said = json.loads(os.read(descriptor, _MOST_BYTES))
        return GpuUser(int(said["pid"]), _printable(said["run"]), str(said["namespace"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    finally:
        os.close(descriptor)


def _printable(text: object) -> str:
    """A printable text: another user may have written it, and it is shown on a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in str(text))[:200]


def _is_left_behind(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _trusted_users() -> tuple[int, ...]:
    return 0, os.geteuid()


def _namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
