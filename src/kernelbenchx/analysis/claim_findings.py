"""The finding of a study about a claim, and its verdict."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

import numpy as np

from kernelbenchx.analysis.claim_statements import BY_NAME, ClaimStatement, Side
from kernelbenchx.analysis.intervals import FEWEST, Floats, student
from kernelbenchx.analysis.table import Interval

POINTS, PERCENT, RATIO, KERNELS = "points", "percent", "ratio", "kernels"
LIKELIHOOD = "log likelihood"
"""Its differences are half of those of deviances."""
FEWEST_TASKS = 6
"""For a verdict, in each group where two are compared. At even odds five tasks that all end alike
are no rare chance (two-sided sign test: p = 0.06), six are (p = 0.03)."""


class Ends(TypedDict):
    """A value with its interval, in a unit."""

    value: float
    low: float
    high: float


def scale_interval(found: Interval, by: float = 100.0) -> Ends:
    """A share as percent or points."""
    return {"value": by * found.value, "low": by * found.low, "high": by * found.high}


class ClaimVerdict(StrEnum):
    """Of a claim in a study."""

    HOLDS = "holds"
    FAILS = "fails"
    UNKNOWN = "cannot be told"
    FEW = "not enough"
    """Tasks: whatever the interval is."""


@dataclass(frozen=True, kw_only=True)
class ClaimFinding:
    """A value for a claim. NaN: not known, and never made up."""

    claim: str
    subject: str
    """Which method, step or GPU it is about."""
    n: int | None
    of: str
    """What n counts."""
    tasks: int | None
    """The draws behind the interval; of two groups the smaller one. None: not known."""
    unit: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    first: float = math.nan
    second: float = math.nan
    """The two numbers that are compared, where there are two."""
    compared: str = ""
    """What these are."""
    printed_first: float | None = None
    printed_second: float | None = None
    note: str = ""

    @property
    def statement(self) -> ClaimStatement:
        """The claim that it is about."""
        return BY_NAME[self.claim]

    @property
    def verdict(self) -> ClaimVerdict:
        """Holds or fails only where the whole interval lies on one side of the threshold, and it is
        that of enough tasks. One end is enough where it is the end that decides.
        """
        if self.tasks is not None and self.tasks < FEWEST_TASKS:
            return ClaimVerdict.FEW
        border, above = self.statement.threshold, self.statement.side is Side.ABOVE
        if self.low > border:
            return ClaimVerdict.HOLDS if above else ClaimVerdict.FAILS
        if self.high < border:
            return ClaimVerdict.FAILS if above else ClaimVerdict.HOLDS
        return ClaimVerdict.UNKNOWN


def ratio_of_means(first: Sequence[float], second: Sequence[float]) -> tuple[float, float, float]:
    """Of geometric means, with Welch's interval: the groups differ in size and in spread.

    Below three values in either group there is a ratio and no interval.
    """
    logs: list[Floats] = [np.log(np.asarray(one, float)) for one in (first, second)]
    if not all(one.size for one in logs):
        return math.nan, math.nan, math.nan
    value = float(logs[0].mean() - logs[1].mean())
    if min(one.size for one in logs) < FEWEST:
        return math.exp(value), math.nan, math.nan
    parts = [float(one.var(ddof=1)) / one.size for one in logs]
    variance = sum(parts)
    spare = sum(part**2 / (one.size - 1) for part, one in zip(parts, logs, strict=True))
    freedom = variance**2 / spare if spare else 1.0
    width = float(student(freedom)) * math.sqrt(variance)
    return math.exp(value), math.exp(value - width), math.exp(value + width)
