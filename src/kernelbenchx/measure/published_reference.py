"""Runs published tests with their references, in a trusted process that does nothing else.

Its torch is in its initial state: no flag is set, and no other work draws from its generators.
Started by `ReferenceProcess`; `python -m kernelbenchx.measure.published_reference DESCRIPTOR`
serves it.
"""

import os
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

import torch

from kernelbenchx.catalog.published_tests import published_test
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.judge.published_reference import published_reference
from kernelbenchx.measure.baseline_processes import without_overrides
from kernelbenchx.measure.evaluator_watch import end_with_evaluator, exit_silently_on_interrupt
from kernelbenchx.measure.process_control import wait_or_kill
from kernelbenchx.runner import bytecode
from kernelbenchx.worker import wire
from kernelbenchx.worker.frames import pack
from kernelbenchx.worker.published_program import seed_all
from kernelbenchx.worker.published_test import results_frame

_MOST_S, _END_S = 600.0, 10.0


class NoReference(EvaluatorFault):
    """The reference itself raised: the published test says nothing on this machine."""


def reference_results(task: str, device: str) -> bytes:
    """Compute the published test with eager torch, in a worker's format."""
    test, reference = published_test(task), published_reference(task)
    if test is None or reference is None:
        raise EvaluatorFault(f"{task} has no published test")
    seed_all()
    frame = results_frame(test.program, reference, device)
    return frame + pack({"kind": "done"})


@dataclass
class ReferenceProcess:
    """The process of one device, started by the first request; thread-safe."""

    device: str
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _process: "subprocess.Popen[bytes] | None" = None
    _connection: socket.socket | None = None

    def write(self, task: str, path: Path) -> None:
        """Write the results of the reference to a file."""
        with self._lock:
            answer = self._ask({"task": task, "path": str(path)})
        if "raised" in answer.header:
            raise NoReference(f"the reference itself raised: {answer.header['raised']}")

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            wait_or_kill(self._process, _END_S)
        self._connection = self._process = None

    def _ask(self, header: dict[str, str]) -> wire.WireMessage:
        connection = self._ensure_started()
        try:
            wire.send(connection, wire.WireMessage(header))
            answer = wire.receive(connection)
        except (OSError, ValueError) as error:
            self._end()
            raise EvaluatorFault(f"the reference process failed: {error}") from error
        if answer is None:
            self._end()
            raise EvaluatorFault("the reference process ended unexpectedly")
        return answer

    def _ensure_started(self) -> socket.socket:
        if self._connection is not None:
            return self._connection
        self._connection, theirs = socket.socketpair()
        self._connection.settimeout(_MOST_S)
        with theirs:
            number = str(theirs.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, number, self.device],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=bytecode.environment(bytecode.folder(), without_overrides(os.environ)),
            )
        return self._connection


def serve(connection: socket.socket, device: str) -> None:
    """Write one file for every request, until the evaluator closes the connection."""
    while (request := wire.receive(connection)) is not None:
        try:
            Path(request.header["path"]).write_bytes(
                reference_results(request.header["task"], device)
            )
            answer = {"ok": "written"}
        except Exception as error:  # noqa: BLE001 - a border: reported to the evaluator
            answer = {"raised": f"{type(error).__name__}: {error}"[:300]}
        wire.send(connection, wire.WireMessage(answer))
        if device.startswith("cuda"):
            torch.cuda.empty_cache()


def main() -> None:
    """Serve until the connection is closed."""
    exit_silently_on_interrupt()
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        end_with_evaluator(connection)
        if sys.argv[2].startswith("cuda"):
            torch.cuda.set_device(torch.device(sys.argv[2]))
        serve(connection, sys.argv[2])


if __name__ == "__main__":
    main()
