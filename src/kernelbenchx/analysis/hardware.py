"""The same kernels on several GPUs: how much their speed and their order change.

A kernel is a source (by its digest) for a task. Its speed on a GPU is over eager on that GPU, so
that a ratio of two GPUs says how well the kernel suits each, not which GPU is faster.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.intervals import Codes, Floats, geometric_means, shares
from kernelbenchx.analysis.resampling import correlation, ends, means_of_draws, medians_of_draws
from kernelbenchx.analysis.speeds_by_gpu import SpeedMatrix, build_speed_matrix
from kernelbenchx.analysis.table import Table, Value, columns

_BY_TASK = "Intervals are from resampling tasks."
_RATIOS = columns(
    ("over", "over"),
    ("kernels", "kernels", "count"),
    ("tasks", "tasks", "count"),
    ("median", "median", "number"),
    ("median_low", "low", "number"),
    ("median_high", "high", "number"),
    ("mean", "mean", "number"),
    ("mean_low", "low", "number"),
    ("mean_high", "high", "number"),
    ("worst", "worst", "number"),
    ("worst_low", "low", "number"),
    ("worst_high", "high", "number"),
    ("worst_kernel", "worst kernel"),
)


def tables(attempts: Sequence[Attempt]) -> list[Table]:
    """Ratio over GPUs, agreement of the order, pairs of GPUs, and kernels slower than eager."""
    timed = [one for one in attempts if one.counts and one.timed and one.gpu]
    kernels = build_speed_matrix(timed)
    return [_ratios(kernels), _agreement(kernels), _pairs(kernels), _slower(timed, kernels)]


def _ratios(kernels: SpeedMatrix) -> Table:
    rows: list[tuple[Value, ...]] = []
    whole = kernels.on(kernels.cards)
    if len(kernels.cards) > 1 and whole.size:
        rows.append(_ratio_row(f"{len(kernels.cards)} GPUs", kernels, whole, again=None))
    for card in range(len(kernels.cards)):
        twice = np.flatnonzero(kernels.times[:, card] > 1)
        if twice.size:
            name = f"{kernels.cards[card]}, measured again"
            rows.append(_ratio_row(name, kernels, twice, again=card))
    return Table(
        name="hardware_ratio",
        title="Largest over smallest speedup of a kernel",
        about="For each kernel that was timed on every GPU, its largest speedup over eager "
        "divided by its smallest. The largest of noisy numbers is above the smallest even where "
        "nothing differs: the lines `measured again` show the same ratio for equal code on one "
        f"GPU. {_BY_TASK} The interval of the worst kernel is that of its own measurement.",
        columns=_RATIOS,
        rows=tuple(rows),
        notes=_notes(kernels, whole),
    )


def _ratio_row(
    name: str, kernels: SpeedMatrix, chosen: Codes, again: int | None
) -> tuple[Value, ...]:
    largest, smallest = kernels.extremes(chosen, again)
    ratio = largest.value / smallest.value
    tasks = kernels.tasks[chosen]
    worst = int(ratio.argmax())
    least = max(1.0, float(largest.low[worst] / smallest.high[worst]))
    return (
        name,
        int(chosen.size),
        int(np.unique(tasks).size),
        float(np.median(ratio)),
        *ends(medians_of_draws(ratio, tasks)),
        float(ratio.mean()),
        *ends(means_of_draws(ratio, tasks)),
        float(ratio[worst]),
        least,
        float(largest.high[worst] / smallest.low[worst]),
        kernels.names[int(chosen[worst])],
    )


def _notes(kernels: SpeedMatrix, whole: Codes) -> tuple[str, ...]:
    if len(kernels.cards) < 2:
        return ("Times from fewer than two GPUs: nothing to compare.",)
    return (
        f"{whole.size} of {len(kernels.names)} kernels were timed on every GPU; "
        "the others are not in the first line",
    )


def _agreement(kernels: SpeedMatrix) -> Table:
    whole = kernels.on(kernels.cards)
    rows: list[tuple[Value, ...]] = []
    cards = len(kernels.cards)
    if cards > 1 and whole.size > 2:
        found = [
            _correlate_ranks(kernels, whole, first, second) for first, second in _couples(kernels)
        ]
        mean = float(np.mean([value for value, _ in found]))
        draws = np.mean([drawn for _, drawn in found], axis=0)
        low, high = ends(draws)
        tasks = int(np.unique(kernels.tasks[whole]).size)
        sizes = (cards, int(whole.size), tasks)
        concordance = [(1 + (cards - 1) * one) / cards for one in (mean, low, high)]
        rows.append(("mean Spearman correlation", *sizes, mean, low, high))
        rows.append(("Kendall's W", *sizes, *concordance))
    return Table(
        name="hardware_agreement",
        title="Do GPUs agree on which kernels are fast?",
        about="Agreement of the GPUs about the order of kernels that were timed on all of them: "
        "the mean of Spearman's correlation over pairs of GPUs, and Kendall's W. W is "
        "(1 + (m - 1) mean) / m for m GPUs: 1 is the same order everywhere, 1 / m is none. "
        f"{_BY_TASK}",
        columns=columns(
            ("measure", "measure"),
            ("gpus", "GPUs", "count"),
            ("kernels", "kernels", "count"),
            ("tasks", "tasks", "count"),
            ("value", "value", "number"),
            ("low", "low", "number"),
            ("high", "high", "number"),
        ),
        rows=tuple(rows),
    )


def _correlate_ranks(
    kernels: SpeedMatrix, chosen: Codes, first: int, second: int
) -> tuple[float, Floats]:
    sides = [_ranks(kernels.speedups[chosen, card]) for card in (first, second)]
    return correlation(sides[0], sides[1], kernels.tasks[chosen])


def _ranks(values: Floats) -> Floats:
    """Equal values share the middle of their ranks."""
    _, at, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts).astype(float)
    return np.asarray((last - (counts - 1) / 2)[at], float)


def _couples(kernels: SpeedMatrix) -> list[tuple[int, int]]:
    return list(combinations(range(len(kernels.cards)), 2))


def _pairs(kernels: SpeedMatrix) -> Table:
    return Table(
        name="hardware_pairs",
        title="Pairs of GPUs",
        about="Kernels timed on both GPUs: the geometric mean of speedup on the first over "
        "speedup on the second, with an interval over tasks, and Spearman's correlation of the "
        f"two orders. {_BY_TASK}",
        columns=columns(
            ("first", "first"),
            ("second", "second"),
            ("kernels", "kernels", "count"),
            ("tasks", "tasks", "count"),
            ("ratio", "first / second", "ratio"),
            ("ratio_low", "low", "ratio"),
            ("ratio_high", "high", "ratio"),
            ("spearman", "Spearman", "number"),
            ("spearman_low", "low", "number"),
            ("spearman_high", "high", "number"),
        ),
        rows=tuple(_pair_rows(kernels)),
    )


def _pair_rows(kernels: SpeedMatrix) -> Iterator[tuple[Value, ...]]:
    for first, second in _couples(kernels):
        both = kernels.on((kernels.cards[first], kernels.cards[second]))
        if not both.size:
            continue
        speeds = kernels.speedups[both]
        over = geometric_means(speeds[:, first] / speeds[:, second], kernels.tasks[both])
        ranked: tuple[Value, ...] = (None, None, None)
        if both.size > 2:
            value, draws = _correlate_ranks(kernels, both, first, second)
            ranked = (value, *ends(draws))
        yield (
            kernels.cards[first],
            kernels.cards[second],
            int(both.size),
            int(over.tasks[0]),
            over.at(0).value,
            over.at(0).low,
            over.at(0).high,
            *ranked,
        )


def _slower(timed: Sequence[Attempt], kernels: SpeedMatrix) -> Table:
    everywhere = {kernels.names[at] for at in kernels.on(kernels.cards)}
    rows: list[tuple[Value, ...]] = []
    for card in kernels.cards:
        here = [one for one in timed if one.gpu == card]
        rows.append(_slower_row(card, "all", here))
        common = [one for one in here if f"{one.task} {one.digest[:10]}" in everywhere]
        if len(kernels.cards) > 1 and common:
            rows.append(_slower_row(card, "on every GPU", common))
    return Table(
        name="hardware_slower",
        title="Correct kernels slower than eager",
        about="Share of timed attempts with a speedup below 1 (slower), and of those that were "
        "shown to be slower, their whole interval below 0.99 (surely slower). GPUs may be "
        "compared only in the lines of kernels that were timed on every GPU. A share is the mean "
        "over tasks; its interval is Wilson's with the tasks as draws.",
        columns=columns(
            ("kernels", "kernels"),
            ("gpu", "GPU"),
            ("attempts", "attempts", "count"),
            ("tasks", "tasks", "count"),
            ("slower", "slower", "percent"),
            ("low", "low", "percent"),
            ("high", "high", "percent"),
            ("surely", "surely slower", "percent"),
            ("surely_low", "low", "percent"),
            ("surely_high", "high", "percent"),
        ),
        rows=tuple(rows),
    )


def _slower_row(card: str, which: str, here: Sequence[Attempt]) -> tuple[Value, ...]:
    tasks = np.unique([one.task for one in here], return_inverse=True)[1]
    speeds = [one.eager for one in here if one.eager is not None]
    below = shares([one.speedup < 1 for one in speeds], tasks)
    surely = shares([one.speed_class == "slower" for one in speeds], tasks).at(0)
    slower = below.at(0)
    return (
        which,
        card,
        len(here),
        int(below.tasks[0]),
        slower.value,
        slower.low,
        slower.high,
        surely.value,
        surely.low,
        surely.high,
    )
