"""The judge's own clock around a runner: inputs appear before it starts, outputs are taken after it
stops, and in neither time can anybody work without being timed.

The inputs are there, the runner is let go, the card begins to work for it, and until it says that
all calls have ended the clock runs. Then it is drawn which calls are looked at, the inputs of all
but one are taken away, and only now may results be put where they can be seen: what is computed
instead of being copied is wrong. How long it takes to fill inputs, to wake the card, to take inputs
away, to put results where they can be seen and to take them from there is known from runs without
calls; where it takes longer, because the card had other work, that counts.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

import torch

from kernelbenchx.measure.output_sampling import POISON
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.worker.timing.clocks import DeviceClock

TOLERANCE = 0.02
"""Copies differ so much between processes, by where in the card's memory they go."""
SLACK_US = {"fill": 10.0, "wake": 30.0, "hide": 10.0, "put": 10.0, "take": 10.0}
"""And everything differs by so much each time."""


@dataclass
class JudgeClock:
    """Times calls of runners from outside; holds the outputs as they were when time was up."""

    clock: DeviceClock
    snapshots: list[torch.Tensor]
    """By slot: the outputs of the last call."""
    now_ns: Callable[[], int]
    written: tuple[int, ...] = ()
    """Storages that calls may write: results may lie there."""
    before: dict[str, list[torch.Tensor]] = field(default_factory=dict)
    """By runner and slot: the outputs of the call before."""
    arguments: dict[int, dict[int, torch.Tensor]] = field(default_factory=dict)
    """By slot and storage: arguments as the last call left them."""
    usual: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    """How long each step around the calls takes with so many slots when nothing is called."""
    chance: random.Random = field(default_factory=random.SystemRandom)
    drawn: Sequence[int] = ()
    """Slots of the last calls whose outputs may be looked at."""
    spare: int = 0
    """One whose output is not, and whose arguments are still there."""
    warmed_up: bool = False
    """Every runner has results that it can copy."""
    unjudged: frozenset[str] = frozenset()
    """Runners at whose outputs nobody looks: taking them takes longer than most calls. What happens
    before calls is the same for all: a card that did nothing then fills inputs later."""

    def elapsed_us(
        self,
        runner: RunnerClient,
        how: str,
        inputs: Sequence[Sequence[torch.Tensor]],
        seeds: Sequence[int] | None = None,
        judged: int | Sequence[int] = 0,
    ) -> tuple[float, float]:
        """Time of calls in the first slots together; and what the runner's own clock said.

        `how`: one after another (`batch`), each waited for (`call`), or none of them (`null`).
        `judged`: how many outputs may be looked at; which, unless it is said, is drawn when all
        calls have ended, and nobody else learns it.
        """
        count = len(inputs)
        hides = how == "null" or not runner.trusted
        outputs = 0 if runner.name in self.unjudged and how != "null" else count
        self.arguments.clear()
        if self.warmed_up:  # whoever has not run for a while runs slower
            runner.run("null", count=1)
        runner.start(how, seeds or (), count=count)
        started = self._poison_rooms(runner, count)
        for slot, storages in enumerate(inputs):
            runner.fill(slot, storages)
        self.clock.flush()
        self.clock.synchronise()
        looks = [started, self.now_ns()]
        for step in (
            runner.go,
            runner.wait_for_calls,
            lambda: self._draw_slots(runner, inputs, judged, hides=hides),
            runner.fetch_results,
            lambda: self._copy_outputs(runner, outputs, arguments=not hides),
        ):
            step()
            looks.append(self.now_ns())
        claimed = runner.finish()
        lasted = [(later - one) / 1e3 for one, later in pairwise(looks)]
        return self._add_excess(how, lasted, count), claimed

    def _add_excess(self, how: str, lasted: Sequence[float], count: int) -> float:
        """The calls, and what took longer than it does; without calls that is what is noted."""
        fill, wake, elapsed, hide, put, take = lasted
        around = {"fill": fill, "wake": wake, "hide": hide, "put": put, "take": take}
        for what, time_us in around.items():
            usual = self.usual.setdefault((what, count), [])
            if how == "null":
                usual.append(time_us)
            else:
                elapsed += excess(what, time_us, usual)
        return elapsed

    def _draw_slots(
        self,
        runner: RunnerClient,
        inputs: Sequence[Sequence[torch.Tensor]],
        judged: int | Sequence[int],
        *,
        hides: bool,
    ) -> None:
        """One call is never looked at: its inputs lie in the place of all others then."""
        self.drawn, self.spare = self._pick_slots(len(inputs), judged)
        if not hides or not self.drawn:
            return
        for slot in range(len(inputs)):
            if slot in self.drawn:
                self.arguments[slot] = dict(enumerate(one.clone() for one in runner.inputs[slot]))
            if slot != self.spare:
                self._hide_inputs(runner.inputs[slot], inputs[self.spare])
        self.clock.synchronise()

    def _pick_slots(self, count: int, judged: int | Sequence[int]) -> tuple[list[int], int]:
        """The slots that are looked at, and one that is not, where there is one."""
        if not isinstance(judged, int):
            return list(judged), count - 1
        order = self.chance.sample(range(count), count)
        return order[: min(judged, max(1, count - 1))], order[-1]

    def _hide_inputs(
        self, storages: Sequence[torch.Tensor], others: Sequence[torch.Tensor]
    ) -> None:
        """Others are valid, and of no use for this call; results lie in what calls write."""
        for number, storage in enumerate(storages):
            if storage.numel() and number not in self.written:
                storage.copy_(others[number])

    def _poison_rooms(self, runner: RunnerClient, count: int) -> int:
        for slot in range(count):
            runner.rooms[slot].fill_(POISON)
        self.clock.synchronise()
        return self.now_ns()

    def _copy_outputs(self, runner: RunnerClient, count: int, *, arguments: bool) -> None:
        for slot in range(count):
            self.snapshots[slot].copy_(runner.rooms[slot])
            if arguments:
                written = {number: runner.inputs[slot][number].clone() for number in self.written}
                self.arguments[slot] = written
        self.clock.synchronise()


def excess(what: str, lasted_us: float, usual: Sequence[float]) -> float:
    """What something took longer than it does, by more than it differs between processes."""
    if not usual:
        return lasted_us
    return max(0.0, lasted_us - median(usual) * (1.0 + TOLERANCE) - SLACK_US[what])


def monotonic_ns() -> int:
    """A clock that nobody can set."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_MONOTONIC_RAW", time.CLOCK_MONOTONIC))
