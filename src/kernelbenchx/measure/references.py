"""Warm processes that run references: two of each kind, started once, replaced when they die."""

import socket
import subprocess
import sys
from dataclasses import dataclass, field

from kernelbenchx.measure.runners import Runner, RunnerFailed

PAIRS = 2


@dataclass
class References:
    """Baselines of one device."""

    device: str
    kinds: tuple[str, ...]
    _runners: dict[str, list[Runner]] = field(default_factory=dict)
    _processes: dict[tuple[str, int], subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self) -> None:
        """Start them all without waiting until they are there."""
        for kind in self.kinds:
            self._runners[kind] = [self._started(kind, number) for number in range(PAIRS)]

    def runners(self) -> dict[str, list[Runner]]:
        """Two runners of each kind, all of them alive."""
        for kind in self.kinds:
            pair = self._runners.setdefault(kind, [])
            for number in range(PAIRS):
                if number >= len(pair):
                    pair.append(self._started(kind, number))
                elif not _alive(pair[number]):
                    pair[number].close()
                    self._end(kind, number, 0.0)  # one that hangs would go on using the device
                    pair[number] = self._started(kind, number)
        return self._runners

    def close(self) -> None:
        """End them all."""
        for pair in self._runners.values():
            for runner in pair:
                runner.close()
        for kind, number in list(self._processes):
            self._end(kind, number, 5.0)
        self._runners.clear()

    def _end(self, kind: str, number: int, patience_s: float) -> None:
        process = self._processes.pop((kind, number))
        try:
            process.wait(timeout=patience_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _started(self, kind: str, number: int) -> Runner:
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "kernelbenchx.measure.baseline"]
            self._processes[kind, number] = subprocess.Popen(
                [*command, str(theirs.fileno()), kind, self.device],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        return Runner(f"{kind} {number}", ours, self.device, trusted=True)


def _alive(runner: Runner) -> bool:
    try:
        runner.hello()
    except RunnerFailed:
        return False
    return True
