"""Recorded plans on both sides of a comparison: replayed as they are, or slowed by a twentieth.

Everything else is as in an evaluation: `CaseTiming` draws the inputs and the order, stops when
enough is known, and judges the outputs.
"""

import gc
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, Gpu, TimedCase, Unmeasured
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.case_timing import CaseTiming, ReplayFailure
from kernelbenchx.measure.host_clock import monotonic_ns
from kernelbenchx.measure.input_layout import FIXED
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.measure.timed_runners import TimedRunners
from kernelbenchx.spec.contract import Rung
from kernelbenchx.worker import wire
from kernelbenchx.worker.timing.clocks import DeviceClock
from kernelbenchx.worker.timing.layout import Layout

CALLS = 20
"""A block of the slowed side makes one call more than this, that of the other side this many."""
_ROUNDED = (4, 5, 10, 20)
_BY_THE_CARD = ("graph", "queued")


@dataclass(frozen=True)
class Recorded:
    """What a witness does in one timing case."""

    task: str
    case: str
    answers: tuple[bytes, bytes]
    """What its process said when it was recorded twice."""
    packed: bytes
    """The checked plan, for a process that replays it."""


@dataclass
class Replaying(RunnerClient):
    """A process that replays whatever plan it is given, in the place of any other runner."""

    recorded: Recorded | None = None
    rounds: int = 1
    """How often the calls of a block are made; the time is that of one round."""

    def ask(
        self,
        header: dict[str, Any],
        limit_s: float,
        body: bytes = b"",
        descriptors: tuple[int, ...] = (),
    ) -> wire.WireMessage:
        """As asked, except that the plan is known: it is neither loaded nor recorded anew."""
        assert self.recorded is not None or header["op"] == "hello"
        if self.recorded is not None and header["op"] == "record":
            return wire.WireMessage({}, self.recorded.answers[int(header["slot"]) % 2])
        if self.recorded is not None and header["op"] == "load":
            header, body = {"op": "load", "plan": {}}, self.recorded.packed
        return super().ask(header, limit_s, body, descriptors)

    def run(self, how: str, limit_s: float = 20.0, **more: Any) -> float:
        """The mean over rounds where the card is timed; one call is made once."""
        rounds = self.rounds if how in _BY_THE_CARD else 1
        return sum(super(Replaying, self).run(how, limit_s, **more) for _ in range(rounds)) / rounds


@dataclass
class Slowed(Replaying):
    """The same plan, with one call more in every twenty.

    This process has one slot more than the others, with the inputs of the first slot in memory of
    its own, and makes all its calls once. Where a block has fewer than twenty slots, a second
    process with the usual slots makes the other rounds. Together these are 21 calls, each from a
    cache as cold as that of any other, where the other side makes 20; nobody computes a time.
    """

    shorter: Replaying | None = None

    def open(self, layout: Layout) -> None:
        """One slot more than asked for."""
        super().open(replace(layout, slots=layout.slots + 1))
        if self._others is not None:
            self._others.open(layout)

    def fill(self, slot: int, storages: Sequence[torch.Tensor]) -> None:
        """The last slot holds what the first holds."""
        super().fill(slot, storages)
        if slot == 0:
            super().fill(len(self.inputs) - 1, storages)
        if self._others is not None:
            self._others.fill(slot, storages)

    def ask(
        self,
        header: dict[str, Any],
        limit_s: float,
        body: bytes = b"",
        descriptors: tuple[int, ...] = (),
    ) -> wire.WireMessage:
        """Both processes take the plan and capture it."""
        answer = super().ask(header, limit_s, body, descriptors)
        if self._others is None or header["op"] not in ("load", "capture"):
            return answer
        other = self._others.ask(header, limit_s, body, descriptors)
        return answer if other.header.get("graph", True) else other

    def run(self, how: str, limit_s: float = 20.0, **more: Any) -> float:
        """One long round, and short ones until there are as many as on the other side."""
        if how not in _BY_THE_CARD:
            return RunnerClient.run(self, how, limit_s, **more)
        total = RunnerClient.run(self, how, limit_s, **more)
        if self._others is not None:
            for _ in range(self.rounds - 1):
                total += RunnerClient.run(self._others, how, limit_s, **more)
        return total / self.rounds

    @property
    def _others(self) -> Replaying | None:
        return self.shorter if self.rounds > 1 else None


@dataclass(frozen=True)
class Place:
    """Where plans are timed."""

    card: Gpu
    clock: DeviceClock
    rung: Rung = "cuda"
    chance: random.Random = field(default_factory=random.SystemRandom)
    now_ns: Callable[[], int] = monotonic_ns


def timed(
    place: Place,
    inputs: CaseInputs,
    recorded: Recorded,
    candidates: Sequence[Replaying],
    baselines: Sequence[Replaying],
) -> TimedCase | Failed | Unmeasured:
    """One case with a plan on both sides, as an evaluation measures it."""
    shorter = [one.shorter for one in candidates if isinstance(one, Slowed) and one.shorter]
    for runner in (*candidates, *baselines, *shorter):
        runner.recorded = recorded
    return measured(
        CaseTiming(
            inputs=replace(inputs, bounds=FIXED),
            runners=TimedRunners(candidates, candidates, {"eager": baselines}),
            card=place.card,
            clock=place.clock,
            chance=place.chance,
            rung=place.rung,
            now_ns=place.now_ns,
        )
    )


def measured(timing: CaseTiming) -> TimedCase | Failed | Unmeasured:
    """Its result; that launches cannot be replayed after all is none."""
    gc.collect()
    if timing.inputs.device.startswith("cuda"):
        torch.cuda.empty_cache()  # what the last case needed here, runners may need now
    found = timing.run()
    if isinstance(found, ReplayFailure):
        case = timing.inputs.case.name
        return Unmeasured(reason=Reason.EVALUATOR, detail=found.why, case=case)
    return found


def in_twenties(inputs: CaseInputs, room_bytes: float = math.inf) -> tuple[CaseInputs, int]:
    """The same case with a number of slots that divides twenty, and how many rounds that makes.

    Not fewer slots than there were, unless more would not fit into the room.
    """
    layout = inputs.layout
    fitting = [one for one in _ROUNDED if one * layout.stride <= room_bytes] or [_ROUNDED[0]]
    slots = next((one for one in fitting if one >= min(layout.slots, CALLS)), fitting[-1])
    return replace(inputs, layout=replace(layout, slots=slots)), CALLS // slots
