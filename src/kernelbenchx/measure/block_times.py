"""What was measured of the calls of a case, by whom and by which clock, until it is compared."""

from dataclasses import dataclass, field
from statistics import median

from kernelbenchx.core.performance import Clock, Sample
from kernelbenchx.measure.runner_client import RunnerClient

_LEAST_US = 1e-3
_MUCH_LESS, _CLAIM_SLACK_US = 0.25, 10.0
"""Both clocks go around the same calls. Ours also counts what is put off until results are copied,
which odd strides of a result make longer, too, but hardly by three times the calls."""


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
    """What the judge's clock itself costs for each call."""
    claimed: dict[tuple[Clock, int], list[tuple[float, float, int]]] = field(default_factory=dict)
    """By clock and pair: what a candidate's own clock said of a block, beside ours, and how many
    calls it has."""

    def note(self, side: TimedSide, clock: Clock, block: int, elapsed_us: float) -> None:
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

    def note_claim(
        self, side: TimedSide, clock: Clock, claimed_us: float, gross_us: float, of: int
    ) -> None:
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
