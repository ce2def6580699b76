"""Fresh inputs for every block of a case: seeds from the run's secret, values on the device."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from kernelbenchx.core.seeds import derived
from kernelbenchx.measure.inputs import (
    Described,
    Where,
    described,
    layout_for,
    output_bytes,
    require_same_form,
    seed_of,
    slots_for,
)
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.task import Outputs, Task
from kernelbenchx.worker.timing.clocks import clock_of
from kernelbenchx.worker.timing.layout import Layout

_SEEDS = 1 << 31
_CALLS = 3


@dataclass(frozen=True)
class Block:
    """One call for each slot."""

    calls: tuple[Call, ...]
    storages: tuple[tuple[torch.Tensor, ...], ...]
    seeds: tuple[int, ...] | None
    """What random tasks draw on, one for each call; None where nothing is random."""

    @property
    def slots(self) -> int:
        """How many calls."""
        return len(self.calls)


@dataclass(frozen=True)
class Inputs:
    """All inputs of one timing case in one run."""

    task: Task
    name: str
    case: Case
    seed: int
    """The run's: secret until it is over."""
    device: str
    layout: Layout

    @classmethod
    def of(cls, task: Task, name: str, case: Case, seed: int, where: Where) -> "Inputs":
        """Draw once to see the form, and choose how many slots there are."""
        call = task.draw(case, derived(seed, name, case.name, "form"), where.device)
        found = described(call)
        call_s, outputs = _warm_call(task, call, where.device)
        single = layout_for(found, output_bytes(outputs), 1, task.form)
        layout = replace(single, slots=slots_for(single.stride, call_s, where))
        return cls(task, name, case, seed, where.device, layout)

    def for_one(self, digest: str) -> "Inputs":
        """The inputs of one submission: what another one saw of its own says nothing of them."""
        return replace(self, seed=derived(self.seed, digest))

    def block(self, number: int, slots: int | None = None) -> Block:
        """Values that no call before had, for all slots or the first few."""
        calls = [self._drawn(number, slot) for slot in range(slots or self.layout.slots)]
        return self._placed(calls, number)

    def repeated(self, number: int) -> Block:
        """For contracts about several calls: the first slots hold one call, repeated as asked."""
        calls = [self._drawn(number, slot) for slot in range(self.layout.slots)]
        for position in range(min(self.task.contract.calls, len(calls))):
            calls[position] = calls[0].repeated(position)
        return self._placed(calls, number)

    def written(self) -> tuple[int, ...]:
        """The storages that a call may write."""
        call = self._drawn(-1, 0)
        found = described(call)
        names = self.task.tensor_names(call)
        pairs = zip(found.indices, names, strict=True)
        return tuple(sorted({index for index, name in pairs if name in self.task.writes}))

    def _drawn(self, number: int, slot: int) -> Call:
        seed = derived(self.seed, self.name, self.case.name, number, slot)
        return self.task.draw(self.case, seed % _SEEDS, self.device)

    def _placed(self, calls: Sequence[Call], number: int) -> Block:
        found: list[Described] = [described(call) for call in calls]
        require_same_form(self.layout, found, self.name)
        seeds = None
        if self.task.randomness != "none":
            seeds = tuple(
                seed_of(call, derived(self.seed, self.name, number, slot, "randint") % _SEEDS)
                for slot, call in enumerate(calls)
            )
        return Block(tuple(calls), tuple(one.storages for one in found), seeds)


def _warm_call(task: Task, call: Call, device: str) -> tuple[float, Outputs]:
    """How long the reference takes about when it is warm, and what it returns."""
    clock = clock_of(torch.device(device))
    found = []
    for _ in range(_CALLS):
        clock.synchronise()
        started = time.perf_counter()
        outputs = task.native(call, device)
        clock.synchronise()
        found.append(time.perf_counter() - started)
    return min(found), outputs
