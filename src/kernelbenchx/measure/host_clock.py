"""Times a runner by the judge's host clock: inputs appear before it starts, outputs are taken after
it stops, and no work outside that time goes uncounted.

The inputs are in place, the runner is released, and the GPU begins to work for it. The clock runs
until it reports that all calls have ended. Then the calls to examine are drawn, and the inputs of
all but one are taken away. Only now may results be put where they can be seen: results that are
computed only then are wrong. The time to fill inputs, to wake the GPU, to take inputs away, and to
put and take results is known from runs without calls. If a step takes longer, because the GPU had
other work, the excess counts.
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
"""Relative differences between copies of two processes: they depend on addresses in GPU memory."""
SLACK_US = {"fill": 10.0, "wake": 30.0, "hide": 10.0, "put": 10.0, "take": 10.0}
"""Absolute differences of each step from run to run."""


@dataclass
class JudgeClock:
    """Times calls of runners from outside; holds the outputs from when the clock stopped."""

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
    """Time of each step around the calls for so many slots when nothing is called."""
    chance: random.Random = field(default_factory=random.SystemRandom)
    drawn: Sequence[int] = ()
    """Slots of the last calls whose outputs may be examined."""
    spare: int = 0
    """A slot whose output is not examined, and whose arguments are still in place."""
    warmed_up: bool = False
    """Every runner has results that it can copy."""
    unjudged: frozenset[str] = frozenset()
    """Runners whose outputs are not judged: taking them takes longer than most calls. The steps
    before calls are the same for all: a GPU that was idle starts to fill inputs later."""

    def elapsed_us(
        self,
        runner: RunnerClient,
        how: str,
        inputs: Sequence[Sequence[torch.Tensor]],
        seeds: Sequence[int] | None = None,
        judged: int | Sequence[int] = 0,
    ) -> tuple[float, float]:
        """Time of calls in the first slots together; and the time that the runner itself reports.

        `how`: one after another (`batch`), each waited for (`call`), or none of them (`null`).
        `judged`: how many outputs may be examined. Unless given, the slots are drawn when all calls
        have ended, and no other process learns them.
        """
        count = len(inputs)
        hides = how == "null" or not runner.trusted
        outputs = 0 if runner.name in self.unjudged and how != "null" else count
        self.arguments.clear()
        if self.warmed_up:  # a process that has not run for a while runs slower
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
        """The time of the calls plus the excess of each step; without calls the steps are noted as
        usual."""
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
        """Draw slots; one call is never examined: its inputs then replace those of all others."""
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
        """The slots that are examined, and one that is not, if there is one."""
        if not isinstance(judged, int):
            return list(judged), count - 1
        order = self.chance.sample(range(count), count)
        return order[: min(judged, max(1, count - 1))], order[-1]

    def _hide_inputs(
        self, storages: Sequence[torch.Tensor], others: Sequence[torch.Tensor]
    ) -> None:
        """Replace inputs by others that are valid, and useless for this call; results lie in
        storages that calls write."""
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
    """The excess of a step over its usual time, beyond the differences between processes."""
    if not usual:
        return lasted_us
    return max(0.0, lasted_us - median(usual) * (1.0 + TOLERANCE) - SLACK_US[what])


def monotonic_ns() -> int:
    """A clock that cannot be set."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_MONOTONIC_RAW", time.CLOCK_MONOTONIC))
