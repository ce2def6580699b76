"""The judge's own clock around a runner: inputs appear before it starts, outputs are taken after it
stops, and in neither time can anybody work without being timed.

The inputs are there, the runner is let go, the card begins to work for it, and until it says that
all calls have ended the clock runs. How long it takes to fill inputs, to wake the card, to put
results where they can be seen and to take them from there is known from runs without calls; where
it takes longer, because the card had other work, that counts.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any

import torch

from kernelbenchx.measure.judging import POISON
from kernelbenchx.measure.runners import Runner
from kernelbenchx.worker.timing.clocks import Clock

TOLERANCE = 0.02
"""Copies differ so much between processes, by where in the card's memory they go."""
SLACK_US = {"fill": 10.0, "wake": 30.0, "put": 10.0, "take": 10.0}
"""And everything differs by so much each time."""


@dataclass
class Wall:
    """Times calls of runners from outside; holds the outputs as they were when time was up."""

    clock: Clock
    snapshots: list[torch.Tensor]
    """By slot: the outputs of the last call."""
    now_ns: Callable[[], int]
    written: tuple[int, ...] = ()
    """Storages that calls may write: taken together with the outputs."""
    before: dict[str, list[torch.Tensor]] = field(default_factory=dict)
    """By runner and slot: the outputs of the call before."""
    arguments: dict[int, dict[int, torch.Tensor]] = field(default_factory=dict)
    """By slot and storage: written arguments after the last call."""
    usual: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    """How long each step around the calls takes with so many slots when nothing is called."""
    limber: bool = False
    """Every runner has results that it can copy."""
    unjudged: frozenset[str] = frozenset()
    """Runners at whose outputs nobody looks: taking them takes longer than most calls. What happens
    before calls is the same for all: a card that did nothing then fills inputs later."""

    def elapsed_us(
        self,
        runner: Runner,
        how: str,
        inputs: Sequence[Sequence[torch.Tensor]],
        seeds: Sequence[int] | None = None,
    ) -> tuple[float, float]:
        """Time of calls in the first slots together; and what the runner's own clock said.

        `how`: one after another (`batch`), each waited for (`call`), or none of them (`null`).
        """
        more: dict[str, Any] = {} if seeds is None else {"seeds": list(seeds)}
        return self._timed(runner, inputs, how, {"count": len(inputs), **more})

    def _timed(
        self,
        runner: Runner,
        inputs: Sequence[Sequence[torch.Tensor]],
        how: str,
        more: dict[str, Any],
    ) -> tuple[float, float]:
        count = len(inputs)
        if self.limber:  # whoever has not run for a while runs slower
            runner.run("null", count=1)
        runner.start(how, **more)
        started = self._poisoned(runner, count)
        outputs = 0 if runner.name in self.unjudged and how != "null" else count
        for slot, storages in enumerate(inputs):
            runner.fill(slot, storages)
        self.clock.flush()
        self.clock.synchronise()
        looks = [started, self.now_ns()]
        for step in (runner.go, runner.calls, runner.results, lambda: self._take(runner, outputs)):
            step()
            looks.append(self.now_ns())
        claimed = runner.finish()
        lasted = [(later - one) / 1e3 for one, later in pairwise(looks)]
        fill, wake, elapsed, put, take = lasted
        for what, time_us in {"fill": fill, "wake": wake, "put": put, "take": take}.items():
            usual = self.usual.setdefault((what, count), [])
            if how == "null":
                usual.append(time_us)
            else:
                elapsed += excess(what, time_us, usual)
        return elapsed, claimed

    def _poisoned(self, runner: Runner, count: int) -> int:
        for slot in range(count):
            runner.rooms[slot].fill_(POISON)
        self.clock.synchronise()
        return self.now_ns()

    def _take(self, runner: Runner, count: int) -> None:
        for slot in range(count):
            self.snapshots[slot].copy_(runner.rooms[slot])
            kept = self.arguments.setdefault(slot, {})
            for number in self.written:
                source = runner.inputs[slot][number]
                if number not in kept:
                    kept[number] = torch.empty_like(source)
                kept[number].copy_(source)
        self.clock.synchronise()


def excess(what: str, lasted_us: float, usual: Sequence[float]) -> float:
    """What something took longer than it does, by more than it differs between processes."""
    if not usual:
        return lasted_us
    return max(0.0, lasted_us - median(usual) * (1.0 + TOLERANCE) - SLACK_US[what])


def monotonic_ns() -> int:
    """A clock that nobody can set."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_MONOTONIC_RAW", time.CLOCK_MONOTONIC))
