"""Compiles references in the background, a few tasks at a time, before they are needed."""

import contextlib
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import torch

from kernelbenchx.catalog.digests import task_digest
from kernelbenchx.core.cache import cache_folder, own_folder
from kernelbenchx.core.performance import ReferenceCompilation
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.worker import reserved_cores

PATIENCE_S = 300.0
"""Limit for one task; one that takes longer is ended, and compiled when it is needed."""
_EDITION = 2
"""Version of the cached records; a record counts only for the same version. The first version took
library calls for compiled kernels."""
_END_S = 5.0


@dataclass
class ReferenceCompiler:
    """Processes that compile, one for each task that was not compiled on this machine before.

    Each belongs to a thread that waits for it: it ends with that thread.
    """

    device: str
    folder: Path
    environment: Mapping[str, str]
    most: int = field(default_factory=lambda: max(1, (os.cpu_count() or 1) // 2))
    patience_s: float = PATIENCE_S
    _found: dict[str, ReferenceCompilation] = field(default_factory=dict)
    _left: deque[str] = field(default_factory=deque)
    _expected: set[str] = field(default_factory=set)
    _running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)
    _threads: int = 0
    _quiet: bool = False
    _closed: bool = False
    _change: threading.Condition = field(default_factory=threading.Condition)

    @classmethod
    def for_device(cls, device: str) -> "ReferenceCompiler":
        """With a folder that stays for this device."""
        folder = kept_folder(compile_folder(device, os.environ))
        return cls(device, folder, compile_environment(folder, os.environ))

    def expect(self, tasks: Sequence[str]) -> None:
        """Begin with these; tasks announced before are not begun again."""
        with self._change:
            for name in tasks:
                if name in self._expected:
                    continue
                self._expected.add(name)
                kept = self._load_kept(name)
                if kept is None:
                    self._left.append(name)
                else:
                    self._found[name] = kept
            for _ in range(min(self.most - self._threads, len(self._left))):
                self._threads += 1
                threading.Thread(target=self._work, daemon=True).start()

    def wait(self, task: str) -> ReferenceCompilation | None:
        """The record of a task, None if there is none in time."""
        self.expect([task])
        with self._change:
            self._change.wait_for(
                lambda: task in self._found or self._closed, timeout=self.patience_s
            )
            if task not in self._found and task in self._running:
                self._running[task].kill()
            return self._found.get(task)

    @contextmanager
    def pause(self) -> Iterator[None]:
        """While this is open, nothing compiles: neither cores nor GPU are loaded by it."""
        self._set_paused(True)
        try:
            yield
        finally:
            self._set_paused(False)

    def records(self) -> list[ReferenceCompilation]:
        """What was compiled so far."""
        with self._change:
            return [self._found[name] for name in sorted(self._found)]

    def close(self) -> None:
        """End all of it."""
        with self._change:
            self._closed = True
            self._left.clear()
            for process in self._running.values():
                process.kill()
            self._change.notify_all()
            self._change.wait_for(lambda: not self._threads, timeout=_END_S)

    def _set_paused(self, quiet: bool) -> None:
        with self._change:
            self._quiet = quiet
            for process in self._running.values():
                process.send_signal(signal.SIGSTOP if quiet else signal.SIGCONT)
            self._change.notify_all()

    def _work(self) -> None:
        while (name := self._next()) is not None:
            found = self._wait_for_process(name)
            with self._change:
                self._running.pop(name, None)
                self._found[name] = found
                self._change.notify_all()
        with self._change:
            self._threads -= 1
            self._change.notify_all()

    def _next(self) -> str | None:
        with self._change:
            self._change.wait_for(lambda: not self._quiet or self._closed)
            if self._closed or not self._left:
                return None
            name = self._left.popleft()
            self._running[name] = self._start_process(name)
            return name

    def _start_process(self, name: str) -> "subprocess.Popen[bytes]":
        seed = secrets.randbits(31)  # other users can read it: it must not be the run's
        with reserved_cores.away():
            return subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "kernelbenchx.measure.compile_reference",
                    name,
                    self.device,
                    str(seed),
                ],
                env=dict(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )

    def _wait_for_process(self, name: str) -> ReferenceCompilation:
        said, _ = self._running[name].communicate()
        try:
            found = from_json(said.splitlines()[-1], ReferenceCompilation)
        except (IndexError, ValueError, msgspec.MsgspecError):
            ended = self._running[name].returncode
            error = f"the process that compiles ended with {ended}"
            return ReferenceCompilation(
                task=name, seconds=0.0, cases=0, fell_back=False, error=error
            )
        self._keep(found)
        return found

    def _file(self, name: str) -> Path:
        file = f"{name.replace('/', '.')}-{task_digest(name)[:16]}.json"
        return self.folder / f"tasks-{_EDITION}" / file

    def _load_kept(self, name: str) -> ReferenceCompilation | None:
        try:
            found = from_json(self._file(name).read_bytes(), ReferenceCompilation)
        except (OSError, ValueError, LookupError, msgspec.MsgspecError):
            return None
        return msgspec.structs.replace(found, seconds=0.0, kept=True)

    def _keep(self, found: ReferenceCompilation) -> None:
        """Write atomically; a failed task is tried again in the next run."""
        if found.error:
            return
        with contextlib.suppress(OSError):
            path = self._file(found.task)
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(to_json(found))
            Path(file.name).replace(path)


def compile_folder(device: str, environment: Mapping[str, str]) -> Path:
    """The folder for torch's compiled code: one per torch version and GPU.

    Its content is loaded without checks: processes with a submission in them never learn its path.
    """
    where = torch.device(device)
    card = torch.cuda.get_device_name(where) if where.type == "cuda" else "host"
    name = re.sub(r"[^A-Za-z0-9.+-]", "_", f"{card}-torch-{torch.__version__}")
    return cache_folder(environment) / "compiled" / name


def kept_folder(wanted: Path) -> Path:
    """The folder, or a new one if others could write there, or this process cannot.

    Torch's default has a name that any user of the machine can predict.
    """
    return own_folder(wanted) or Path(tempfile.mkdtemp(prefix="kernelbenchx-compiled-"))


def compile_environment(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """For processes that compile: caches in this folder, and no additional compile processes."""
    return {
        **environment,
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
        "TRITON_CACHE_DIR": str(folder / "triton"),
        "TORCHINDUCTOR_FX_GRAPH_CACHE": "1",
        "TORCHINDUCTOR_AUTOGRAD_CACHE": "1",
    }
