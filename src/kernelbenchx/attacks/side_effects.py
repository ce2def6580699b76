"""What is watched around each attack: files, processes, ports and secrets that must stay alone."""

import contextlib
import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import kernelbenchx
from kernelbenchx.attacks.decoys import Bystander, Listeners
from kernelbenchx.attacks.fake_cluster import FakeCluster
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.record import to_plain
from kernelbenchx.runner.readable_paths import site_folders
from kernelbenchx.worker.processes import descendants

LOOT = "kbx_loot"
"""Every file that an attack leaves outside its own folder has this in its name."""
SURVIVOR = "kbx-survivor"
"""The name that a process takes which an attack leaves behind."""


class SideEffectMonitor:
    """Set up around a whole run; `harm` is asked after each attack and puts things right again."""

    def __enter__(self) -> "SideEffectMonitor":
        self._lock = exclusive()
        self._lock.__enter__()
        self._folder = Path(tempfile.mkdtemp(prefix="kbx-arena-"))
        self._answers = self._folder / "answers.txt"
        self._written = secrets.token_hex(16)
        self._answers.write_text(self._written)
        self._cluster = FakeCluster(self._folder)
        self._bystander = Bystander()
        self._listeners = Listeners()
        self._packages = _packages()
        list(_clean())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listeners.close()
        self._bystander.close()
        self._cluster.close()
        shutil.rmtree(self._folder)
        self._lock.__exit__(None, None, None)

    def harm(self, evaluation: Evaluation | None, parents: dict[int, frozenset[int]]) -> list[str]:
        """Everything that is not as it was; `parents`: warm workers with their earlier children."""
        found = [f"a file was left: {path}" for path in _clean()]
        found += self._changed_files()
        found += [*self._listeners.drain_contacts(), *self._cluster.drain_contacts()]
        found += _left_running(parents)
        if self._bystander.restart_if_ended():
            found.append("a process that had nothing to do with it was ended")
        if evaluation is not None:
            found += self._leaks(evaluation)
        return found

    def _changed_files(self) -> Iterator[str]:
        if not self._answers.exists() or self._answers.read_text() != self._written:
            yield "a file of the judge was changed"
            self._answers.write_text(self._written)
        now = _packages()
        for name in sorted(set(now.items()) ^ set(self._packages.items())):
            yield f"the installed packages changed: {name[0]}"
        self._packages = now

    def _leaks(self, evaluation: Evaluation) -> Iterator[str]:
        texts = list(_texts(to_plain(evaluation)))
        for secret in (self._bystander.secret, self._written, self._cluster.secret):
            if any(secret in text for text in texts):
                yield "a secret was read"
        if any(not _is_plain(text) for text in texts):
            yield "the record holds characters that would steer a terminal"


def running(pids: Iterable[int]) -> dict[int, frozenset[int]]:
    """Warm workers with all processes below them."""
    return {pid: frozenset(descendants(pid, most=1000)) for pid in pids}


def _left_running(parents: dict[int, frozenset[int]]) -> Iterator[str]:
    for pid, before in parents.items():
        if not Path(f"/proc/{pid}").exists():
            yield "a warm worker process ended"
        elif more := frozenset(descendants(pid, most=1000)) - before:
            yield f"{len(more)} processes are still running"
    for comm in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            if comm.read_text().strip() == SURVIVOR:
                yield "a process outlived its worker"


def _clean() -> Iterator[Path]:
    """Loot wherever an attack might have left it; each piece is removed."""
    for path in sorted(set(_loot())):
        with contextlib.suppress(OSError):
            path.unlink()
        yield path


def _loot() -> Iterator[Path]:
    temporary = {Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp"), Path("/dev/shm")}
    for folder in temporary:
        for pattern in (f"*{LOOT}*", f"kbx-*/*{LOOT}*", f"kbx-*/lib/*{LOOT}*"):
            yield from _glob_quietly(folder, pattern)
    for folder in (Path.home(), Path.home() / ".triton" / "cache", Path.cwd()):
        yield from _glob_quietly(folder, f"*{LOOT}*")
    for site in site_folders():
        yield from _glob_quietly(Path(site), f"*{LOOT}*")
    package = Path(kernelbenchx.__file__).parent
    yield from _glob_quietly(package, f"**/*{LOOT}*")


def _glob_quietly(folder: Path, pattern: str) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from folder.glob(pattern)


def _packages() -> dict[str, int]:
    """Top level of the installed packages: names, and when start files were written."""
    found: dict[str, int] = {}
    for site in site_folders():
        for path in _glob_quietly(Path(site), "*"):
            if path.name != "__pycache__":
                found[str(path)] = path.stat().st_mtime_ns if path.suffix == ".pth" else 0
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _is_plain(text: str) -> bool:
    return all(one in "\n\t" or not (ord(one) < 32 or 127 <= ord(one) < 160) for one in text)


@contextlib.contextmanager
def exclusive() -> Iterator[None]:
    """Two runs at once would take each other's loot for their own: the second waits."""
    path = Path(tempfile.gettempdir()) / "kbx-arena.lock"
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except PermissionError:  # another user's, in a folder for all
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
