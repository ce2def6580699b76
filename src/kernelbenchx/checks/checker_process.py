"""Source checks in a process of their own, each with a limit of CPU time.

A submission chooses the text that is checked. What it can make the checks do is bounded here and
not by trust in each of them: the process ends at the limit, and the next check starts another one.
"""

import atexit
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
from queue import Empty, LifoQueue
from typing import IO, Any

import msgspec

from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.rule import Expectation, Report
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Composition, Finding

LIMIT_S = 2.0
"""CPU time of one check. The slowest honest source that is known takes a tenth of it."""
MEMORY_BYTES = 4 << 30
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from kernelbenchx.checks.checker_process import serve; serve()"
)


class _Checker:
    """One process that checks sources, one after the other."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        command = [sys.executable, "-c", _START, json.dumps(sys.path)]
        # A session of its own: Ctrl-C is for the process that asked, and its end closes the pipe.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )

    def report(self, source: str, expectation: Expectation, limit_s: float) -> Report | None:
        """None where the process ended at its limit; it can then only be closed."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        asked = [source, msgspec.to_builtins(expectation), limit_s]
        try:
            _write(stdin, asked)
            answer = _read(stdout)
        except BrokenPipeError:
            answer = None
        if answer is None:
            ended = self._process.wait()
            if ended == -signal.SIGPROF:
                return None
            raise EvaluatorFault(f"the process that checks sources ended with status {ended}")
        return msgspec.convert(answer, Report)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # unsent text is not needed
                    pipe.close()


_idle: LifoQueue[_Checker] = LifoQueue()
"""Processes that wait for a source; they end with this one, whose pipe they read."""


def check_bounded(source: str, expectation: Expectation, limit_s: float = LIMIT_S) -> Report:
    """As `check`; a source that takes longer is refused as too complex."""
    try:
        report = _ask(source, expectation, limit_s)
    except EvaluatorFault:
        # What else ended a process is no reason to refuse a source.
        report = _ask(source, expectation, limit_s)
    return report or _too_complex(limit_s)


def _ask(source: str, expectation: Expectation, limit_s: float) -> Report | None:
    checker = _idle_or_new()
    try:
        report = checker.report(source, expectation, limit_s)
    except BaseException:
        checker.close()
        raise
    if report is None:
        checker.close()
    else:
        _idle.put(checker)
    return report


def _idle_or_new() -> _Checker:
    while True:
        try:
            checker = _idle.get_nowait()
        except Empty:
            return _Checker()
        if checker.owner == os.getpid():  # a forked process inherits others
            return checker


@atexit.register
def _close_idle() -> None:
    while not _idle.empty():
        checker = _idle.get()
        if checker.owner == os.getpid():
            checker.close()


def _too_complex(limit_s: float) -> Report:
    why = f"source too complex: checking it takes more than {limit_s:g} s of CPU time"
    finding = Finding(rule="source", line=1, why=why)
    return Report(findings=(finding,), composition=Composition.NOT_A_KERNEL, entry="")


def serve() -> None:
    """Check sources from standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while (asked := _read(sys.stdin.buffer)) is not None:
        source, expectation, limit_s = asked
        signal.setitimer(signal.ITIMER_PROF, limit_s)
        report = check(source, msgspec.convert(expectation, Expectation))
        signal.setitimer(signal.ITIMER_PROF, 0)
        _write(sys.stdout.buffer, msgspec.to_builtins(report))


def _write(pipe: IO[bytes], message: object) -> None:
    # Of the standard library: it also writes halves of surrogate pairs, which a source may hold.
    pipe.write(json.dumps(message).encode("ascii") + b"\n")
    pipe.flush()


def _read(pipe: IO[bytes]) -> Any:
    line = pipe.readline()
    return json.loads(line) if line.endswith(b"\n") else None
