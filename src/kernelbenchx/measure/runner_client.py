"""The trusted end of a runner's channel: every reply is bounded in size and time."""

import contextlib
import math
import os
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from kernelbenchx.measure.process_control import resume, stop
from kernelbenchx.runner import sanitize
from kernelbenchx.worker import wire
from kernelbenchx.worker.timing.busy_wait import readable, wait_awake
from kernelbenchx.worker.timing.layout import Layout
from kernelbenchx.worker.timing.shared_memory import SharedMemory
from kernelbenchx.worker.timing.start_signal import AWAKE, CALLED, DONE, GO, PUT, READY, StartSignal

_MOST_BYTES = 64 << 20
_QUICK_S, _SLOW_S, _AWAKE_S = 20.0, 60.0, 0.05


class RunnerFailed(Exception):
    """A runner raised, hung or died."""

    def __init__(self, kind: str, message: str, runner: str = "") -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message
        self.runner = runner


HUNG, GONE, SENSELESS = "Hung", "Gone", "Senseless"


@dataclass
class RunnerClient:
    """One process that makes calls on request."""

    name: str
    channel: socket.socket
    device: str
    trusted: bool
    """No submission's Python is in it: the times that it reports count."""
    exchange: SharedMemory | None = None
    layout: Layout | None = None
    inputs: list[list[torch.Tensor]] = field(default_factory=list)
    """By slot and storage: where arguments go."""
    rooms: list[torch.Tensor] = field(default_factory=list)
    """By slot: where results come from."""
    process: int = -1
    """A pidfd by which an untrusted process is stopped; -1: it cannot be stopped."""
    turns: int = 0
    """How many `awake` contexts are open around it."""
    bell: StartSignal | None = None
    starts: int = 0
    """How often the start signal started it."""
    seeds: Sequence[int] = ()
    """Seeds for the calls that are about to start."""
    descriptions: list[Any] = field(default_factory=list)
    """By slot: its description of its last results, without knowing which ones are examined."""
    patience_s: float = math.inf
    """Limit for everything together: untimed work is bounded, too."""
    until: float = math.inf
    """When its patience ends, while it is awake."""

    def hello(self) -> None:
        """Check that it runs and its device works."""
        self.ask({"op": "hello"}, _SLOW_S)

    def is_alive(self) -> bool:
        """Whether it answers."""
        try:
            self.hello()
        except RunnerFailed:
            return False
        return True

    def prepare(self, layout: Layout, limit_s: float = _SLOW_S) -> str:
        """Compile what a call of this form needs; returns why it cannot be replayed, or an empty
        string."""
        answer = self.ask({"op": "prepare"}, limit_s, layout.to_json().encode())
        return sanitize.printable(str(answer.header.get("not_replayable", ""))[:200])

    def open(self, layout: Layout) -> None:
        """Share memory for a case: the memory shared before, if it is large enough."""
        shared: tuple[int, ...] = ()
        if self.exchange is None or self.exchange.size < layout.size:
            self.release()
            self.exchange = SharedMemory.create(layout.size, self.device)
            shared = (self.exchange.descriptor,)
        self.layout = layout
        part = self.exchange.part
        self.inputs = [
            [layout.storage(part, slot, number) for number in range(len(layout.storages))]
            for slot in range(layout.slots)
        ]
        self.rooms = [layout.room(part, slot) for slot in range(layout.slots)]
        header = {"op": "case", "size": self.exchange.size}
        try:
            self.ask(header, _QUICK_S, layout.to_json().encode(), shared)
        except RunnerFailed:
            self.release()  # otherwise only one process would believe that memory is shared
            raise

    def release(self) -> None:
        """Release shared memory in both processes."""
        if self.exchange is None:
            return
        with contextlib.suppress(RunnerFailed):
            self.ask({"op": "release"}, _QUICK_S)
        self.inputs, self.rooms = [], []
        self.exchange.close()
        self.exchange = self.layout = None

    def fill(self, slot: int, storages: Sequence[torch.Tensor]) -> None:
        """Write the arguments of a slot; the caller waits for the device."""
        for target, source in zip(self.inputs[slot], storages, strict=True):
            if target.numel():
                target.copy_(source)

    def run(self, how: str, limit_s: float = _QUICK_S, **more: Any) -> float:
        """Make calls; returns the time by the runner's own clock, in microseconds."""
        return self._read_elapsed_us(self.ask({"op": "run", "how": how, **more}, limit_s))

    def start(self, how: str, seeds: Sequence[int] = (), **more: Any) -> None:
        """Announce the calls: from here on it waits for `go`, with no other preparation left.

        Seeds are not sent before: whatever follows from them alone could be computed by then.
        """
        if self.bell is None:
            self.bell = StartSignal.create()
            self.ask({"op": "bell"}, _QUICK_S, b"", (self.bell.descriptor,))
        self.starts += 1
        self.seeds = seeds
        header = {"op": "run", "how": how, "number": self.starts, "seeded": bool(seeds), **more}
        with self._translate_errors():
            self.channel.settimeout(self._within(_QUICK_S))
            wire.send(self.channel, wire.WireMessage(header))
        self._wait_for(READY)

    def go(self) -> None:
        """Release it, and wait until its device works for it."""
        assert self.bell is not None
        self.bell.tell(self.seeds)
        self.bell.ring(GO, self.starts)
        self._wait_for(AWAKE)

    def wait_for_calls(self) -> None:
        """Wait until it reports that all calls have ended."""
        self._wait_for(CALLED)

    def fetch_results(self) -> None:
        """Let it put results where they can be seen, and wait for them."""
        assert self.bell is not None
        self.bell.ring(PUT, self.starts)
        self._wait_for(DONE)

    def _wait_for(self, which: int) -> None:
        """Wait, or stop on an invalid state: then `finish` says why."""
        assert self.bell is not None
        self.bell.wait(which, self.starts, self._within(_QUICK_S), lambda: readable(self.channel))

    def _within(self, limit_s: float) -> float:
        """The part of a limit that its patience leaves; a socket without any would wait forever."""
        return max(1e-3, min(limit_s, self.until - time.monotonic()))

    def finish(self) -> float:
        """The time by the runner's own clock, in microseconds."""
        return self._read_elapsed_us(self._receive(_QUICK_S))

    def _read_elapsed_us(self, answer: wire.WireMessage) -> float:
        told: Any = answer.header.get("results")
        elapsed: Any = answer.header.get("us")
        self.descriptions = told if isinstance(told, list) else []
        if not _is_time(elapsed):
            raise RunnerFailed(SENSELESS, "an answer without a time", self.name)
        return float(elapsed)

    def read_step_times(self) -> list[float]:
        """Microseconds of each step of its calls; empty if steps are not timed."""
        times: Any = self.ask({"op": "parts"}, _QUICK_S).header.get("us")
        if not isinstance(times, list) or not all(_is_time(one) for one in times):
            raise RunnerFailed(SENSELESS, "an answer without times", self.name)
        return [float(one) for one in times]

    def freeze(self) -> None:
        """Stop it: nothing that it left running can load the machine."""
        if self.process >= 0:
            stop(self.process)

    def thaw(self) -> None:
        """Resume it."""
        if self.process >= 0:
            resume(self.process)

    def ask(
        self,
        header: dict[str, Any],
        limit_s: float,
        body: bytes = b"",
        descriptors: tuple[int, ...] = (),
    ) -> wire.WireMessage:
        """Send one message, receive one reply; a stopped runner is awake meanwhile."""
        with awake(self):
            return self._exchange(wire.WireMessage(header, body, descriptors), limit_s)

    def _exchange(self, request: wire.WireMessage, limit_s: float) -> wire.WireMessage:
        with self._translate_errors():
            self.channel.settimeout(self._within(limit_s))
            wire.send(self.channel, request)
        return self._receive(limit_s)

    def _receive(self, limit_s: float) -> wire.WireMessage:
        limit_s = self._within(limit_s)
        with self._translate_errors(limit_s):
            self.channel.settimeout(limit_s)
            wait_awake(self.channel, _AWAKE_S)
            answer = wire.receive(self.channel, most=_MOST_BYTES)
        if answer is None:
            raise RunnerFailed(GONE, "the process ended", self.name)
        failure = answer.header.get("error")
        if isinstance(failure, dict):
            kind, message = failure.get("type"), failure.get("message")
            raise RunnerFailed(
                sanitize.text(str(kind), 200), sanitize.text(str(message)), self.name
            )
        return answer

    @contextlib.contextmanager
    def _translate_errors(self, limit_s: float = _QUICK_S) -> Iterator[None]:
        """Translate errors of a channel into messages; after most of them the channel is
        unusable."""
        try:
            yield
        except TimeoutError as error:
            self.channel.close()  # otherwise a later reply would answer another request
            raise RunnerFailed(HUNG, f"no answer within {limit_s:.0f} s", self.name) from error
        except OSError as error:
            raise RunnerFailed(GONE, "the process ended", self.name) from error
        except ValueError as error:
            self.channel.close()
            raise RunnerFailed(
                SENSELESS, sanitize.printable(str(error)[:200]), self.name
            ) from error

    def close(self) -> None:
        """Close the connection: the process ends by itself, or is ended."""
        with contextlib.suppress(RunnerFailed, OSError):
            if self.exchange is not None:
                self.exchange.close()
        self.channel.close()
        if self.bell is not None:
            self.bell.close()
            self.bell = None
        if self.process >= 0:
            os.close(self.process)
            self.process = -1


def _is_time(said: Any) -> bool:
    return type(said) in (int, float) and 0.0 <= said < 1e12


@contextlib.contextmanager
def awake(runner: RunnerClient) -> Iterator[None]:
    """A process with a submission in it runs inside of this, and is stopped outside of it.

    Nested inside another it changes nothing.
    """
    if runner.trusted:
        yield
        return
    if runner.turns == 0:
        runner.thaw()
        runner.until = time.monotonic() + runner.patience_s
    runner.turns += 1
    try:
        yield
    finally:
        runner.turns -= 1
        if runner.turns == 0:
            runner.freeze()
            runner.patience_s = max(0.0, runner.until - time.monotonic())
            runner.until = math.inf


@contextlib.contextmanager
def wake_up(runner: RunnerClient) -> Iterator[None]:
    """Awake and ready to reply. A process that was stopped, or waited for others, needs a moment to
    resume, and each side gets the same time for that."""
    with awake(runner):
        runner.hello()
        yield
