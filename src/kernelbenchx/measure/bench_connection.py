"""The evaluator's connection to a bench: one process per device, started when first needed."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.performance import Performance, ReferenceCompilation
from kernelbenchx.core.record import from_json
from kernelbenchx.core.rules import KernelBenchRule
from kernelbenchx.core.settings import OURS
from kernelbenchx.measure.baseline_processes import without_overrides
from kernelbenchx.measure.bench_server import MOST_BYTES
from kernelbenchx.measure.case_timing import ReplayFailure
from kernelbenchx.measure.process_control import wait_or_kill
from kernelbenchx.runner import bytecode
from kernelbenchx.runner.gpu_lease import GpuLease
from kernelbenchx.worker import wire
from kernelbenchx.worker.timing.layout import Layout

_START_S, _LAYOUTS_S, _TIME_S, _END_S = 300.0, 300.0, 900.0, 10.0
_COMPILE_S = 1800.0
"""Time limit for the forms of a task whose reference is compiled first."""


@dataclass
class BenchConnection:
    """Requests of several threads, one after another; a bench that ended is started again."""

    device: str
    seed: int
    baselines: tuple[str, ...]
    sizes: str = OURS
    isolation: str = "auto"
    """Isolation of published problems: their files are untrusted."""
    lease: GpuLease = field(default_factory=lambda: GpuLease(""))
    """Taken before the bench: a thread that has the GPU alone may wait for the bench."""
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _process: "subprocess.Popen[bytes] | None" = None
    _connection: socket.socket | None = None
    _layouts: dict[str, list[Layout]] = field(default_factory=dict)

    def layouts(self, task: str) -> list[Layout]:
        """The form of every timing case of a task; cached, so that later calls do not wait."""
        if task in self._layouts:
            return self._layouts[task]
        with self.lease.share(), self._lock:
            if task not in self._layouts:
                limit_s = _COMPILE_S if self._compiles else _LAYOUTS_S
                answer = self._ask({"op": "layouts", "task": task}, limit_s)
                lines = answer.body.decode().splitlines()
                self._layouts[task] = [Layout.from_json(line) for line in lines]
            return self._layouts[task]

    def expect(self, tasks: Sequence[str]) -> None:
        """Announce tasks: their references are compiled in the background."""
        if self._compiles:
            with self.lease.share(), self._lock:
                self._ask({"op": "expect", "tasks": list(tasks)}, _LAYOUTS_S)

    def measure_peaks(self) -> None:
        """Measure what the GPU can do, unless that is known; the caller must hold the GPU alone."""
        with self._lock:
            self._ask({"op": "peaks"}, _START_S)

    def list_compilations(self) -> list[ReferenceCompilation]:
        """What compiling references took; empty without the baseline `compile`."""
        with self._lock:
            if not self._compiles or self._connection is None:
                return []
            answer = self._ask({"op": "compiled"}, _LAYOUTS_S)
        return from_json(answer.body, list[ReferenceCompilation])

    @property
    def _compiles(self) -> bool:
        return "compile" in self.baselines

    def time(  # noqa: PLR0913 - as many as the message has parts
        self,
        task: str,
        entries: tuple[tuple[int, int], ...],
        replays: tuple[int, ...],
        obstacle: str = "",
        digest: str = "",
        core_only: bool = False,
        dtype: str = "",
    ) -> Performance | ReplayFailure:
        """Time a submission whose runners listen at the other ends of these descriptors.

        An entry is a channel and the pidfd by which it is stopped, -1 if it has none. `obstacle`:
        why there are no replays. `digest`: of the submission, whose inputs are its own.
        `core_only`: on the cases that ask for core alone and whose answers are right, in one dtype
        if one is named.
        """
        stopped = [number for number, (_, process) in enumerate(entries) if process >= 0]
        header: dict[str, object] = {
            "op": "time",
            "task": task,
            "entries": len(entries),
            "replays": len(replays),
            "stopped": stopped,
            "obstacle": obstacle,
            "digest": digest,
            "core_only": core_only,
            "dtype": dtype,
        }
        channels = [channel for channel, _ in entries]
        processes = [entries[number][1] for number in stopped]
        with self._lock:
            answer = self._ask(header, _TIME_S, (*channels, *replays, *processes))
        if "obstacle" in answer.header:
            return ReplayFailure(str(answer.header["obstacle"]), bool(answer.header["refused"]))
        return from_json(answer.body, Performance)  # type: ignore[arg-type]

    def judge_by_rule(
        self, task: str, entry: tuple[int, int], digest: str, limit_s: float
    ) -> KernelBenchRule:
        """Apply KernelBench's rule to one call at the published size, within a time limit.

        `entry` is a channel and a pidfd, as for times. Raises if the result cannot be known.
        """
        channel, process = entry
        stopped = process >= 0
        header: dict[str, object] = {
            "op": "rule",
            "task": task,
            "entries": 1,
            "replays": 0,
            "stopped": [0] if stopped else [],
            "digest": digest,
            "limit_s": limit_s,
        }
        with self._lock:
            answer = self._ask(header, _TIME_S, (channel, process) if stopped else (channel,))
        return from_json(answer.body, KernelBenchRule)

    def close(self) -> None:
        """End the bench and its references."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            if self._process is not None:
                wait_or_kill(self._process, _END_S)
            self._connection = self._process = None

    def start(self) -> None:
        """Start it now, so that the first submission does not wait for it."""
        with self._lock:
            self._ensure_started()

    def _ask(
        self, header: dict[str, object], limit_s: float, descriptors: tuple[int, ...] = ()
    ) -> wire.WireMessage:
        connection = self._ensure_started()
        connection.settimeout(limit_s)
        try:
            wire.send(connection, wire.WireMessage(header, b"", descriptors))
            answer = wire.receive(connection, MOST_BYTES)
        except (OSError, ValueError) as error:
            self.close()
            raise EvaluatorFault(f"the bench failed: {type(error).__name__}: {error}") from error
        if answer is None:
            self.close()
            raise EvaluatorFault("the bench ended unexpectedly")
        if "fault" in answer.header:
            raise EvaluatorFault(f"the bench: {answer.header['fault']}")
        return answer

    def _ensure_started(self) -> socket.socket:
        if self._connection is not None:
            return self._connection
        self._connection, theirs = socket.socketpair()
        with theirs:
            command = [
                sys.executable,
                "-m",
                "kernelbenchx.measure.bench_server",
                str(theirs.fileno()),
            ]
            self._process = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=bytecode.environment(bytecode.folder(), without_overrides(os.environ)),
            )
        start = {
            "op": "start",
            "device": self.device,
            "seed": self.seed,
            "baselines": list(self.baselines),
            "sizes": self.sizes,
            "isolation": self.isolation,
        }
        try:
            self._ask(start, _START_S)
        except EvaluatorFault:
            self.close()  # the next request tries again
            raise
        return self._connection
