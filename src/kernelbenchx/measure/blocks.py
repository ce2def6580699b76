"""Fresh inputs for every block of a case: seeds from the run's secret, values on the device."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from kernelbenchx.core.seeds import derived
from kernelbenchx.measure.inputs import (
    FEWEST_SLOTS,
    Described,
    described,
    layout_for,
    output_bytes,
    require_same_form,
    seed_of,
    slots_for,
)
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.timing.layout import Layout

_SEEDS = 1 << 31


@dataclass(frozen=True)
class Block:
    """One call for each slot."""

    calls: tuple[Call, ...]
    storages: tuple[tuple[torch.Tensor, ...], ...]
    seeds: tuple[int, ...] | None
    """What random tasks draw on, one for each call; None where nothing is random."""


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
    def of(cls, task: Task, name: str, case: Case, seed: int, where: "Where") -> "Inputs":
        """Draw once to see the form, and choose how many slots there are."""
        call = task.draw(case, derived(seed, name, case.name, "form"), where.device)
        found = described(call)
        outputs = output_bytes(task, call, where.device)
        single = layout_for(found, outputs, 1, task.form)
        slots = slots_for(single.stride, where.cache_bytes, where.room_bytes, where.fewest)
        layout = layout_for(found, outputs, slots, task.form)
        return cls(task, name, case, seed, where.device, layout)

    def block(self, number: int) -> Block:
        """Values that no call before had."""
        calls = [self._drawn(number, slot) for slot in range(self.layout.slots)]
        return self._placed(calls, number)

    def repeated(self, number: int) -> Block:
        """For contracts about several calls: the first slots hold one call, repeated as asked."""
        calls = [self._drawn(number, slot) for slot in range(self.layout.slots)]
        for position in range(min(self.task.contract.calls, len(calls))):
            calls[position] = calls[0].repeated(position)
        return self._placed(calls, number)

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


@dataclass(frozen=True)
class Where:
    """The device and what it offers."""

    device: str
    cache_bytes: int
    room_bytes: int
    """For the slots of one runner."""
    fewest: int = FEWEST_SLOTS
    """Slots that a case should have at least."""
