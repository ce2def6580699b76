"""The judge's own clock around a runner: inputs appear after it starts, outputs are taken before
it stops.

What the submission does with its inputs before they are there, or with its outputs after they were
copied, cannot pay.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from kernelbenchx.measure.judging import POISON
from kernelbenchx.measure.runners import Runner
from kernelbenchx.worker.timing.clocks import Clock


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
    limber: bool = False
    """Every runner has results that it can copy."""

    def batch_us(
        self,
        runner: Runner,
        inputs: Sequence[Sequence[torch.Tensor]],
        seeds: Sequence[int] | None,
        how: str = "batch",
    ) -> tuple[float, float]:
        """Time of all slots together; and what the runner's own clock said."""
        slots = range(len(inputs))
        started = self._begin(runner, slots)
        for slot in slots:
            runner.fill(slot, inputs[slot])
        self.clock.flush()
        self.clock.synchronise()
        more: dict[str, Any] = {} if seeds is None else {"seeds": list(seeds)}
        claimed = runner.run(how, **more)
        return self._end(runner, slots, started), claimed

    def call_us(
        self,
        runner: Runner,
        slot: int,
        inputs: Sequence[torch.Tensor],
        seed: int | None,
        how: str = "call",
    ) -> tuple[float, float]:
        """Time of one call; and what the runner's own clock said."""
        started = self._begin(runner, (slot,))
        runner.fill(slot, inputs)
        self.clock.flush()
        self.clock.synchronise()
        more: dict[str, Any] = {} if seed is None else {"seeds": [seed]}
        claimed = runner.run(how, slot=slot, **more)
        return self._end(runner, (slot,), started), claimed

    def _begin(self, runner: Runner, slots: Sequence[int]) -> int:
        """Whoever has not run for a while runs slower: first something that is not timed."""
        if self.limber:
            runner.run("null", slot=slots[0])
        for slot in slots:
            runner.rooms[slot].fill_(POISON)
        self.clock.synchronise()
        return self.now_ns()

    def _end(self, runner: Runner, slots: Sequence[int], started: int) -> float:
        for slot in slots:
            self.snapshots[slot].copy_(runner.rooms[slot])
            kept = self.arguments.setdefault(slot, {})
            for number in self.written:
                source = runner.inputs[slot][number]
                if number not in kept:
                    kept[number] = torch.empty_like(source)
                kept[number].copy_(source)
        self.clock.synchronise()
        return (self.now_ns() - started) / 1e3


def monotonic_ns() -> int:
    """A clock that nobody can set."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_MONOTONIC_RAW", time.CLOCK_MONOTONIC))
