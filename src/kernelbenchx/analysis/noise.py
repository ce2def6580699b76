"""How much the speedup of identical code varies between measurements."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import CodedColumn, encode_labels, gpu_of
from kernelbenchx.analysis.intervals import Codes, Floats, student
from kernelbenchx.analysis.speeds_by_gpu import measured_once
from kernelbenchx.analysis.table import Interval

FLOOR = 0.95
"""A change below what so many of the changes of identical code stay under may be noise."""


@dataclass(frozen=True, kw_only=True)
class Noise:
    """The measurement noise of one GPU."""

    kernels: int
    """Sources that were measured at least twice."""
    tasks: int
    measurements: int
    spread: Interval
    """Standard deviation of the log of one measurement, pooled over kernels."""
    changes: Floats
    """From each measurement of a kernel to the next: absolute change of the log speedup."""
    elsewhere: int
    """Of the changes, those between two runs."""

    @property
    def floor(self) -> float:
        """What nearly all changes of identical code stay under."""
        return float(np.quantile(self.changes, FLOOR))


def noise_of(attempts: Sequence[Attempt]) -> dict[str, Noise]:
    """For each GPU on which some source of a task was measured more than once, over eager."""
    timed: defaultdict[str, list[Attempt]] = defaultdict(list)
    for one in measured_once(one for one in attempts if one.timed):
        again = [replace(one, run=run, eager=eager) for run, eager in one.measured_again]
        timed[gpu_of(one)] += [one, *again]
    found = {card: _noise(own) for card, own in sorted(timed.items())}
    return {card: one for card, one in found.items() if one is not None}


def _noise(timed: Sequence[Attempt]) -> Noise | None:
    # Two ways to take a time are not two measurements of one thing.
    kernel = encode_labels((one.task, one.digest, one.tier) for one in timed)
    counts = np.bincount(kernel.codes)
    again = counts[kernel.codes] > 1
    if not again.any():
        return None
    order = np.lexsort((_encode_measurements(timed), kernel.codes))
    order = order[again[order]]
    code, run = kernel.codes[order], encode_labels(one.run for one in timed).codes[order]
    logs = np.log([timed[row].eager.speedup for row in order])  # type: ignore[union-attr]
    same = code[1:] == code[:-1]
    return Noise(
        kernels=int((counts > 1).sum()),
        tasks=len({timed[row].task for row in order}),
        measurements=order.size,
        spread=_spread(logs, code, kernel),
        changes=np.abs(np.diff(logs))[same],
        elsewhere=int((run[1:] != run[:-1])[same].sum()),
    )


def _encode_measurements(timed: Sequence[Attempt]) -> Codes:
    return encode_labels((one.run, one.round, one.sample, one.key) for one in timed).codes


def _spread(logs: Floats, code: Codes, kernel: CodedColumn) -> Interval:
    """Pooled within kernels; the interval of its log comes from leaving out one task at a time.

    It has no ends where a single task holds all that differs.
    """
    counts = np.bincount(code)
    centre = np.bincount(code, logs) / np.maximum(counts, 1)
    squares = np.bincount(code, (logs - centre[code]) ** 2)
    there = counts > 0
    task = encode_labels(kernel.labels[place][0] for place in np.nonzero(there)[0]).codes
    sums = np.bincount(task, squares[there])
    freedom = np.bincount(task, counts[there] - 1.0)
    value, tasks = float(np.sqrt(sums.sum() / freedom.sum())), sums.size
    rest = (sums.sum() - sums) / np.maximum(freedom.sum() - freedom, 1)
    if (rest <= 0).any():
        return Interval(value=value, low=float("nan"), high=float("nan"), n=logs.size)
    other = np.log(rest) / 2
    error = np.sqrt(((other - other.mean()) ** 2).sum() * (tasks - 1) / tasks)
    width = float(student(tasks - 1) * error)
    low, high = value * np.exp(-width), value * np.exp(width)
    return Interval(value=value, low=float(low), high=float(high), n=logs.size)
