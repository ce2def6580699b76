"""Samples blocks of one case: all runners get the same fresh inputs, in a new random order."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from kernelbenchx.core.performance import Clock
from kernelbenchx.measure.block_times import BlockTimes, TimedSide
from kernelbenchx.measure.case_inputs import Block, CaseInputs
from kernelbenchx.measure.host_clock import JudgeClock, monotonic_ns
from kernelbenchx.measure.idle_probe import IdleProbe
from kernelbenchx.measure.output_judging import note_outputs
from kernelbenchx.measure.output_sampling import (
    LastOutput,
    OutputReservoir,
    OutputSnapshot,
    SampledOutput,
    copy_output,
)
from kernelbenchx.measure.random_repeats import RepeatDetector, make_repeat_detector
from kernelbenchx.measure.runner_client import RunnerClient, wake_up
from kernelbenchx.worker.timing.clocks import DeviceClock as DeviceClock

CALL_BLOCKS, CALLS, LARGE_CALLS = 4, 8, 4
"""Call time is measured in the first blocks only, and in each with at most so many calls; fewer if
arguments and results are large, since these take long to copy and to compute."""
LARGE_BYTES = 64 << 20
"""Of the arguments and results of one call."""

UNJUDGED = ("eager", "faithful")
"""The roles of torch itself, which is timed without judging it."""
CALLS_JUDGED = 1
"""Outputs of each pair that are judged by call time: its few blocks are short, and the quickest
counts."""


@dataclass
class Sampling:
    """Measures blocks of one case."""

    inputs: CaseInputs
    clock: DeviceClock
    chance: random.Random
    drawing: OutputReservoir
    how: str
    """`graph`, `queued` (runners report device time) or `batch` (host-timed)."""
    device_sides: Sequence[TimedSide]
    call_sides: Sequence[TimedSide]
    now_ns: Callable[[], int] = monotonic_ns
    times: BlockTimes = field(default_factory=BlockTimes)
    quickest_s: float = math.inf
    """Host-timed duration of a call on the quicker side, as far as it is known before blocks."""
    last: dict[str, LastOutput] = field(default_factory=dict)
    """By runner with a submission in it: what it returned last."""
    noted: dict[str, RepeatDetector] = field(default_factory=dict)
    """By such a runner, for tasks that draw random numbers: a sample of all that it returned."""

    def __post_init__(self) -> None:
        layout = self.inputs.layout
        rooms = [
            torch.empty(layout.outputs, dtype=torch.uint8, device=self.inputs.device)
            for _ in range(layout.slots)
        ]
        written = self.inputs.changed
        sides = [*self.device_sides, *self.call_sides]
        unjudged = frozenset(side.runner.name for side in sides if side.role in UNJUDGED)
        self._wall = JudgeClock(
            self.clock, rooms, self.now_ns, written, unjudged=unjudged, chance=self.chance
        )
        self.quiet, self._left = IdleProbe(self.clock, self.now_ns), False

    @property
    def calls_per_block(self) -> int:
        """Number of calls in a block for call time."""
        layout = self.inputs.layout
        return min(CALLS if layout.stride < LARGE_BYTES else LARGE_CALLS, layout.slots)

    def measure(self, number: int) -> None:
        """One block for device and call time; no process with a submission sees any value twice."""
        first = self.inputs.draw_block(4 * number)
        self._calibrate(first, number)
        if self.how != "batch":
            self._in_any_order(self._time_on_device, self.device_sides, first, number)
        for pair in (0, 1):
            if self.how == "batch":
                block = self.inputs.draw_block(4 * number + pair) if pair else first
                self._in_any_order(
                    self._time_on_device, _select_pair(self.device_sides, pair), block, number
                )
            if number < CALL_BLOCKS:
                block = self.inputs.draw_block(4 * number + 2 + pair, self.calls_per_block)
                self._in_any_order(
                    self._time_calls, _select_pair(self.call_sides, pair), block, number
                )

    def _in_any_order(
        self,
        step: Callable[[TimedSide, Block, int], None],
        sides: Sequence[TimedSide],
        block: Block,
        number: int,
    ) -> None:
        for side in self.chance.sample(sides, len(sides)):
            self._probe_idle(side.runner)
            with wake_up(side.runner):
                step(side, block, number)

    def _probe_idle(self, runner: RunnerClient) -> None:
        """Check that the submission before left no work on the GPU, which would slow down the next
        runner."""
        if runner.trusted and self._left:
            self.quiet.look()
        self._left = not runner.trusted

    def measure_repeated(self, number: int) -> Iterator[list[SampledOutput]]:
        """A block that looks like any other; its outputs are judged together, those of one process
        also if the next one fails."""
        block = self.inputs.draw_repeated_block(number)
        count = self.inputs.task.contract.calls
        candidates = {
            one.runner.name: one.runner for one in self.call_sides if one.role == "candidate"
        }
        for runner in candidates.values():
            self.last.pop(runner.name, None)
            with wake_up(runner):
                self._wall.elapsed_us(runner, "batch", block.storages, block.seeds, range(count))
                group = [
                    copy_output(runner, slot, block.calls[slot], self._snapshot(slot))
                    for slot in range(count)
                ]
            yield group

    def warm(self, first: Block) -> None:
        """Warm up: the first calls of a process are slower, so their times and outputs do not
        count."""
        all_slots = self.inputs.layout.slots
        sides = {side.runner.name: side for side in [*self.device_sides, *self.call_sides]}
        for side in sides.values():
            if side.runner.trusted:
                seeds = {} if first.seeds is None else {"seeds": list(first.seeds)}
                side.runner.run("graph" if self.how == "graph" else "queued", 60.0, **seeds)
            else:
                many = all_slots if self.how == "batch" else self.calls_per_block
                self._warm(side, "batch", self.inputs.draw_block(-2 - side.pair, many))
        self._wall.warmed_up = True
        for side in self.call_sides:
            self._warm(
                side, "call", self._choose_block(side, first.first(self.calls_per_block), -4)
            )
        if self.how == "batch":
            self.quickest_s = self._quickest_s(first)

    def _choose_block(self, side: TimedSide, first: Block, number: int) -> Block:
        trusted = side.runner.trusted
        return first if trusted else self.inputs.draw_block(number - side.pair, first.slots)

    def _quickest_s(self, first: Block) -> float:
        """Duration of a call on the quicker side, without the overhead around calls. The overhead
        is then forgotten: it is only typical once all processes are warm."""
        self._wall.elapsed_us(self._any_trusted(), "null", first.storages)
        found = [
            self._warm(side, "batch", self._choose_block(side, first, -6))
            for side in self.device_sides
        ]
        self._wall.usual.clear()
        return min(found) * 1e-6 / first.slots

    def _any_trusted(self) -> RunnerClient:
        return self.chance.choice([s.runner for s in self.call_sides if s.runner.trusted])

    def _warm(self, side: TimedSide, how: str, block: Block) -> float:
        with wake_up(side.runner):
            elapsed_us, _ = self._wall.elapsed_us(side.runner, how, block.storages, block.seeds)
        if not side.runner.trusted:
            self._remember(side.runner.name, range(block.slots))
        return elapsed_us

    def _time_on_device(self, side: TimedSide, block: Block, number: int) -> None:
        slots = self.inputs.layout.slots
        if self.how == "batch":
            elapsed, claimed = self._time_on_host(side, "batch", block)
            self.times.note_claim(side, Clock.DEVICE, claimed, elapsed, slots)
        else:
            for slot, storages in enumerate(block.storages):
                side.runner.fill(slot, storages)
            self.clock.synchronise()
            more: dict[str, Any] = {} if block.seeds is None else {"seeds": list(block.seeds)}
            elapsed = side.runner.run(self.how, **more)
        self.times.note(side, Clock.DEVICE, number, elapsed / slots)
        self._sample_block(side, block, walled=self.how == "batch")
        if self.how == "batch":
            self._keep_outputs(side, block, elapsed, Clock.DEVICE, self._wall.drawn)

    def _time_calls(self, side: TimedSide, block: Block, number: int) -> None:
        elapsed, claimed = self._time_on_host(side, "call", block)
        self.times.note_claim(side, Clock.CALL, claimed, elapsed, block.slots)
        self.times.note(side, Clock.CALL, number, elapsed / block.slots)
        self._keep_outputs(side, block, elapsed, Clock.CALL, self._wall.drawn[:CALLS_JUDGED])

    def _time_on_host(self, side: TimedSide, how: str, block: Block) -> tuple[float, float]:
        return self._wall.elapsed_us(
            side.runner, how, block.storages, block.seeds, self.drawing.most
        )

    def _sample_block(self, side: TimedSide, block: Block, *, walled: bool) -> None:
        """Decide after the block, when all its outputs exist, whether one is kept, and which.

        Not earlier: a submission that sees which output is taken would know that the others are
        not.
        """
        place = None if side.role in UNJUDGED else self.drawing.choose_place(side.runner.name)
        if place is not None:
            slot = self._wall.drawn[0] if walled else self.chance.randrange(block.slots)
            self.drawing.keep(place, self._sample_output(side, block, slot, walled))

    def _keep_outputs(
        self, side: TimedSide, block: Block, elapsed_us: float, clock: Clock, drawn: Sequence[int]
    ) -> None:
        """Keep outputs of the quickest block of each clock; of host-timed blocks these are among
        those that count. What happens by one clock says nothing about the other."""
        name, drawing = side.runner.name, self.drawing
        if side.runner.trusted:
            return
        if drawing.is_quickest(key := f"{name} {side.pair} by {clock}", elapsed_us):
            drawing.quickest[key] = [
                self._sample_output(side, block, one, walled=True) for one in drawn
            ]
        self._note_repeats(side.runner, block)
        self._remember(name, range(block.slots))
        slot = self._wall.spare
        self.last[name] = LastOutput(
            side.runner, slot, block.calls[slot], self._wall.before[name][slot]
        )

    def _note_repeats(self, runner: RunnerClient, block: Block) -> None:
        if self.inputs.task.randomness != "none":
            repeats = self.noted.setdefault(runner.name, make_repeat_detector(self.inputs.task))
            note_outputs(repeats, runner, block.calls, self._wall.snapshots)

    def _sample_output(
        self, side: TimedSide, block: Block, slot: int, walled: bool
    ) -> SampledOutput:
        before = self._wall.before.get(side.runner.name)
        earlier = None if before is None else before[slot].clone()
        snapshot = self._snapshot(slot) if walled else None
        return copy_output(side.runner, slot, block.calls[slot], snapshot, earlier)

    def _snapshot(self, slot: int) -> OutputSnapshot:
        return OutputSnapshot(self._wall.snapshots[slot], self._wall.arguments.get(slot, {}))

    def _remember(self, key: str, slots: Sequence[int]) -> None:
        kept = self._wall.before.setdefault(
            key, [torch.zeros_like(room) for room in self._wall.snapshots]
        )
        for slot in slots:
            kept[slot].copy_(self._wall.snapshots[slot])

    def _calibrate(self, block: Block, number: int) -> None:
        """Measure the overhead of host timing without calls, on a baseline."""
        runner = self._any_trusted()
        self._probe_idle(runner)
        if self.how == "batch":
            elapsed = self._null_us(runner, block)
            self.times.overheads.setdefault(Clock.DEVICE, []).append(elapsed / block.slots)
        if number < CALL_BLOCKS:
            few = block.first(self.calls_per_block)
            elapsed = self._null_us(runner, few)
            self.times.overheads.setdefault(Clock.CALL, []).append(elapsed / few.slots)

    def _null_us(self, runner: RunnerClient, block: Block) -> float:
        return self._wall.elapsed_us(runner, "null", block.storages, judged=self.drawing.most)[0]


def _select_pair(sides: Sequence[TimedSide], pair: int) -> list[TimedSide]:
    return [side for side in sides if side.pair == pair]
