"""Fresh inputs for every block of a case: seeds from the run's secret, values on the device."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import torch

from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.measure.input_layout import (
    BATCH_S,
    FIXED,
    CallDescription,
    SlotBounds,
    TimingDevice,
    bounds_for,
    describe_call,
    layout_for,
    output_bytes,
    require_room,
    require_same_form,
    require_timely,
    seed_of,
    slots_for,
)
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.imported_problem import ImportedProblem
from kernelbenchx.spec.modules import made_from
from kernelbenchx.spec.problem import Problem
from kernelbenchx.spec.task import Outputs, Task
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing.clocks import DeviceClock, clock_of
from kernelbenchx.worker.timing.layout import Layout
from kernelbenchx.worker.timing.submission_program import SubmissionProgram

T = TypeVar("T")

_SEEDS = 1 << 31
_CALLS = 3
_WORTH_IT = 1.25
"""Numbers of slots that differ by less than this factor are not worth reopening all memory."""
_PATIENCE_S = 5.0
"""Limit for eager on one call that is quick enough: the first is cold, and submissions may be
checked on the GPU at the same time."""


@dataclass(frozen=True)
class Block:
    """One call for each slot."""

    calls: tuple[Call, ...]
    storages: tuple[tuple[torch.Tensor, ...], ...]
    seeds: tuple[int, ...] | None
    """Seeds for random tasks, one for each call; None if nothing is random."""

    @property
    def slots(self) -> int:
        """Number of calls."""
        return len(self.calls)

    def first(self, many: int) -> "Block":
        """The first few calls."""
        seeds = None if self.seeds is None else self.seeds[:many]
        return Block(self.calls[:many], self.storages[:many], seeds)


@dataclass(frozen=True)
class CaseInputs:
    """All inputs of one timing case in one run."""

    task: Task
    name: str
    case: Case
    seed: int
    """The seed of the run: secret until it is over."""
    device: str
    layout: Layout
    bounds: SlotBounds = FIXED
    changed: tuple[int, ...] = ()
    """Storages that a call of this case writes: its results may lie there."""

    @classmethod
    def of(
        cls,
        task: Task,
        name: str,
        case: Case,
        seed: int,
        where: TimingDevice,
        own_eager: Callable[[Call], float] | None = None,
    ) -> "CaseInputs":
        """Draw once to see the form, and choose how many slots there are.

        `own_eager`: how long eager takes, if its module does not run in this process. Raises a
        fault of the evaluator if the case takes too long to time, or is too large for the GPU.
        """
        if isinstance(task, Problem):  # a module that is built once keeps its weights
            task = task.with_weights_of(derive_seed(seed, name, case.name, "weights") % _SEEDS)
        call = task.draw(case, derive_seed(seed, name, case.name, "form"), where.device)
        found = describe_call(call)
        if own_eager is not None:
            call_s, outputs = own_eager(call), task.native(call, where.device)
        else:
            call_s, outputs = _warm_call(task, call, where.device)
        single = layout_for(found, output_bytes(outputs), 1, task.form)
        place, calls = f"{name}, {case.name}", task.contract.calls
        require_room(place, single.stride, where, calls)
        eager_s = call_s if own_eager is not None else _eager_s(task, call, where)
        require_timely(place, eager_s, where)
        layout = replace(single, slots=slots_for(single.stride, call_s, where, calls))
        bounds = bounds_for(single.stride, call_s, where, calls)
        changed = _find_written(task, call, where.device)
        return cls(task, name, case, seed, where.device, layout, bounds, changed)

    def for_submission(self, digest: str) -> "CaseInputs":
        """The inputs of one submission: another submission's inputs reveal nothing about them."""
        return replace(self, seed=derive_seed(self.seed, digest))

    @property
    def may_be_shorter(self) -> bool:
        """Whether fewer slots are possible for a slow candidate."""
        return self.bounds.fewest * _WORTH_IT <= self.layout.slots

    def shorter(self, call_s: float) -> "CaseInputs | None":
        """Fewer slots for a candidate whose calls take so long; None if these blocks are short
        enough."""
        wanted = max(self.bounds.fewest, int(BATCH_S / max(call_s, 1e-9)))
        return self._with(wanted) if wanted * _WORTH_IT <= self.layout.slots else None

    def longer(self, call_s: float) -> "CaseInputs | None":
        """More slots if the quicker side's calls take so long; None if these blocks are long
        enough."""
        wanted = min(self.bounds.most, math.ceil(self.bounds.least_s / max(call_s, 1e-9)))
        return self._with(wanted) if wanted >= _WORTH_IT * self.layout.slots else None

    def _with(self, slots: int) -> "CaseInputs":
        """Change the slots only once: the speed that a process shows before timing is not worth
        another try."""
        return replace(self, layout=replace(self.layout, slots=slots), bounds=FIXED)

    @property
    def touched_bytes(self) -> int:
        """Bytes that one call touches; the cost of a published problem counts its results alone."""
        if isinstance(self.task, ImportedProblem):
            return self.layout.stride
        return self.task.cost(**self.case.params).bytes

    def draw_block(self, number: int, slots: int | None = None) -> Block:
        """Draw values that no call before had, for all slots or the first few."""
        calls = [self._draw_call(number, slot) for slot in range(slots or self.layout.slots)]
        return self._make_block(calls, number)

    def draw_repeated_block(self, number: int) -> Block:
        """For contracts about several calls: the first slots hold one call, repeated as asked."""
        calls = [self._draw_call(number, slot) for slot in range(self.layout.slots)]
        for position in range(self.task.contract.calls):
            calls[position] = calls[0].repeat(position)
        return self._make_block(calls, number)

    def _draw_call(self, number: int, slot: int) -> Call:
        seed = derive_seed(self.seed, self.name, self.case.name, number, slot)
        return self.task.draw(self.case, seed % _SEEDS, self.device)

    def _make_block(self, calls: Sequence[Call], number: int) -> Block:
        found: list[CallDescription] = [describe_call(call) for call in calls]
        require_same_form(self.layout, found, self.name)
        seeds = None
        if self.task.randomness != "none":
            seeds = tuple(
                seed_of(call, derive_seed(self.seed, self.name, number, slot, "randint") % _SEEDS)
                for slot, call in enumerate(calls)
            )
        return Block(tuple(calls), tuple(one.storages for one in found), seeds)


def _warm_call(task: Task, call: Call, device: str) -> tuple[float, Outputs]:
    """Roughly how long the warm reference takes, and what it returns."""
    clock = clock_of(torch.device(device))
    found = []
    for _ in range(_CALLS):
        took, outputs = _time_call(clock, lambda: task.native(call, device))
        found.append(took)
    return min(found), outputs


def _find_written(task: Task, call: Call, device: str) -> tuple[int, ...]:
    """The storages that a call writes: not every case writes, since `inplace` may be False."""
    if not task.writes:
        return ()
    own = call.copy().concrete(device)
    task.outputs(task.reference, own)
    pairs = zip(describe_call(call).storages, describe_call(own).storages, strict=True)
    return tuple(number for number, (one, two) in enumerate(pairs) if not torch.equal(one, two))


def _eager_s(task: Task, call: Call, where: TimingDevice) -> float:
    """The best time of eager, on existing arguments and an existing module.

    Only as precise as needed: nothing is called if any time will do.
    """
    if where.most_call_s == math.inf:
        return 0.0
    own = call.copy().concrete(where.device)
    given = Arguments(own.args, dict(own.kwargs), own.init, dict(own.state), {}, **made_from(own))
    eager = SubmissionProgram(task.baseline, task.form).bind(given)
    clock, began, found = clock_of(torch.device(where.device)), time.perf_counter(), [math.inf]
    while min(found) > where.most_call_s and (
        len(found) <= _CALLS or time.perf_counter() - began < _PATIENCE_S
    ):
        found.append(_time_call(clock, eager)[0])
    return min(found)


def _time_call(clock: DeviceClock, call: Callable[[], T]) -> tuple[float, T]:
    clock.synchronise()
    started = time.perf_counter()
    result = call()
    clock.synchronise()
    return time.perf_counter() - started, result
