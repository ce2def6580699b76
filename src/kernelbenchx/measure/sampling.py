"""Blocks of one case: every runner gets the same fresh inputs, in an order drawn anew."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import torch

from kernelbenchx.core.performance import Clock, Sample
from kernelbenchx.measure.blocks import Block, Inputs
from kernelbenchx.measure.judging import Drawing, Last, Snapshot, Taken, take
from kernelbenchx.measure.runners import Runner, turn
from kernelbenchx.measure.walls import Wall, monotonic_ns
from kernelbenchx.worker.timing.clocks import Clock as DeviceClock

CALL_BLOCKS, CALLS, LARGE_CALLS = 4, 8, 4
"""The call clock takes part in the first blocks only, and in each with so many calls at most; fewer
of those with large arguments and results, which take long to come and go, and to be called."""
LARGE_BYTES = 64 << 20
"""Of one call."""

UNJUDGED = ("eager", "faithful")
"""The roles of torch itself, which is timed as it is."""
CALLS_JUDGED = 1
"""Outputs of each pair by the call clock: its few blocks are short, and the quickest answers."""
_LEAST_US = 1e-3
_MUCH_LESS, _CLAIM_SLACK_US = 0.25, 10.0
"""Both clocks go around the same calls. Ours also counts what is put off until results are copied,
which odd strides of a result make longer, too, but hardly by three times the calls."""


@dataclass(frozen=True)
class Side:
    """One runner in one role."""

    role: str
    """`candidate` or the name of a baseline."""
    pair: int
    runner: Runner


@dataclass
class Times:
    """Mean times of a call in microseconds, by role, clock, pair and block."""

    found: dict[tuple[str, Clock], dict[tuple[int, int], float]] = field(default_factory=dict)
    overheads: dict[Clock, list[float]] = field(default_factory=dict)
    """What the judge's clock itself costs for each call."""
    claimed: dict[tuple[Clock, int], list[tuple[float, float, int]]] = field(default_factory=dict)
    """By clock and pair: what a candidate's own clock said of a block, beside ours, and how many
    calls it has."""

    def note(self, side: Side, clock: Clock, block: int, elapsed_us: float) -> None:
        """A time of one side, with all that the clock costs."""
        self.found.setdefault((side.role, clock), {})[side.pair, block] = elapsed_us

    def overhead(self, clock: Clock) -> float:
        """The best that is known of what the clock costs."""
        return median(self.overheads.get(clock, [0.0]))

    def flags(self) -> list[str]:
        """A clock in the submission's process that says much less than ours was tampered with.

        In most blocks: a few calls take less time than a host that does something else for once.
        """
        for (clock, _pair), blocks in self.claimed.items():
            cost = self.overhead(clock)
            both = [(claimed, gross - cost * calls) for claimed, gross, calls in blocks]
            less = [one for one in both if one[0] < _MUCH_LESS * one[1] - _CLAIM_SLACK_US]
            if 2 * len(less) > len(both):
                claimed, ours = less[0]
                return [
                    f"the clock in the submission's process says {claimed:.0f} us "
                    f"where the judge's says {ours:.0f} us: only the judge's counts"
                ]
        return []

    def claim(self, side: Side, clock: Clock, claimed_us: float, gross_us: float, of: int) -> None:
        """What a process itself says of a block of so many calls, beside what we say."""
        if side.role == "candidate":
            known = self.claimed.setdefault((clock, side.pair), [])
            known.append((claimed_us, gross_us, of))

    def samples(self, baseline: str, clock: Clock) -> tuple[Sample, ...]:
        """The pairs and blocks that both sides have, without what the clock costs."""
        mine = self.found.get(("candidate", clock), {})
        theirs = self.found.get((baseline, clock), {})
        cost = self.overhead(clock)
        return tuple(
            Sample(
                pair=pair,
                block=block,
                candidate_us=max(mine[pair, block] - cost, _LEAST_US),
                baseline_us=max(theirs[pair, block] - cost, _LEAST_US),
            )
            for pair, block in sorted(mine.keys() & theirs.keys())
        )


@dataclass
class Sampling:
    """Measures blocks of one case."""

    inputs: Inputs
    clock: DeviceClock
    chance: random.Random
    drawing: Drawing
    how: str
    """`graph`, `queued` (runners whose own clocks count) or `batch` (the judge's clock)."""
    device_sides: Sequence[Side]
    call_sides: Sequence[Side]
    now_ns: Callable[[], int] = monotonic_ns
    times: Times = field(default_factory=Times)
    quickest_s: float = math.inf
    """A call of whoever is quicker by the judge's clock, as far as it is known before blocks."""
    last: dict[str, Last] = field(default_factory=dict)
    """By runner with a submission in it: what it returned last."""

    def __post_init__(self) -> None:
        layout = self.inputs.layout
        rooms = [
            torch.empty(layout.outputs, dtype=torch.uint8, device=self.inputs.device)
            for _ in range(layout.slots)
        ]
        written = self.inputs.written()
        sides = [*self.device_sides, *self.call_sides]
        unjudged = frozenset(side.runner.name for side in sides if side.role in UNJUDGED)
        self._wall = Wall(self.clock, rooms, self.now_ns, written, unjudged=unjudged)

    @property
    def waited_for(self) -> int:
        """So many calls a block of the call clock has."""
        layout = self.inputs.layout
        return min(CALLS if layout.stride < LARGE_BYTES else LARGE_CALLS, layout.slots)

    def measure(self, number: int) -> None:
        """One block of both clocks; no process with a submission in it sees any value twice."""
        first = self.inputs.block(4 * number)
        self._calibrate(first, number)
        if self.how != "batch":
            self._in_any_order(self._by_device, self.device_sides, first, number)
        for pair in (0, 1):
            if self.how == "batch":
                block = self.inputs.block(4 * number + pair) if pair else first
                self._in_any_order(self._by_device, _of(self.device_sides, pair), block, number)
            if number < CALL_BLOCKS:
                block = self.inputs.block(4 * number + 2 + pair, self.waited_for)
                self._in_any_order(self._by_call, _of(self.call_sides, pair), block, number)

    def _in_any_order(
        self,
        step: Callable[[Side, Block, int], None],
        sides: Sequence[Side],
        block: Block,
        number: int,
    ) -> None:
        for side in self.chance.sample(sides, len(sides)):
            with turn(side.runner):
                step(side, block, number)

    def measure_repeated(self, number: int) -> Iterator[list[Taken]]:
        """A block that nobody can tell from the others; its outputs are judged together, those of
        one process also where the next one fails."""
        block = self.inputs.repeated(number)
        count = self.inputs.task.contract.calls
        candidates = {
            one.runner.name: one.runner for one in self.call_sides if one.role == "candidate"
        }
        for runner in candidates.values():
            self.last.pop(runner.name, None)
            with turn(runner):
                self._wall.elapsed_us(runner, "batch", block.storages, block.seeds)
                group = [
                    take(runner, slot, block.calls[slot], self._snapshot(slot))
                    for slot in range(count)
                ]
            yield group

    def warm(self, first: Block) -> None:
        """The first calls of a process are slower; their times and outputs say nothing yet."""
        all_slots = self.inputs.layout.slots
        sides = {side.runner.name: side for side in [*self.device_sides, *self.call_sides]}
        for side in sides.values():
            if side.runner.trusted:
                seeds = {} if first.seeds is None else {"seeds": list(first.seeds)}
                side.runner.run("graph" if self.how == "graph" else "queued", 60.0, **seeds)
            else:
                many = all_slots if self.how == "batch" else self.waited_for
                self._warm(side, "batch", self.inputs.block(-2 - side.pair, many))
        self._wall.limber = True
        for side in self.call_sides:
            self._warm(side, "call", self._unseen(side, first.first(self.waited_for), -4))
        if self.how == "batch":
            self.quickest_s = self._quickest_s(first)

    def _unseen(self, side: Side, first: Block, number: int) -> Block:
        trusted = side.runner.trusted
        return first if trusted else self.inputs.block(number - side.pair, first.slots)

    def _quickest_s(self, first: Block) -> float:
        """A call of whoever is quicker, without what is around the calls; that is forgotten again:
        it is usual only when everybody is warm."""
        self._wall.elapsed_us(self._any_trusted(), "null", first.storages)
        found = [
            self._warm(side, "batch", self._unseen(side, first, -6)) for side in self.device_sides
        ]
        self._wall.usual.clear()
        return min(found) * 1e-6 / first.slots

    def _any_trusted(self) -> Runner:
        return self.chance.choice([s.runner for s in self.call_sides if s.runner.trusted])

    def _warm(self, side: Side, how: str, block: Block) -> float:
        with turn(side.runner):
            elapsed_us, _ = self._wall.elapsed_us(side.runner, how, block.storages, block.seeds)
        if not side.runner.trusted:
            self._remember(side.runner.name, range(block.slots))
        return elapsed_us

    def _by_device(self, side: Side, block: Block, number: int) -> None:
        slots = self.inputs.layout.slots
        if self.how == "batch":
            elapsed, claimed = self._wall.elapsed_us(
                side.runner, "batch", block.storages, block.seeds
            )
            self.times.claim(side, Clock.DEVICE, claimed, elapsed, slots)
        else:
            for slot, storages in enumerate(block.storages):
                side.runner.fill(slot, storages)
            self.clock.synchronise()
            more: dict[str, Any] = {} if block.seeds is None else {"seeds": list(block.seeds)}
            elapsed = side.runner.run(self.how, **more)
        self.times.note(side, Clock.DEVICE, number, elapsed / slots)
        self._draw(side, block, walled=self.how == "batch")
        if self.how == "batch":
            self._answer(side, block, elapsed, Clock.DEVICE, self.drawing.most)

    def _by_call(self, side: Side, block: Block, number: int) -> None:
        elapsed, claimed = self._wall.elapsed_us(side.runner, "call", block.storages, block.seeds)
        self.times.claim(side, Clock.CALL, claimed, elapsed, block.slots)
        self.times.note(side, Clock.CALL, number, elapsed / block.slots)
        self._answer(side, block, elapsed, Clock.CALL, min(CALLS_JUDGED, self.drawing.most))

    def _draw(self, side: Side, block: Block, *, walled: bool) -> None:
        """All outputs of the block are there: now it is drawn whether one is kept, and which.

        Not before: who sees that one was taken would know that the others are not.
        """
        place = None if side.role in UNJUDGED else self.drawing.place(side.runner.name)
        if place is not None:
            slot = self.chance.randrange(block.slots)
            self.drawing.keep(place, self._taken(side, block, slot, walled))

    def _answer(self, side: Side, block: Block, elapsed_us: float, clock: Clock, most: int) -> None:
        """Some outputs are of the quickest block of each clock, which is among those that count
        by the judge's: what happens by one clock says nothing of what happens by the other."""
        name, drawing = side.runner.name, self.drawing
        if side.runner.trusted:
            return
        if drawing.is_quickest(key := f"{name} {side.pair} by {clock}", elapsed_us):
            slots = self.chance.sample(range(block.slots), min(most, block.slots))
            drawing.quickest[key] = [self._taken(side, block, one, walled=True) for one in slots]
        self._remember(name, range(block.slots))
        self.last[name] = Last(side.runner, block.calls[0], self._wall.before[name][0])

    def _taken(self, side: Side, block: Block, slot: int, walled: bool) -> Taken:
        before = self._wall.before.get(side.runner.name)
        earlier = None if before is None else before[slot].clone()
        snapshot = self._snapshot(slot) if walled else None
        return take(side.runner, slot, block.calls[slot], snapshot, earlier)

    def _snapshot(self, slot: int) -> Snapshot:
        return Snapshot(self._wall.snapshots[slot], self._wall.arguments.get(slot, {}))

    def _remember(self, key: str, slots: Sequence[int]) -> None:
        kept = self._wall.before.setdefault(
            key, [torch.zeros_like(room) for room in self._wall.snapshots]
        )
        for slot in slots:
            kept[slot].copy_(self._wall.snapshots[slot])

    def _calibrate(self, block: Block, number: int) -> None:
        """Everything but the calls, by a baseline: what the judge's clock itself costs."""
        runner = self._any_trusted()
        if self.how == "batch":
            elapsed, _ = self._wall.elapsed_us(runner, "null", block.storages)
            self.times.overheads.setdefault(Clock.DEVICE, []).append(elapsed / block.slots)
        if number < CALL_BLOCKS:
            few = block.storages[: self.waited_for]
            elapsed, _ = self._wall.elapsed_us(runner, "null", few)
            self.times.overheads.setdefault(Clock.CALL, []).append(elapsed / len(few))


def _of(sides: Sequence[Side], pair: int) -> list[Side]:
    return [side for side in sides if side.pair == pair]
