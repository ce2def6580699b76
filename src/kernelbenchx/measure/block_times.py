"""The times of a case's blocks, by runner and clock, until they are compared."""

from dataclasses import dataclass, field
from statistics import median

from kernelbenchx.core.performance import Clock, Sample
from kernelbenchx.measure.runner_client import RunnerClient

_LEAST_US = 1e-3
_MUCH_LESS, _CLAIM_SLACK_US = 0.25, 10.0
"""Both clocks measure the same calls. The judge's time also includes work that is deferred until
results are copied. Odd strides of a result increase it, but hardly to three times the calls."""


@dataclass(frozen=True)
class TimedSide:
    """One runner in one role."""

    role: str
    """`candidate` or the name of a baseline."""
    pair: int
    runner: RunnerClient


@dataclass
class BlockTimes:
    """Mean times of a call in microseconds, by role, clock, pair and block."""

    found: dict[tuple[str, Clock], dict[tuple[int, int], float]] = field(default_factory=dict)
    overheads: dict[Clock, list[float]] = field(default_factory=dict)
    """Overhead of host timing for each call."""
    claimed: dict[tuple[Clock, int], list[tuple[float, float, int]]] = field(default_factory=dict)
    """By clock and pair: the time of a block that the submission's process claims, the judge's
    time, and the number of calls."""

    def note(self, side: TimedSide, clock: Clock, block: int, elapsed_us: float) -> None:
        """Note a time of one side, overhead included."""
        self.found.setdefault((side.role, clock), {})[side.pair, block] = elapsed_us

    def overhead(self, clock: Clock) -> float:
        """The best estimate of the overhead."""
        return median(self.overheads.get(clock, [0.0]))

    def flags(self) -> list[str]:
        """Flag a clock in the submission's process that claims much less than the judge's time: it
        was tampered with.

        In most blocks: a few calls take less time than one pause of the host.
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

    def note_claim(
        self, side: TimedSide, clock: Clock, claimed_us: float, gross_us: float, of: int
    ) -> None:
        """Note the time that a process claims for a block of so many calls, beside the judge's
        time."""
        if side.role == "candidate":
            known = self.claimed.setdefault((clock, side.pair), [])
            known.append((claimed_us, gross_us, of))

    def samples(self, baseline: str, clock: Clock) -> tuple[Sample, ...]:
        """The pairs and blocks that both sides have, without overhead."""
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
