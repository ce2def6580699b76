"""How far explained deviance is biased, and how often its intervals hold the truth.

    python benchmarks/deviance_bias.py [--runs 1000] [--draws 200] [--seed 1]

Simulated results whose truth is known: 176 tasks in the 15 published categories, one attempt of
every method at each. The logit of a success is a base, plus an effect of the category, of the
method and of the task itself; effects of tasks are drawn anew every time, as if other tasks of the
same kind had been chosen. The truth is the share of deviance explained by rates averaged over all
such tasks. Raw intervals are percentiles of the task bootstrap; corrected ones are those that
`kbx analyze variance` gives.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import expit

from kernelbenchx.analysis.deviance_resampling import Spread, spread
from kernelbenchx.analysis.explained_deviance import TERMS, deviances
from kernelbenchx.analysis.published_data import TASKS
from kernelbenchx.analysis.success_counts import Counts

Numbers = NDArray[np.float64]

SIZES = np.array(list(TASKS.values()))
HOME = np.repeat(np.arange(len(SIZES)), SIZES)
SHOWN = ("category", "method", "category given method", "method given category")
LEAST = 0.9
"""Coverage below this would be a fault."""


@dataclass(frozen=True, kw_only=True)
class World:
    """Spreads of logits: between categories, methods and tasks."""

    name: str
    category: float
    method: float
    task: float
    base: float = -1.5
    methods: int = 4
    near_zero: bool = False
    """One more method that hardly ever succeeds."""

    def effects(self) -> tuple[Numbers, Numbers]:
        """Of categories, the same normal draws in every world, and of methods, evenly spaced."""
        category = self.category * np.random.default_rng(8).normal(size=len(SIZES))
        method = self.method * np.linspace(-1.0, 1.0, self.methods)
        return category, np.append(method, -5.0) if self.near_zero else method

    def rates(self) -> Numbers:
        """Of every category and method, averaged over tasks."""
        category, method = self.effects()
        at, weights = np.polynomial.hermite_e.hermegauss(80)
        logits = self.base + category[:, None, None] + method[None, :, None] + self.task * at
        return np.asarray(expit(logits) @ (weights / weights.sum()))

    def truth(self) -> Numbers:
        """Shares of explained deviance, were every category and method tried without end."""
        rates = self.rates()
        tries = np.repeat(SIZES[:, None].astype(float), rates.shape[1], axis=1)
        return np.maximum(deviances(rates * tries, tries).shares, 0.0)

    def drawn(self, rng: Generator) -> Counts:
        """One result."""
        category, method = self.effects()
        own = self.task * rng.normal(size=(len(HOME), 1))
        logits = self.base + category[HOME][:, None] + method[None, :] + own
        hits = (rng.random(logits.shape) < expit(logits)).astype(np.float64)
        return Counts(
            tasks=tuple(str(at) for at in range(len(HOME))),
            categories=tuple(TASKS),
            methods=tuple(str(at) for at in range(len(method))),
            category_of=HOME,
            successes=hits,
            trials=np.ones_like(hits),
        )


WORLDS = (
    World(name="category says nothing, tasks alike", category=0.0, method=0.5, task=0.0),
    World(name="category says nothing, tasks differ", category=0.0, method=0.5, task=1.5),
    World(name="method says nothing", category=0.6, method=0.0, task=1.0),
    World(name="both weak", category=0.4, method=0.3, task=1.0),
    World(name="as published", category=0.8, method=0.7, task=0.5),
    World(name="as published, tasks differ", category=0.8, method=0.7, task=1.5),
    World(name="as published, fifth method", category=0.8, method=0.7, task=1.0, near_zero=True),
    World(name="category strong", category=1.5, method=0.5, task=1.0),
    World(name="method strong", category=0.6, method=1.5, task=1.0),
    World(name="success rare", category=1.0, method=0.5, task=1.0, base=-3.0),
    World(name="every second succeeds", category=0.8, method=0.5, task=1.0, base=0.0),
    World(name="ten methods", category=0.8, method=0.7, task=1.0, methods=10),
)


@dataclass(frozen=True)
class Tally:
    """A term in a world, over many results."""

    truth: float
    raw: float
    corrected: float
    raw_covered: float
    covered: float
    width: float


def tally(world: World, runs: int, draws: int, seed: int) -> Iterator[tuple[str, Tally]]:
    """Run one world many times."""
    rng = np.random.default_rng(seed)
    truth = world.truth()
    found = [spread(world.drawn(rng), rng=rng, replicates=draws) for _ in range(runs)]
    for term in SHOWN:
        at = TERMS.index(term)
        yield term, _tallied(float(truth[at]), found, at)


def _tallied(truth: float, found: list[Spread], at: int) -> Tally:
    inside = [one.low[at] <= truth + 1e-9 and truth <= one.high[at] for one in found]
    inside_raw = [one.raw_low[at] <= truth + 1e-9 and truth <= one.raw_high[at] for one in found]
    return Tally(
        truth=truth,
        raw=float(np.mean([one.raw[at] for one in found])),
        corrected=float(np.mean([one.corrected[at] for one in found])),
        raw_covered=float(np.mean(inside_raw)),
        covered=float(np.mean(inside)),
        width=float(np.median([one.high[at] - one.low[at] for one in found])),
    )


def main() -> None:
    """A row for every term in every world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        f"{options.runs} results a world, {options.draws} draws of tasks each, seed {options.seed}"
    )
    print("\n| world | term | truth | raw | corrected | raw covers | corrected covers | width |")
    print("|---|---|---|---|---|---|---|---|")
    least = 1.0
    for world in WORLDS:
        for term, one in tally(world, options.runs, options.draws, options.seed):
            least = min(least, one.covered)
            shares = " | ".join(
                f"{100 * part:.2f} %" for part in (one.truth, one.raw, one.corrected)
            )
            covers = f"{one.raw_covered:.1%} | {one.covered:.1%} | {100 * one.width:.1f} %"
            print(f"| {world.name} | {term} | {shares} | {covers} |", flush=True)
    verdict = "as it must" if least >= LEAST else "which is a fault"
    print(f"\nCorrected intervals hold the truth in at least {least:.1%}: {verdict} ({LEAST:.0%}).")


if __name__ == "__main__":
    main()
