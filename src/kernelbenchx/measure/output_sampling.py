"""Samples outputs of timed calls: copied when drawn, and kept until judged."""

import math
import random
from dataclasses import dataclass, field
from typing import Any

import torch

from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.spec.call import Call

POISON = 0xFF
"""NaN in every floating dtype, -1 in every signed integer."""
JUDGED = 2
"""Outputs of each process that are compared with the truth, and as many of its quickest block."""
LARGE_BYTES = 256 << 20
"""Of the arguments and results of one call."""


def choose_sample_count(call_bytes: int) -> int:
    """How many outputs to sample: judging a large result takes longer than timing it, so one of
    each process is enough."""
    return JUDGED if call_bytes < LARGE_BYTES else 1


@dataclass(frozen=True)
class SampledOutput:
    """One output of a timed call, copied as soon as it was drawn."""

    runner: str
    call: Call
    described: dict[str, Any]
    room: torch.Tensor
    storages: tuple[torch.Tensor, ...]
    """All arguments as the call left them."""
    before: torch.Tensor | None
    """Content of the same place after the call before."""
    later: torch.Tensor | None = None
    """Its content a moment later, if it was examined again."""


@dataclass
class OutputReservoir:
    """Keeps a few outputs of each runner, no two of one block, every block with equal
    probability."""

    most: int
    chance: random.Random
    kept: dict[str, list[SampledOutput]] = field(default_factory=dict)
    quickest: dict[str, list[SampledOutput]] = field(default_factory=dict)
    """Of the quickest block of a runner by one clock, which decides if the quickest blocks
    count."""
    _seen: dict[str, int] = field(default_factory=dict)
    _best: dict[str, float] = field(default_factory=dict)

    def outputs(self) -> list[SampledOutput]:
        """All kept outputs."""
        return [
            one for kept in (self.kept, self.quickest) for some in kept.values() for one in some
        ]

    def is_quickest(self, key: str, elapsed_us: float) -> bool:
        """Whether no block of this kind took less time before; notes it."""
        quicker = elapsed_us < self._best.get(key, math.inf)
        if quicker:
            self._best[key] = elapsed_us
        return quicker

    def choose_place(self, runner: str) -> int | None:
        """The place for the next output of a runner, or None to skip it."""
        seen = self._seen[runner] = self._seen.get(runner, 0) + 1
        if seen <= self.most:
            return seen - 1
        number = self.chance.randrange(seen)
        return number if number < self.most else None

    def keep(self, place: int, taken: SampledOutput) -> None:
        """Store it there, in place of the earlier one."""
        kept = self.kept.setdefault(taken.runner, [])
        if place < len(kept):
            kept[place] = taken
        else:
            kept.append(taken)


@dataclass(frozen=True)
class OutputSnapshot:
    """Content at the time when the clock stopped."""

    room: torch.Tensor
    arguments: dict[int, torch.Tensor] = field(default_factory=dict)
    """By storage: those whose content may have changed since."""


@dataclass(frozen=True)
class LastOutput:
    """The slot of a runner after its last block whose arguments are still in place."""

    runner: RunnerClient
    slot: int
    call: Call
    room: torch.Tensor
    """Content at the time when the clock stopped."""


def copy_output(
    runner: RunnerClient,
    slot: int,
    call: Call,
    snapshot: OutputSnapshot | None = None,
    before: torch.Tensor | None = None,
) -> SampledOutput:
    """Copy the content of a slot, now or when the clock stopped. With a snapshot the runner is not
    asked, so its submission does not learn of it."""
    if snapshot is None:
        answer = runner.ask({"op": "collect", "slot": slot}, 20.0).header
        room = runner.rooms[slot]
    else:
        answer, room = read_description(runner, slot), snapshot.room
    stopped = {} if snapshot is None else snapshot.arguments
    storages = tuple(
        stopped.get(number, storage).clone() for number, storage in enumerate(runner.inputs[slot])
    )
    taken = SampledOutput(runner.name, call, answer, room.clone(), storages, before)
    _wait(room.device)
    return taken


def read_description(runner: RunnerClient, slot: int) -> dict[str, Any]:
    """The runner's description of all its results; empty if invalid, which is found later."""
    said = runner.descriptions[slot] if slot < len(runner.descriptions) else None
    return said if isinstance(said, dict) else {}


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
