"""How many evaluations a search needs for speed, beside random draws, a grid and climbing.

    python benchmarks/search_budget.py [--runs 40] [--most 200] [--seed 1]

Simulated kernels on simulated cards whose best setting is known, since every setting is computed.
Time follows from what a card does: bytes in flight, registers, spills, shared memory, whole waves
of programs, traffic that tiles save; sizes of the problem and of the card are drawn anew for every
run, settings that do not fit do not compile, and a clock with one percent of noise is read. The
search knows none of this: it sees settings, times with intervals, and failures.

Counted are evaluations until what a search would hand in is within 3 % of the best, from any
setting that compiles; and how much slower than the best it is after a few, from one that somebody
could have written. All ways start from the same setting and hand in by the same rule.
"""

import argparse
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from kernelbenchx.generate.search.choices import ChoiceKind, TuningChoice
from kernelbenchx.generate.search.log_speed import ALPHA_WIDTH, LogSpeed
from kernelbenchx.generate.search.prior import Bottleneck, make_prior
from kernelbenchx.generate.search.proposals import flat, propose
from kernelbenchx.generate.search.setting_space import Point, SettingSpace
from kernelbenchx.generate.search.trials import SettingTrial, Trials

NOISE = 0.01
NEAR = math.log(1.03)
SENSIBLE = 3.0
FEW = (4, 8, 16)
SPILLED = 255
"""Registers of a thread."""


@dataclass(frozen=True)
class Card:
    """What times depend on; drawn for every run."""

    processors: int
    bytes_per_us: float
    flops_per_us: float
    in_flight: float
    """Bytes that every processor must wait for at once."""
    shared: int
    problem: tuple[int, ...]

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "Card":
        """Between an older and a newer one, and sizes that are not round."""
        return cls(
            processors=int(rng.integers(80, 160)),
            bytes_per_us=float(rng.uniform(0.8, 4.5)) * 1e6,
            flops_per_us=float(rng.uniform(1.0, 7.0)) * 1e8,
            in_flight=float(rng.uniform(12, 48)) * 1024,
            shared=int(rng.integers(96, 228)) * 1024,
            problem=tuple(int(one) for one in rng.integers(1500, 9000, size=3)),
        )

    def resident(self, warps: int, registers: float, shared: float) -> int:
        """Programs that a processor holds at once; 0 where not even one fits."""
        by_registers = 65536 / (min(registers, SPILLED) * 32 * warps)
        by_shared = self.shared / shared if shared else 32.0
        return int(min(32.0, 64 / warps, by_registers, by_shared))

    def waves(self, programs: int, resident: int) -> float:
        """How much longer whole waves take than their programs would."""
        at_once = self.processors * resident
        return math.ceil(programs / at_once) * at_once / programs


def elementwise(card: Card, block: int, warps: int) -> float:
    """Microseconds of one pass over a vector, NaN where it does not compile."""
    count = card.problem[0] * card.problem[1]
    each = block / (32 * warps)
    registers = 14 + 3 * max(1.0, each)
    resident = card.resident(warps, registers, 0)
    if not resident or each > 512:
        return math.nan
    flying = 1 - math.exp(-resident * block * 4 / card.in_flight)
    waste = 1 + 0.04 * max(0.0, -math.log2(each)) + 0.5 * max(0.0, registers / SPILLED - 1)
    programs = math.ceil(count / block)
    return 2 * 4 * count / card.bytes_per_us / flying * waste + 0.004 * programs / card.processors


def rows(card: Card, block: int, together: int, warps: int, stages: int) -> float:
    """The same of a reduction over rows, several rows a program, in steps of a block."""
    many, long, _ = card.problem
    each = block * together / (32 * warps)
    shared = (stages - 1) * block * together * 4
    registers = 20 + 4 * max(1.0, each)
    resident = card.resident(warps, registers, shared)
    if not resident or each > 256:
        return math.nan
    steps = math.ceil(long / block)
    flying = 1 - math.exp(-resident * block * together * 4 * min(stages, steps) / card.in_flight)
    padded = steps * block / long
    waste = 1 + 0.4 * max(0.0, registers / SPILLED - 1) + 0.02 * math.log2(warps) ** 2 / together
    programs = math.ceil(many / together)
    moved = 4 * many * long * (1 + 0.15 * (padded - 1))
    # The last wave has the memory to itself and is done sooner.
    whole = math.sqrt(card.waves(programs, resident))
    return moved / card.bytes_per_us / flying * waste * whole


def product_of(card: Card, m: int, n: int, k: int, warps: int, stages: int) -> float:
    """The same of a matrix product in tiles."""
    rows_, columns, long = card.problem
    shared = 2 * (m * k + k * n) * stages
    registers = 40 + m * n / (32 * warps) + (m + n) * k / (64 * warps)
    resident = card.resident(warps, registers, shared)
    if not resident or registers > 3 * SPILLED:
        return math.nan
    tiles = math.ceil(rows_ / m) * math.ceil(columns / n)
    flops = 2.0 * tiles * m * n * math.ceil(long / k) * k
    busy = min(1.0, resident * warps / 8) * (1 - 0.5**stages) * (1 - math.exp(-m * n / 9000))
    moved = tiles * (m + n) * long * 2 / 3 / card.bytes_per_us
    spilled = 1 + 1.5 * max(0.0, registers / SPILLED - 1)
    work = flops / card.flops_per_us / busy * spilled
    return max(work, moved) * card.waves(tiles, resident) + 0.1 * min(work, moved)


def _sizes(first: int, last: int) -> tuple[int, ...]:
    return tuple(1 << power for power in range(first, last + 1))


WARPS = ("num_warps", ChoiceKind.WARPS, (1, 2, 4, 8, 16))
STAGES = ("num_stages", ChoiceKind.STAGES, (1, 2, 3, 4, 5))


@dataclass(frozen=True)
class World:
    """A simulated kernel: what may be set, and how long it takes."""

    name: str
    time: Callable[..., float]
    bound: Bottleneck
    choices: tuple[tuple[str, ChoiceKind, tuple[int, ...]], ...]

    def points(self) -> list[Point]:
        """Every setting."""
        return list(product(*(values for _, _, values in self.choices)))


WORLDS = (
    World(
        "elementwise",
        elementwise,
        Bottleneck.MEMORY,
        (("BLOCK", ChoiceKind.BLOCK, _sizes(5, 14)), WARPS),
    ),
    World(
        "reduction of rows",
        rows,
        Bottleneck.MEMORY,
        (
            ("BLOCK", ChoiceKind.BLOCK, _sizes(6, 13)),
            ("ROWS", ChoiceKind.BLOCK, _sizes(0, 5)),
            WARPS,
            STAGES,
        ),
    ),
    World(
        "matrix product",
        product_of,
        Bottleneck.ARITHMETIC,
        (
            ("BM", ChoiceKind.BLOCK, _sizes(4, 8)),
            ("BN", ChoiceKind.BLOCK, _sizes(4, 8)),
            ("BK", ChoiceKind.BLOCK, _sizes(4, 7)),
            WARPS,
            STAGES,
        ),
    ),
)


class Numbered(SettingSpace):
    """Settings without a text."""

    def source(self, point: Point) -> str:
        """Something that differs for every setting."""
        return repr(point)


@dataclass
class Run:
    """One search on one drawn card."""

    world: World
    space: SettingSpace
    truth: dict[Point, float]
    """Log speed; NaN for what does not compile."""
    rng: np.random.Generator
    chance: random.Random
    trials: Trials

    @classmethod
    def begun(cls, world: World, seed: int, within: float = math.inf) -> "Run":
        """A card, a valid setting so many times slower than the best at most, and its time."""
        rng = np.random.default_rng(seed)
        card = Card.drawn(rng)
        truth = {point: -math.log(world.time(card, *point)) for point in world.points()}
        least = _top(truth) - math.log(within)
        valid = [point for point, value in truth.items() if value >= least]
        start = valid[int(rng.integers(len(valid)))]
        choices = tuple(
            TuningChoice(f"k.{name}", kind, now, values, ())
            for (name, kind, values), now in zip(world.choices, start, strict=True)
        )
        run = cls(world, Numbered("", choices), truth, rng, random.Random(seed), Trials())
        run.evaluate(start)
        return run

    def evaluate(self, point: Point) -> None:
        """Read the clock once."""
        value = self.truth[point] + float(self.rng.normal(0, NOISE))
        half = NOISE * ALPHA_WIDTH / 2
        speed = None if math.isnan(value) else LogSpeed(value, value - half, value + half)
        self.trials.add(SettingTrial(self.space, point, self.space.source(point), speed))

    def lost(self) -> float:
        """Log speed between what would be handed in and the best."""
        best = self.trials.best
        assert best is not None
        return _top(self.truth) - self.truth[best.point]

    def untried(self) -> list[Point]:
        """In the order of the grid."""
        tried = {trial.point for trial in self.trials.all}
        return [point for point in self.truth if point not in tried]


def _top(truth: dict[Point, float]) -> float:
    return max(value for value in truth.values() if not math.isnan(value))


def at_random(run: Run) -> list[Point]:
    """Any that was not tried."""
    return [run.chance.choice(run.untried())]


def by_grid(run: Run) -> list[Point]:
    """One after the other."""
    return run.untried()[:1]


def climbing(run: Run) -> list[Point]:
    """A neighbour of the best in one choice; any where all of them were tried."""
    best = run.trials.best
    assert best is not None
    near = [
        point
        for point in run.untried()
        if sum(a != b for a, b in zip(point, best.point, strict=True)) == 1
        and point in set(run.space.neighbours(best.point))
    ]
    return [run.chance.choice(near)] if near else at_random(run)


def by_model(run: Run, batch: int = 1, believed: bool = True) -> list[Point]:
    """What the search of this package proposes."""
    prior = make_prior(run.world.bound) if believed else flat
    found = propose(run.trials, run.space, batch, run.chance, prior=prior)
    return [one.point for one in found]


WAYS: dict[str, Callable[[Run], list[Point]]] = {
    "grid": by_grid,
    "random": at_random,
    "climbing": climbing,
    "search, no belief": partial(by_model, believed=False),
    "search": by_model,
    "search, 4 at once": partial(by_model, batch=4),
}


def needed(world: World, way: Callable[[Run], list[Point]], seed: int, most: int) -> int:
    """Evaluations until it is found; one more than `most` where it is not."""
    run = Run.begun(world, seed)
    while run.lost() > NEAR:
        points = way(run)[: most - len(run.trials.all)]
        if not points:
            return most + 1
        for point in points:
            run.evaluate(point)
    return len(run.trials.all)


def table(runs: int, most: int, seed: int) -> Iterator[str]:
    """Rows of the table."""
    yield "| kernel | settings | way | median | 9 of 10 within | not found |"
    yield "|---|---|---|---|---|---|"
    for world in WORLDS:
        size = len(world.points())
        for name, way in WAYS.items():
            counts = [needed(world, way, seed + number, most) for number in range(runs)]
            missed = sum(count > most for count in counts)
            median, tail = (_shown(float(np.quantile(counts, q)), most) for q in (0.5, 0.9))
            yield f"| {world.name} | {size} | {name} | {median} | {tail} | {missed} |"


def lost_after(world: World, way: Callable[[Run], list[Point]], seed: int) -> list[float]:
    """What is left to gain by each count of further evaluations, from a sensible start."""
    run = Run.begun(world, seed, SENSIBLE)
    found = [run.lost()]
    for count in FEW:
        while len(run.trials.all) <= count:
            for point in way(run)[: count + 1 - len(run.trials.all)]:
                run.evaluate(point)
        found.append(run.lost())
    return found


def small_budgets(runs: int, seed: int) -> Iterator[str]:
    """Rows of the second table."""
    yield f"| kernel | way | start | {' | '.join(f'after {count}' for count in FEW)} |"
    yield f"|---|---|---{'|---' * len(FEW)}|"
    for world in WORLDS:
        for name, way in WAYS.items():
            rows = [lost_after(world, way, seed + number) for number in range(runs)]
            means = (f"{math.expm1(float(mean)):.1%}" for mean in np.mean(rows, axis=0))
            yield f"| {world.name} | {name} | {' | '.join(means)} |"


def _shown(count: float, most: int) -> str:
    return f"over {most}" if count > most else f"{count:g}"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    print(f"{wanted.runs} runs a row, at most {wanted.most} evaluations each, seed {wanted.seed}\n")
    for line in table(wanted.runs, wanted.most, wanted.seed):
        print(line, flush=True)
    print(f"\nSlower than the best, from a start at most {SENSIBLE:g} times slower\n")
    for line in small_budgets(wanted.runs, wanted.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
