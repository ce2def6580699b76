"""The processes around one submission, and the memory that they share with the bench."""

from collections.abc import Sequence
from dataclasses import dataclass

from kernelbenchx.measure.block_times import TimedSide
from kernelbenchx.measure.case_inputs import Block
from kernelbenchx.measure.process_control import end
from kernelbenchx.measure.runner_client import RunnerClient, awake
from kernelbenchx.worker.timing.clocks import DeviceClock
from kernelbenchx.worker.timing.layout import Layout


@dataclass(frozen=True)
class SubmissionRunners:
    """The processes of one submission."""

    entries: Sequence[RunnerClient]
    replays: Sequence[RunnerClient] = ()
    obstacle: str = ""
    """Why there are no replays."""
    digest: str = ""
    """Digest of the submission: no two are given the same inputs."""
    core_only: bool = False
    """It is not correct: only cases that ask for core alone, and are right, are timed."""
    dtype: str = ""
    """With `core_only`: only those in this dtype; empty for all."""


@dataclass(frozen=True)
class TimedRunners:
    """All processes around one submission, as lists of pairs."""

    entries: Sequence[RunnerClient]
    replays: Sequence[RunnerClient]
    baselines: dict[str, Sequence[RunnerClient]]

    @property
    def references(self) -> list[RunnerClient]:
        """Every process of a baseline."""
        return [runner for pair in self.baselines.values() for runner in pair]

    def sides(self, *, replayed: bool) -> tuple[list[TimedSide], list[TimedSide]]:
        """The runners to measure for device time, and those for call time."""
        measured = self.replays if replayed else self.entries
        baselines = [
            TimedSide(kind, pair, runner)
            for kind, pair_of in self.baselines.items()
            for pair, runner in enumerate(pair_of)
        ]
        devices, calls = (
            [TimedSide("candidate", pair, _nth(runners, pair)) for pair in (0, 1)]
            for runners in (measured, self.entries)
        )
        return devices + baselines, calls + baselines

    def resize(self, layout: Layout, first: Block, clock: DeviceClock) -> None:
        """Change the number of slots of all runners; what was loaded or recorded before is void."""
        for runner in [*self.references, *self.entries, *self.replays]:
            with awake(runner):
                runner.open(layout)
                fill_slots(runner, first, clock)

    def end_entries(self) -> None:
        """End the entries and free their GPU memory; they get no further requests."""
        for runner in self.entries:
            if runner.process >= 0:
                end(runner.process)


def fill_slots(runner: RunnerClient, first: Block, clock: DeviceClock) -> None:
    """Fill slots with values for untimed calls."""
    for slot, storages in enumerate(first.storages):
        runner.fill(slot, storages)
    clock.synchronise()


def _nth(runners: Sequence[RunnerClient], number: int) -> RunnerClient:
    return runners[number] if number < len(runners) else runners[0]
