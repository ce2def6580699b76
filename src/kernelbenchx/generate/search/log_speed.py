"""How fast a kernel is, as a search compares it: a number with an interval, or an estimate."""

import math
from dataclasses import dataclass

ALPHA_WIDTH = 2 * 1.96
"""How many standard deviations an interval of a speedup is wide; looks make it wider, so that
what is computed from it errs towards more noise."""


@dataclass(frozen=True)
class LogSpeed:
    """Logarithm of the speedup over eager: more is faster, and differences are factors."""

    value: float
    low: float
    high: float
    measured: bool = True
    """Otherwise no clock was read: an estimate from what the compiler said."""

    @property
    def sd(self) -> float:
        """Of the noise."""
        return max(0.0, self.high - self.low) / ALPHA_WIDTH

    @property
    def factor(self) -> float:
        """The speedup itself."""
        return math.exp(self.value)


def improves(one: LogSpeed, other: LogSpeed) -> bool:
    """Whether one counts as faster: its lower end rises, and the number with it.

    Of two measurements of the same code one is always higher; its lower end need not be.
    """
    if one.measured is not other.measured:
        return one.measured
    return one.low > other.low and one.value > other.value
