"""The judge's own clock around a runner: inputs appear after it starts, outputs are taken before
it stops.

What the submission does with its inputs before they are there, or with its outputs after they were
copied, cannot pay. How long the inputs take to appear and the outputs to be taken is known from
runs without calls and is not part of the time; but where it takes longer than usual, because the
card had other work, that is.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import torch

from kernelbenchx.measure.judging import POISON
from kernelbenchx.measure.runners import Runner
from kernelbenchx.worker.timing.clocks import Clock

NOTHING = ("no batch", "no call")


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
    """How long it takes to fill, and to take from, so many slots when nothing is called."""
    limber: bool = False
    """Every runner has results that it can copy."""

    def elapsed_us(
        self,
        runner: Runner,
        how: str,
        inputs: Sequence[Sequence[torch.Tensor]],
        seeds: Sequence[int] | None = None,
    ) -> tuple[float, float]:
        """Time of calls in the first slots together; and what the runner's own clock said.

        `how`: one after another (`batch`), each waited for (`call`), or none of them: everything
        else that a batch (`no batch`) or calls (`no call`) take.
        """
        more: dict[str, Any] = {} if seeds is None else {"seeds": list(seeds)}
        if how in NOTHING:
            how, more = "null", {"behind": how == "no batch"}
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
        for slot, storages in enumerate(inputs):
            runner.fill(slot, storages)
        self.clock.flush()
        self.clock.synchronise()
        filled = self.now_ns()
        runner.go()
        ran = self.now_ns()
        self._take(runner, count)
        taken = self.now_ns()
        claimed = runner.finish()
        filling, taking = (filled - started) / 1e3, (taken - ran) / 1e3
        if how == "null":
            self.usual.setdefault(("fill", count), []).append(filling)
            self.usual.setdefault(("take", count), []).append(taking)
            return (ran - filled) / 1e3 - claimed, claimed
        more_than_usual = self._excess("fill", count, filling)
        more_than_usual += self._excess("take", count, taking)
        return (ran - filled) / 1e3 + more_than_usual, claimed

    def _excess(self, what: str, slots: int, elapsed_us: float) -> float:
        known = self.usual.get((what, slots))
        return max(0.0, elapsed_us - median(known)) if known else elapsed_us

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


def monotonic_ns() -> int:
    """A clock that nobody can set."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_MONOTONIC_RAW", time.CLOCK_MONOTONIC))
