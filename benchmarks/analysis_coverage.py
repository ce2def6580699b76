"""How often the intervals of the analysis hold the truth, on simulated data whose truth is known.

    python benchmarks/analysis_coverage.py [--runs 1000] [--seed 1]

Every row draws tasks, attempts and times anew and asks `kernelbenchx.analysis` for its 95 %
interval. Tasks differ in how hard they are, and attempts at one task are alike: what takes every
attempt for a draw of its own, and does not pair, stands beside it (naive). All rows of the first
part are meant to lie between 93 and 97 %; with 1,000 simulations a row is known to about 1.4 %.
The second part has few tasks, or few that decide, and says where the limits are.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from kernelbenchx.analysis.decomposition import decompose
from kernelbenchx.analysis.intervals import (
    Clusters,
    Intervals,
    Z,
    paired_ends,
    pass_at_k,
    student,
    wilson_ends,
)

Floats = NDArray[np.float64]
LEAST, MOST = 0.93, 0.97


@dataclass(frozen=True)
class Covered:
    """How often the truth lay in the interval, and how wide that was."""

    ours: float
    naive: float
    half_width: float


@dataclass(frozen=True)
class Row:
    """One way to draw data."""

    what: str
    data: str
    tasks: int
    attempts: str
    simulated: Callable[[Generator, int], Covered]
    hard: bool = False


def main() -> None:
    """Print both parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.runs} simulations a row, seed {options.seed}")
    rows = list(every_row())
    inside = 0
    for hard in (False, True):
        print("\nfew tasks, or few that decide" if hard else "\nenough tasks")
        print("\n| what | data | tasks | attempts | covered | naive | half width |")
        print("|---|---|---|---|---|---|---|")
        for number, row in enumerate(rows):
            if row.hard is hard:
                rng = np.random.default_rng([options.seed, number])
                found = row.simulated(rng, options.runs)
                inside += not hard and LEAST <= found.ours <= MOST
                print(
                    f"| {row.what} | {row.data} | {row.tasks} | {row.attempts} "
                    f"| {found.ours:.1%} | {found.naive:.1%} | {found.half_width:.3f} |"
                )
        if not hard:
            wanted = sum(not row.hard for row in rows)
            print(f"\n{inside} of {wanted} rows between {LEAST:.0%} and {MOST:.0%}")


def every_row() -> Iterator[Row]:
    """Rates, pass@k, differences, geometric means, parts of a decomposition."""
    yield from _rate_rows()
    yield from _difference_rows()
    yield from _mean_rows()
    yield from _decomposition_rows()


def _rate_rows() -> Iterator[Row]:
    shapes = ((176, 1), (176, 3), (176, 10), (60, 1), (60, 3), (36, 3))
    for tasks, tries in shapes:
        for mean in (0.15, 0.4):
            yield Row("rate", f"{mean:.0%}", tasks, str(tries), _rate(tasks, tries, mean))
    yield Row("pass@5", "30%", 176, "10", _passed(176, 10, 5, 0.3))
    for tasks, tries, mean in ((15, 1, 0.3), (15, 10, 0.1), (6, 1, 0.2), (36, 10, 0.05)):
        yield Row("rate", f"{mean:.0%}", tasks, str(tries), _rate(tasks, tries, mean), hard=True)


def _difference_rows() -> Iterator[Row]:
    for tasks, tries in ((176, 1), (176, 3), (60, 1), (60, 10), (36, 1), (36, 3)):
        for first, second in ((0.3, 0.3), (0.2, 0.4)):
            data = f"{first:.0%} and {second:.0%}"
            simulated = _difference(tasks, tries, first, second)
            yield Row("paired difference", data, tasks, str(tries), simulated)
    for tasks, tries in ((15, 1), (15, 10), (6, 1)):
        simulated = _difference(tasks, tries, 0.2, 0.4)
        yield Row("paired difference", "20% and 40%", tasks, str(tries), simulated, hard=True)


def _mean_rows() -> Iterator[Row]:
    for name in ("normal", "heavy tails", "skewed"):
        for tasks, tries in ((176, 1), (176, 5), (54, 1), (54, 5)):
            often = str(tries) if tries == 1 else f"1 to {tries}"
            yield Row("geometric mean", name, tasks, often, _mean(tasks, tries, name))
    yield Row("geometric mean", "normal", 10, "1", _mean(10, 1, "normal"))
    for name, tasks in (("skewed", 10), ("few very slow", 54), ("few very slow", 15)):
        yield Row("geometric mean", name, tasks, "1", _mean(tasks, 1, name), hard=True)


def _decomposition_rows() -> Iterator[Row]:
    for part in ("change", "real", "members"):
        word = {"members": "composition"}.get(part, part)
        yield Row(f"decomposition: {word}", "new ones slower", 176, "1", _decomposed(176, part))
    yield Row(
        "decomposition: composition",
        "new ones slower",
        60,
        "1",
        _decomposed(60, "members"),
        hard=True,
    )


def _hardness(rng: Generator, shape: tuple[int, int], mean: float) -> Floats:
    """Chances of tasks: most are nearly hopeless or nearly sure, and their mean is known."""
    return rng.beta(1.5 * mean, 1.5 * (1 - mean), size=shape)


def _attempts(rng: Generator, chance: Floats, tries: int) -> tuple[Floats, Clusters]:
    """Hits of attempts, simulations being groups."""
    runs, tasks = chance.shape
    hits = (rng.random((runs, tasks, tries)) < chance[:, :, None]).astype(float)
    task = np.tile(np.repeat(np.arange(tasks), tries), runs)
    return hits.ravel(), Clusters(task, np.repeat(np.arange(runs), tasks * tries), runs)


def _rate(tasks: int, tries: int, mean: float) -> Callable[[Generator, int], Covered]:
    def simulated(rng: Generator, runs: int) -> Covered:
        hits, clusters = _attempts(rng, _hardness(rng, (runs, tasks), mean), tries)
        found = clusters.shares(hits)
        return _covered(found, mean, *wilson_ends(found.value, tasks * tries))

    return simulated


def _passed(tasks: int, tries: int, k: int, mean: float) -> Callable[[Generator, int], Covered]:
    def simulated(rng: Generator, runs: int) -> Covered:
        many = _hardness(rng, (1, 2_000_000), mean)
        truth = float((1 - (1 - many) ** k).mean())
        hits, clusters = _attempts(rng, _hardness(rng, (runs, tasks), mean), tries)
        right = hits.reshape(runs, tasks, tries).sum(axis=2)
        chance = pass_at_k(np.full_like(right, tries), right, k)
        found = clusters.shares(np.repeat(chance.ravel(), tries))
        return _covered(found, truth, *wilson_ends(found.value, tasks * tries))

    return simulated


def _difference(
    tasks: int, tries: int, first: float, second: float
) -> Callable[[Generator, int], Covered]:
    def chances(rng: Generator, shape: tuple[int, int]) -> tuple[Floats, Floats]:
        """A task is as hard for both, and each has its own luck with it."""
        shared = rng.normal(0, 2, shape)
        own = (rng.normal(0, 0.7, shape), rng.normal(0, 0.7, shape))
        return tuple(  # type: ignore[return-value]
            1 / (1 + np.exp(-(math.log(rate / (1 - rate)) + shared + luck)))
            for rate, luck in zip((first, second), own, strict=True)
        )

    def simulated(rng: Generator, runs: int) -> Covered:
        one, two = chances(rng, (1, 4_000_000))
        truth = float((one - two).mean())
        one, two = chances(rng, (runs, tasks))
        shares = rng.binomial(tries, one) / tries, rng.binomial(tries, two) / tries
        apart = shares[0] - shares[1]
        low, high = paired_ends(apart.sum(1), (apart**2).sum(1), tasks, 1 / tries)
        rates = [share.mean(axis=1) for share in shares]
        error = np.sqrt(sum(rate * (1 - rate) for rate in rates) / (tasks * tries))
        centre = apart.mean(axis=1)
        ours = float(((low <= truth) & (truth <= high)).mean())
        naive = float((np.abs(centre - truth) <= Z * error).mean())
        return Covered(ours, naive, float((high - low).mean() / 2))

    return simulated


def _logs(rng: Generator, shape: tuple[int, int], name: str) -> Floats:
    """Log speedups of tasks around zero."""
    if name == "normal":
        return rng.normal(0, 0.5, shape)
    if name == "heavy tails":
        return 0.35 * rng.standard_t(4, shape)
    if name == "skewed":
        return 0.45 * (rng.gamma(2.0, 1.0, shape) - 2.0)
    slow = rng.random(shape) < 0.05
    usual = rng.normal(0.1, 0.3, shape)
    return np.where(slow, rng.normal(-2.0, 1.0, shape), usual) - (0.05 * -2.0 + 0.95 * 0.1)


def _mean(tasks: int, tries: int, name: str) -> Callable[[Generator, int], Covered]:
    def simulated(rng: Generator, runs: int) -> Covered:
        own = _logs(rng, (runs, tasks), name).ravel()
        often = rng.integers(1, tries + 1, own.size)
        logs = np.repeat(own, often) + rng.normal(0, 0.2, int(often.sum()))
        cell = np.repeat(np.arange(own.size), often)
        group = cell // tasks
        found = Clusters(cell % tasks, group, runs).geometric_means(np.exp(logs))
        count = np.bincount(group)
        mean = np.bincount(group, logs) / count
        error = np.sqrt(np.bincount(group, (logs - mean[group]) ** 2) / (count - 1) / count)
        width = student(count - 1) * error
        return _covered(found, 1.0, np.exp(mean - width), np.exp(mean + width))

    return simulated


KEPT, ENTERED = 0.19, 0.1
"""Shares of tasks solved in both rounds, and in the later one only."""
REAL, SLOWER = 0.02, -0.32
"""What the kept kernels gain, and how far those that enter stay behind them."""
TRUTH = {
    "real": REAL,
    "members": ENTERED / (KEPT + ENTERED) * SLOWER,
    "change": REAL + ENTERED / (KEPT + ENTERED) * SLOWER,
}


def _decomposed(tasks: int, part: str) -> Callable[[Generator, int], Covered]:
    def drawn(rng: Generator) -> tuple[Floats, Floats]:
        luck = rng.random(tasks)
        kept, entered = luck < KEPT, luck > 1 - ENTERED
        left = (luck >= KEPT) & (luck < KEPT + 0.01)
        speed = rng.normal(0.3, 0.4, tasks)
        again = speed + REAL + rng.normal(0, 0.1, tasks) + SLOWER * entered
        return np.where(kept | left, speed, np.nan), np.where(kept | entered, again, np.nan)

    def simulated(rng: Generator, runs: int) -> Covered:
        """Naive: the rounds are two samples that have nothing to do with each other."""
        found, errors = [], []
        for _ in range(runs):
            before, after = drawn(rng)
            one = decompose(before, after, np.arange(tasks), np.zeros(tasks, bool)).parts[part]
            found.append((one.value, one.low, one.high))
            errors.append(sum(np.nanvar(x) / np.isfinite(x).sum() for x in (before, after)))
        value, low, high = np.array(found).T
        truth = TRUTH[part]
        return Covered(
            float(((low <= truth) & (truth <= high)).mean()),
            float((np.abs(value - truth) <= Z * np.sqrt(errors)).mean()),
            float((high - low).mean() / 2),
        )

    return simulated


def _covered(found: Intervals, truth: float, low: Floats, high: Floats) -> Covered:
    """Ours, and the ends of the naive interval."""
    return Covered(
        float(((found.low <= truth) & (truth <= found.high)).mean()),
        float(((low <= truth) & (truth <= high)).mean()),
        float((found.high - found.low).mean() / 2),
    )


if __name__ == "__main__":
    main()
