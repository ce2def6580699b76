"""One kernel's times as the KernelBench-X paper adds them up: sums over the sizes of its task."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kernelbenchx.analysis.attempt import Attempt, CaseTime, at_published_sizes
from kernelbenchx.catalog.published_times import (
    ALL_SIZES,
    COPIED,
    DEFAULT_GPU,
    GPUS,
    eager_ms,
    published_rows,
    rows_by_case,
)

LONGEST_MS = 10_000.0
LEAST_SPEEDUP = 0.01
"""Beyond these the published program leaves a task out of the mean that it prints."""


@dataclass(frozen=True, kw_only=True)
class Sums:
    """A timed kernel, its task's eager, and the stored eager of one GPU, in milliseconds."""

    rows: int
    """Rows with a time; at published sizes equal rows count as often as they are published."""
    of: int
    """All rows."""
    missing: tuple[str, ...]
    """Cases without a time, by name."""
    candidate_ms: float
    eager_ms: float
    """Measured beside the kernel, over the same rows."""
    stored_ms: float | None = None
    """Published, over every row that has a stored time; None at other sizes."""
    same_candidate_ms: float | None = None
    same_stored_ms: float | None = None
    """Both over the rows that have a time on both sides."""
    iou: float
    mfu: float
    """Of all bytes and operations in all of the time."""

    @property
    def speedup(self) -> float:
        """Over eager measured beside it."""
        return self.eager_ms / self.candidate_ms

    @property
    def stored_speedup(self) -> float | None:
        """By the published rule: rows that the kernel lacks count in the reference alone."""
        return None if self.stored_ms is None else self.stored_ms / self.candidate_ms

    @property
    def same_speedup(self) -> float | None:
        """Over stored eager, both sides with the same rows."""
        if not self.same_stored_ms or not self.same_candidate_ms:
            return None
        return self.same_stored_ms / self.same_candidate_ms

    @property
    def score(self) -> float:
        """The larger share of what the GPU can do."""
        return max(self.iou, self.mfu)


def sums_of(attempt: Attempt, stored_gpu: str = DEFAULT_GPU) -> Sums | None:
    """Of a timed attempt; None where no case was compared with eager."""
    times = attempt.case_times
    if not times:
        return None
    rows = _rows(attempt)
    counts = {name: len(rows.get(name, (0,))) for name in (*_names(times), *attempt.left_out)}
    weights = {name: 1 if name == ALL_SIZES else counts[name] for name in _names(times)}
    candidate, eager = (
        math.fsum(weights[one.case] * us for one, us in side) / 1000.0
        for side in (
            [(one, one.candidate_us) for one in times],
            [(one, one.eager_us) for one in times],
        )
    )
    iou, mfu = (
        math.fsum(weights[one.case] * one.candidate_us * share for one, share in shares)
        / (1000.0 * candidate)
        for shares in ([(one, one.iou) for one in times], [(one, one.mfu) for one in times])
    )
    stored = _read_stored(attempt.task, times, rows, stored_gpu) if rows else (None, None, None)
    return Sums(
        rows=sum(counts[name] for name in weights),
        of=sum(counts.values()),
        missing=attempt.left_out,
        candidate_ms=candidate,
        eager_ms=eager,
        stored_ms=stored[0],
        same_candidate_ms=stored[1],
        same_stored_ms=stored[2],
        iou=iou,
        mfu=mfu,
    )


def has_published_rows(attempt: Attempt) -> bool:
    """Whether its times are of the published sizes of its task."""
    return bool(_rows(attempt))


def _names(times: Iterable[CaseTime]) -> Iterator[str]:
    return (one.case for one in times)


def is_abnormal(candidate_ms: float, speedup: float) -> bool:
    """Whether the published program leaves it out of the mean that it prints."""
    return candidate_ms > LONGEST_MS or speedup < LEAST_SPEEDUP


def stored_gpu_for(places: Iterable[str]) -> str:
    """The GPU of the runs where its eager times are published, else the published default.

    The L20 is never chosen: its times are those of another GPU.
    """
    named = set(places)
    found = {
        gpu
        for gpu, name in GPUS.items()
        for place in named
        if gpu != COPIED and re.search(rf"\b{re.escape(name)}\b", place)
    }
    return found.pop() if len(found) == 1 else DEFAULT_GPU


def _rows(attempt: Attempt) -> Mapping[str, tuple[int, ...]]:
    """Published rows by case; empty for kernels that were timed at other sizes."""
    if any(one.case == ALL_SIZES for one in attempt.case_times):
        return {ALL_SIZES: tuple(range(len(published_rows(attempt.task))))}
    return rows_by_case(attempt.task) if at_published_sizes(attempt.gpu) else {}


def _read_stored(
    task: str, times: Sequence[CaseTime], rows: Mapping[str, tuple[int, ...]], gpu: str
) -> tuple[float | None, float | None, float | None]:
    """Every stored time; candidate and stored times of the rows that both have."""
    if not published_rows(task):
        return None, None, None
    stored = eager_ms(task, gpu)
    pairs = list(_pair_times(times, rows, stored))
    return (
        math.fsum(stored),
        math.fsum(candidate for candidate, _ in pairs),
        math.fsum(reference for _, reference in pairs),
    )


def _pair_times(
    times: Sequence[CaseTime], rows: Mapping[str, tuple[int, ...]], stored: Sequence[float]
) -> Iterator[tuple[float, float]]:
    """Milliseconds of both sides for each row; of a total, where all rows are stored."""
    for one in times:
        own = rows.get(one.case, ())
        if one.case == ALL_SIZES:
            if len(stored) == len(own):
                yield one.candidate_us / 1000.0, math.fsum(stored)
            continue
        for row in own:
            if row < len(stored):
                yield one.candidate_us / 1000.0, stored[row]
