"""Speeds of kernels by GPU: one row for each source and task, one column for each GPU."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.intervals import Codes, Floats


@dataclass(frozen=True, kw_only=True)
class SpeedIntervals:
    """Speedups with the ends of their measurement; by kernel and GPU, or chosen from those."""

    value: Floats
    low: Floats
    high: Floats

    def at(self, kernels: Codes, cards: Codes | int) -> "SpeedIntervals":
        """One for each of these kernels."""
        return SpeedIntervals(
            value=self.value[kernels, cards],
            low=self.low[kernels, cards],
            high=self.high[kernels, cards],
        )


@dataclass(frozen=True, kw_only=True)
class SpeedMatrix:
    """The speedup of each kernel on each GPU; NaN where a kernel was not timed there."""

    cards: tuple[str, ...]
    names: tuple[str, ...]
    """Task and the beginning of the digest."""
    tasks: Codes
    times: Codes
    """How often each kernel was timed on each GPU."""
    middle: SpeedIntervals
    """Geometric mean of those times."""
    slowest: SpeedIntervals
    fastest: SpeedIntervals

    @property
    def speedups(self) -> Floats:
        """By kernel and GPU."""
        return self.middle.value

    def on(self, cards: Sequence[str]) -> Codes:
        """Kernels that were timed on all of these GPUs."""
        chosen = [self.cards.index(card) for card in cards]
        return np.flatnonzero((self.times[:, chosen] > 0).all(axis=1))

    def extremes(self, chosen: Codes, again: int | None) -> tuple[SpeedIntervals, SpeedIntervals]:
        """The largest and the smallest over GPUs, or over the measurements on one GPU."""
        if again is not None:
            return self.fastest.at(chosen, again), self.slowest.at(chosen, again)
        speeds = self.speedups[chosen]
        largest, smallest = speeds.argmax(axis=1), speeds.argmin(axis=1)
        return self.middle.at(chosen, largest), self.middle.at(chosen, smallest)


def measured_once(attempts: Iterable[Attempt]) -> list[Attempt]:
    """One attempt for each measurement: equal sources of a run share one."""
    seen: set[tuple[str, str]] = set()
    found = []
    for one in attempts:
        if one.content_key and (one.run, one.content_key) in seen:
            continue
        seen.add((one.run, one.content_key))
        found.append(one)
    return found


def build_speed_matrix(timed: Sequence[Attempt]) -> SpeedMatrix:
    """From attempts that are correct, timed and on a GPU."""
    timed = measured_once(timed)
    cards = sorted({one.gpu for one in timed})
    kernels = sorted({(one.task, one.digest) for one in timed})
    row = {kernel: number for number, kernel in enumerate(kernels)}
    rows = np.array([row[one.task, one.digest] for one in timed], np.int64)
    column = np.array([cards.index(one.gpu) for one in timed], np.int64)
    speeds = np.array(
        [(one.eager.speedup, one.eager.low, one.eager.high) for one in timed if one.eager], float
    ).reshape(-1, 3)
    shape = (len(kernels), len(cards))
    times = np.zeros(shape, np.int64)
    np.add.at(times, (rows, column), 1)
    middle = [_geometric(shape, rows, column, speeds[:, at], times) for at in range(3)]
    return SpeedMatrix(
        cards=tuple(cards),
        names=tuple(f"{task} {digest[:10]}" for task, digest in kernels),
        tasks=np.unique([task for task, _ in kernels], return_inverse=True)[1],
        times=times,
        middle=SpeedIntervals(value=middle[0], low=middle[1], high=middle[2]),
        slowest=_extreme(shape, rows, column, speeds, -1.0),
        fastest=_extreme(shape, rows, column, speeds, 1.0),
    )


def _geometric(
    shape: tuple[int, int], rows: Codes, column: Codes, speeds: Floats, times: Codes
) -> Floats:
    total = np.zeros(shape)
    # The end of an interval may be 0: as small as can be said, not an error.
    np.add.at(total, (rows, column), np.log(np.maximum(speeds, 1e-300)))
    return np.where(times > 0, np.exp(total / np.maximum(times, 1)), np.nan)


def _extreme(
    shape: tuple[int, int], rows: Codes, column: Codes, speeds: Floats, sign: float
) -> SpeedIntervals:
    """The last one written wins, so the wanted one is written last."""
    order = np.argsort(sign * speeds[:, 0], kind="stable")
    found = [np.full(shape, np.nan) for _ in range(3)]
    for at, one in enumerate(found):
        one[rows[order], column[order]] = speeds[order, at]
    return SpeedIntervals(value=found[0], low=found[1], high=found[2])
