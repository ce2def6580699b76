"""Why a mean changed from one round to the next: other kernels in it, or kernels that changed.

With *kept* for the lines that have a time in both rounds, *entered* and *left* for those that
have one in the later or the earlier round only, and m for means:

    m(after) - m(before) = real + entering + leaving
    real     = m(kept, after) - m(kept, before)
    entering = m(after) - m(kept, after)       = share entered x (m(entered) - m(kept, after))
    leaving  = m(kept, before) - m(before)     = share left x (m(kept, before) - m(left))

It is an identity, with nothing left over. The real part splits again, exactly, into lines whose
code is the same (measured again) and those whose code is not (rewritten). Lines that stand at one
measurement in both rounds were not measured again, and add 0.
"""

from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis.frame import Flags
from kernelbenchx.analysis.intervals import Codes, Floats, student
from kernelbenchx.analysis.table import Interval

PARTS = (
    "change", "real", "rewritten", "remeasured", "members", "entering", "leaving",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Decomposition:
    """The change of a mean and its parts, each with an interval over tasks."""

    before: float
    after: float
    kept: int
    same_code: int
    """Of those kept."""
    unmoved: int
    """Of those with the same code: at the same measurement in both rounds."""
    entered: int
    left: int
    parts: dict[str, Interval]
    """By `PARTS`, `members` being entering and leaving; empty where no line has both times."""


def decompose(
    before: Floats, after: Floats, tasks: Codes, same: Flags, unmoved: Flags | None = None
) -> Decomposition:
    """From one value per line and round, NaN where there is none; every line has one voice."""
    here, there = np.isfinite(before), np.isfinite(after)
    kept, entered, left = here & there, there & ~here, here & ~there
    columns = (
        (kept, np.where(kept, before, 0.0)),
        (kept, np.where(kept, after, 0.0)),
        (entered, np.where(entered, after, 0.0)),
        (left, np.where(left, before, 0.0)),
        (kept & same, np.where(kept & same, after - before, 0.0)),
    )
    _, task = np.unique(tasks[here | there], return_inverse=True)
    rows = np.stack([part[here | there].astype(float) for pair in columns for part in pair])
    by_task = [np.bincount(task, weights=row).astype(float) for row in rows]
    return Decomposition(
        before=_mean(before[here]),
        after=_mean(after[there]),
        kept=int(kept.sum()),
        same_code=int((kept & same).sum()),
        unmoved=0 if unmoved is None else int((kept & same & unmoved).sum()),
        entered=int(entered.sum()),
        left=int(left.sum()),
        parts=_with_intervals(np.stack(by_task)) if kept.any() else {},
    )


def _with_intervals(by_task: Floats) -> dict[str, Interval]:
    """Student's interval around each part; its error is a jackknife that leaves out tasks."""
    tasks = by_task.shape[1]
    total = by_task.sum(axis=1)
    found = _parts(total[:, None])
    without = _parts(total[:, None] - by_task)
    parts = {}
    for name in PARTS:
        value, other = float(found[name][0]), without[name]
        spread = ((other - other.mean()) ** 2).sum() * (tasks - 1) / tasks
        width = float(student(tasks - 1) * np.sqrt(spread)) if tasks > 1 else float("nan")
        parts[name] = Interval(value=value, low=value - width, high=value + width, n=tasks)
    return parts


def _parts(sums: Floats) -> dict[str, Floats]:
    """For every column of sums; NaN where nothing is kept."""
    kept, earlier, _, later, entered, new, left, old, _, again = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        kept_before, kept_after = earlier / kept, later / kept
        entering = (later + new) / (kept + entered) - kept_after
        leaving = kept_before - (earlier + old) / (kept + left)
        remeasured = again / kept
    real, members = kept_after - kept_before, entering + leaving
    return {
        "change": real + members,
        "real": real,
        "rewritten": real - remeasured,
        "remeasured": remeasured,
        "members": members,
        "entering": entering,
        "leaving": leaving,
    }


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")
