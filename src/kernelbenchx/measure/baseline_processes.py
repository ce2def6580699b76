"""Warm processes that run references: two of each kind, started once, replaced when they end."""

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed
from kernelbenchx.worker import reserved_cores
from kernelbenchx.worker.timing.layout import Layout

PAIRS = 2
_COMPILE_S = 300.0
_OVERRIDES = frozenset(
    ("TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "NVIDIA_TF32_OVERRIDE", "CUDA_LAUNCH_BLOCKING")
)
"""Variables by which a user's shell would change precision, or make every launch wait."""
_COPIES, _PART = 8, 2
"""Slots exist once in every runner, and about so often beside them: inputs that are drawn, those of
the block before, sampled outputs and copies of them. Together they get this part of the GPU: the
rest is for what calls need, and for submissions that are checked."""


def without_overrides(environment: Mapping[str, str]) -> dict[str, str]:
    """For processes that are timed or judge: what a task declares is not overridden by a shell."""
    return {name: value for name, value in environment.items() if name not in _OVERRIDES}


@dataclass
class BaselineProcesses:
    """Baselines of one device."""

    device: str
    kinds: tuple[str, ...]
    environment: Mapping[str, str] | None = None
    """For processes that compile: where they store the result."""
    _runners: dict[str, list[RunnerClient]] = field(default_factory=dict)
    _processes: dict[tuple[str, int], subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self) -> None:
        """Start them all without waiting until they are ready."""
        for kind in self.kinds:
            self._runners[kind] = [self._start_process(kind, number) for number in range(PAIRS)]

    def runners(self) -> dict[str, list[RunnerClient]]:
        """Two running processes of each kind."""
        for kind in self.kinds:
            pair = self._runners.setdefault(kind, [])
            for number in range(PAIRS):
                if number >= len(pair):
                    pair.append(self._start_process(kind, number))
                elif not pair[number].is_alive():
                    pair[number].close()
                    self._end(kind, number)  # one that hangs would keep using the device
                    pair[number] = self._start_process(kind, number)
        return self._runners

    def processes(self) -> list[int]:
        """Their process ids."""
        return [process.pid for process in self._processes.values()]

    def prepare(self, kind: str, task: str, forms: Sequence[Layout]) -> None:
        """Let a pair compile, both in parallel, what calls of these forms need.

        An error here is raised again when it matters: these calls are on zeros.
        """
        pair = self.runners()[kind]
        with ThreadPoolExecutor(len(pair)) as pool:
            for runner in pair:
                pool.submit(_prepare_runner, runner, task, forms)

    def close(self) -> None:
        """End them all."""
        for pair in self._runners.values():
            for runner in pair:
                runner.close()
        for process in self._processes.values():
            process.kill()  # killed, because a normal exit would clean up all of torch
        for kind, number in list(self._processes):
            self._end(kind, number)
        self._runners.clear()

    def _end(self, kind: str, number: int) -> None:
        process = self._processes.pop((kind, number))
        process.kill()
        process.wait()

    def _start_process(self, kind: str, number: int) -> RunnerClient:
        ours, theirs = socket.socketpair()
        own = self.environment
        with theirs, reserved_cores.away():
            command = [sys.executable, "-m", "kernelbenchx.measure.baseline"]
            self._processes[kind, number] = subprocess.Popen(
                [*command, str(theirs.fileno()), kind, self.device],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=without_overrides(own if kind == "compile" and own else os.environ),
            )
        return RunnerClient(f"{kind} {number}", ours, self.device, trusted=True)


def _prepare_runner(runner: RunnerClient, task: str, forms: Sequence[Layout]) -> None:
    with contextlib.suppress(RunnerFailed):
        runner.ask({"op": "load", "plan": {"task": task}}, 60.0)
    for form in forms:
        with contextlib.suppress(RunnerFailed):
            runner.prepare(form, _COMPILE_S)


def compute_room(free: int, baselines: int) -> int:
    """Of the GPU's free memory, for the slots of one of the processes around a submission."""
    runners = PAIRS * (2 + baselines)  # entries, replays
    return free // (_PART * (runners + _COPIES))
