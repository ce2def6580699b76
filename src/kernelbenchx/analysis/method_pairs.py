"""Two methods on the tasks that both tried: what makes a task hard is then the same for both.

Only attempts with the same seed are paired: other seeds draw other calls, and a difference could be
that of the calls.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from kernelbenchx.analysis.frame import AttemptFrame, CodedColumn, cross_columns
from kernelbenchx.analysis.interval_cells import interval
from kernelbenchx.analysis.intervals import (
    FEWEST,
    Codes,
    Floats,
    holm,
    paired_ends,
    sign_test,
    student,
)
from kernelbenchx.analysis.table import Value, columns

_PAIR = columns(
    ("gpu", "GPU"), ("first", "first"), ("second", "second"), ("tasks", "tasks", "count")
)
_TEST = columns(
    ("better", "first ahead", "count"),
    ("worse", "second ahead", "count"),
    ("p", "p", "number"),
    ("p_holm", "p, Holm", "number"),
)
SHARES = (
    *_PAIR,
    *columns(("first_share", "of first", "percent"), ("second_share", "of second", "percent")),
    *interval("difference", "difference", "percent"),
    *_TEST,
)
"""Columns of `share_rows`."""
RATIOS = (
    *_PAIR,
    *columns(("first_speedup", "of first", "ratio"), ("second_speedup", "of second", "ratio")),
    *interval("ratio", "first over second", "ratio"),
    *_TEST,
)
"""Columns of `ratio_rows`."""


@dataclass(frozen=True, kw_only=True)
class MethodPairs:
    """Every pair of authors that share a task; arrays of equal length."""

    names: list[tuple[str, str]]
    tasks: Floats
    first: Floats
    second: Floats
    """Means over the shared tasks."""
    total: Floats
    """Sum over tasks of first less second."""
    squares: Floats
    better: Floats
    """Tasks at which the first is ahead."""
    worse: Floats
    tries: Floats
    """Attempts per task, of the author with fewer."""


def pairs_of(values: ArrayLike, author: CodedColumn, task: CodedColumn) -> MethodPairs:
    """From one value per attempt; a task's value is the mean of its attempts."""
    shape = len(author.labels), len(task.labels)
    place, size = author.codes * shape[1] + task.codes, shape[0] * shape[1]
    tries = np.bincount(place, minlength=size).astype(float).reshape(shape)
    summed = np.bincount(place, np.asarray(values, float), size).reshape(shape)
    there, mean = tries > 0, summed / np.maximum(tries, 1)
    ahead = np.zeros((shape[0], shape[0]))
    for row in range(shape[0]):
        ahead[row] = ((mean[row] > mean) & there[row] & there).sum(axis=1)
    shown = there.astype(float)
    sums, squares, attempts = mean @ shown.T, mean**2 @ shown.T, tries @ shown.T
    products, shared = mean @ mean.T, shown @ shown.T
    one, two = np.nonzero(np.triu(shared, 1))
    tasks = shared[one, two]
    return MethodPairs(
        names=[(author.labels[a], author.labels[b]) for a, b in zip(one, two, strict=True)],
        tasks=tasks,
        first=sums[one, two] / tasks,
        second=sums[two, one] / tasks,
        total=sums[one, two] - sums[two, one],
        squares=squares[one, two] + squares[two, one] - 2 * products[one, two],
        better=ahead[one, two],
        worse=ahead[two, one],
        tries=np.minimum(attempts[one, two], attempts[two, one]) / tasks,
    )


def share_rows(frame: AttemptFrame, hits: ArrayLike) -> Iterator[tuple[Value, ...]]:
    """For each GPU and pair: both shares, their difference, and McNemar's exact test.

    With several attempts at a task it is the sign test over tasks.
    """
    for card, found in _pair_by_gpu(frame, np.asarray(hits, float)):
        low, high = paired_ends(found.total, found.squares, found.tasks, 1.0 / found.tries)
        centre = found.total / found.tasks
        yield from _rows(card, found, (found.first, found.second, centre, low, high))


def ratio_rows(frame: AttemptFrame, ratios: ArrayLike) -> Iterator[tuple[Value, ...]]:
    """For each GPU and pair: both geometric means, and their ratio with Student's interval."""
    for card, found in _pair_by_gpu(frame, np.log(np.asarray(ratios, float))):
        centre = found.total / found.tasks
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.maximum(found.squares - found.tasks * centre**2, 0) / (found.tasks - 1)
            width = student(found.tasks - 1) * np.sqrt(spread / found.tasks)
        width = np.where(found.tasks >= FEWEST, width, np.nan)
        logs = (found.first, found.second, centre, centre - width, centre + width)
        yield from _rows(card, found, tuple(np.exp(one) for one in logs))


def note_unpaired(frame: AttemptFrame) -> tuple[str, ...]:
    """A line about methods that tried the same tasks on a GPU, but never with the same seed."""
    apart = dict.fromkeys(
        names
        for _, own in _split_by_gpu(frame)
        if own.differs_in_calls
        for names, rows in _shared_calls(own)
        if not rows.size and _share_a_task(own, names)
    )
    if not apart:
        return ()
    first, second = next(iter(apart))
    others = f" and {len(apart) - 1} other pairs" if len(apart) > 1 else ""
    return (
        f"Not compared by task: {first} with {second}{others}. Their runs have different seeds, so "
        "they were judged on different calls. To compare them, judge one again with the seed of "
        "the other (`kbx eval --seed N`); `kbx show RUN SUBMISSION` names the seed.",
    )


def _pair_by_gpu(frame: AttemptFrame, values: Floats) -> Iterator[tuple[str, MethodPairs]]:
    for card, own in _split_by_gpu(frame):
        mine = values[frame.card.codes == frame.card.labels.index(card)]
        if not own.differs_in_calls:
            yield card, pairs_of(mine, own.author, own.task)
            continue
        parts = [
            pairs_of(mine[rows], own.author.pick(rows), own.task.pick(rows))
            for _, rows in _shared_calls(own)
            if rows.size
        ]
        if parts:
            yield card, _join_pairs(parts)


def _split_by_gpu(frame: AttemptFrame) -> Iterator[tuple[str, AttemptFrame]]:
    for code, card in enumerate(frame.card.labels):
        yield card, frame.pick(frame.card.codes == code)


def _shared_calls(frame: AttemptFrame) -> Iterator[tuple[tuple[str, str], Codes]]:
    """For each pair of authors, the rows of both that share task and seed with one of the other."""
    cells = cross_columns(frame.task, frame.seed).codes
    by_author = {code: frame.author.codes == code for code in set(frame.author.codes.tolist())}
    for one, two in combinations(sorted(by_author), 2):
        shared = np.intersect1d(cells[by_author[one]], cells[by_author[two]])
        rows = np.flatnonzero((by_author[one] | by_author[two]) & np.isin(cells, shared))
        yield (frame.author.labels[one], frame.author.labels[two]), rows


def _share_a_task(frame: AttemptFrame, names: tuple[str, str]) -> bool:
    one, two = (frame.author.codes == frame.author.labels.index(name) for name in names)
    return bool(np.intersect1d(frame.task.codes[one], frame.task.codes[two]).size)


def _join_pairs(parts: Sequence[MethodPairs]) -> MethodPairs:
    arrays = {
        one.name: np.concatenate([getattr(part, one.name) for part in parts])
        for one in fields(MethodPairs)
        if one.name != "names"
    }
    return MethodPairs(names=[name for part in parts for name in part.names], **arrays)


def _rows(card: str, found: MethodPairs, shown: tuple[Floats, ...]) -> Iterator[tuple[Value, ...]]:
    chance = sign_test(found.better, found.worse)
    fair = holm(chance)
    for row, names in enumerate(found.names):
        yield (
            card,
            *names,
            int(found.tasks[row]),
            *(float(one[row]) for one in shown),
            int(found.better[row]),
            int(found.worse[row]),
            float(chance[row]),
            float(fair[row]),
        )
