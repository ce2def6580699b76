"""What the verdicts on speed get wrong, on simulated cards whose truth is known.

    python benchmarks/statistics_simulation.py [--runs 4000] [--seed 1]

Every row simulates many comparisons from the first block to the stop, as `kbx eval` measures them,
and again by a naive procedure: all blocks in one pot, the plain mean, 5 % at every look, and stop
as soon as the interval says something. Then what a host that others use does to times with the host
in them, and the intervals of tasks and of suites.
"""

import argparse
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from numpy.random import Generator

from kernelbenchx.core.performance import (
    Clock,
    Comparison,
    Efficiency,
    Sample,
    SpeedClass,
    Tier,
    TimedCase,
)
from kernelbenchx.measure.aggregates import task_speedup
from kernelbenchx.measure.statistics import (
    HOST_BOUND_PLAN,
    HOST_TIMED_PLAN,
    HOST_WAITING_PLAN,
    PLANS,
    QUEUED_PLAN,
    TIE_HIGH,
    TIE_LOW,
    Estimate,
    SamplingPlan,
    classify_speedup,
    estimate_from_ratios,
    estimate_speedup,
    next_look,
)
from kernelbenchx.measure.student_t import quantile
from kernelbenchx.measure.suite import mean_over_tasks

PLAN = PLANS[Clock.DEVICE]
PAIRS = 2
BUILT = {
    "device": PLAN,
    "call": PLANS[Clock.CALL],
    "QUEUED": QUEUED_PLAN,
    "WALL": HOST_TIMED_PLAN,
    "WALL_WAITING": HOST_WAITING_PLAN,
    "WALL_BOUND": HOST_BOUND_PLAN,
}
"""Every plan that there is."""


@dataclass(frozen=True, kw_only=True)
class World:
    """A kernel, a baseline and a card; all spreads are of logs."""

    name: str
    speedup: float = 1.0
    noise: float = 0.005
    """Standard deviation of a block's log ratio."""
    between: float = 0.0002
    """Standard deviation between pairs of processes."""
    outliers: float = 0.0
    """Share of block means that were disturbed: 2 to 10 times too long."""
    drift: float = 0.0
    """How much slower the card is at the end of 36 blocks than at the beginning."""


@dataclass(frozen=True)
class Stop:
    """Where one simulated comparison ended."""

    pace: SpeedClass
    speedup: float
    low: float
    high: float
    blocks: int


Blocks = np.ndarray
Procedure = Callable[[Blocks], Stop]


def draw(world: World, rng: Generator) -> Blocks:
    """Log ratios of all blocks that could be asked for, one row per pair.

    In each block the four processes run in random order, so a drift of the card meets the two
    sides of a ratio at different times.
    """
    blocks = PLAN.looks[-1]
    side = (2, PAIRS, blocks)
    times = rng.normal(0.0, world.noise / math.sqrt(2.0), side)
    if world.drift:
        order = rng.permuted(np.tile(np.arange(2 * PAIRS), (blocks, 1)), axis=1)
        when = (np.arange(blocks)[:, None] + order / (2 * PAIRS)) / blocks
        times += world.drift * when.T.reshape(side)
    if world.outliers:
        hit = rng.random(side) < world.outliers
        times += np.where(hit, np.log(rng.uniform(2.0, 10.0, side)), 0.0)
    process = rng.normal(0.0, world.between, (PAIRS, 1))
    return np.asarray(math.log(world.speedup) + process + times[0] - times[1])


def planned(blocks: Blocks) -> Stop:
    """Ours."""
    last = None
    while (upto := next_look(last, PLAN)) is not None:
        look = PLAN.looks.index(upto)
        last = estimate_from_ratios(blocks[:, :upto].tolist(), look, PLAN)
    assert last is not None
    return _stop(last)


def naive(blocks: Blocks) -> Stop:
    """No correction for looks, no spread between processes, no trimming."""
    for upto in PLAN.looks:
        pot = blocks[:, :upto].ravel()
        centre, error = float(pot.mean()), float(pot.std(ddof=1)) / math.sqrt(pot.size)
        width = quantile(PLAN.level, pot.size - 1) * error
        low, high = math.exp(centre - width), math.exp(centre + width)
        pace = classify_speedup(low, high)
        if pace is not SpeedClass.UNDECIDED:
            break
    return Stop(pace, math.exp(centre), low, high, upto)


def wrong(pace: SpeedClass, speedup: float) -> bool:
    """A verdict that the truth contradicts; no verdict is not wrong."""
    if pace is SpeedClass.FASTER:
        return speedup <= TIE_HIGH
    if pace is SpeedClass.SLOWER:
        return speedup >= TIE_LOW
    return pace is SpeedClass.TIE and not TIE_LOW <= speedup <= TIE_HIGH


@dataclass(frozen=True)
class Tally:
    """Shares over many runs of one world."""

    runs: int
    wrong: float
    covered: float
    paces: dict[SpeedClass, float]
    blocks: float
    half_width: float
    """Median, in percent."""


def tally(world: World, procedure: Procedure, runs: int, seed: int) -> Tally:
    """Run one world many times."""
    rng = np.random.default_rng(seed)
    stops = [procedure(draw(world, rng)) for _ in range(runs)]
    counts = Counter(stop.pace for stop in stops)
    return Tally(
        runs=runs,
        wrong=_share(wrong(stop.pace, world.speedup) for stop in stops),
        covered=_share(stop.low <= world.speedup <= stop.high for stop in stops),
        paces={pace: counts[pace] / runs for pace in SpeedClass},
        blocks=float(np.mean([stop.blocks for stop in stops])),
        half_width=float(np.median([math.log(stop.high / stop.low) / 2 for stop in stops])) * 100,
    )


def _share(holds: Iterable[bool]) -> float:
    return float(np.mean(list(holds)))


A_A = (
    World(name="A/A, quiet", noise=0.001),
    World(name="A/A", noise=0.005),
    World(name="A/A, noisy", noise=0.01),
    World(name="A/A, blocks disturbed", noise=0.003, outliers=0.01),
    World(name="A/A, card slows down", noise=0.003, drift=0.05),
    World(name="A/A, processes differ", noise=0.001, between=0.002),
    World(name="A/A, processes differ more", noise=0.003, between=0.003),
    World(name="A/A, processes far apart", noise=0.003, between=0.01),
    World(name="A/A, all of it", noise=0.01, between=0.002, outliers=0.01, drift=0.05),
)
"""The candidate is the baseline."""

BORDER = tuple(
    replace(world, name=f"{side}, {world.name[5:]}" if world.name != "A/A" else side, speedup=truth)
    for side, truth in (("1.0099", 1.0099), ("1.0101", 1.0101))
    for world in A_A
    if world.name
    in ("A/A", "A/A, processes differ", "A/A, processes differ more", "A/A, all of it")
)
"""Just inside and just outside a tie, where a verdict is easiest to get wrong."""

EFFECTS = tuple(
    World(name=f"{name}, noise {noise:.1%}", speedup=speedup, noise=noise, outliers=outliers)
    for name, speedup in (("5 % slower", 1 / 1.05), ("5 % faster", 1.05), ("twice as fast", 2.0))
    for noise, outliers in ((0.003, 0.0), (0.005, 0.01), (0.01, 0.01))
)
"""What must be found."""


@dataclass(frozen=True, kw_only=True)
class Host:
    """A machine that others use: for some blocks on end it is slow, and whoever waits for it is."""

    name: str
    slow: float
    """Share of the blocks in which it is."""
    mine: float
    theirs: float
    """How much longer a block of either side takes then, in logs; below zero it is quick then."""
    noise: float = 0.01
    speedup: float = 1.0


@dataclass(frozen=True, kw_only=True)
class HostTally:
    """Shares over many runs by one plan, and how far the speedup lay from the truth, in logs."""

    wrong: float
    covered: float
    undecided: float
    blocks: float
    off: float
    """Median."""
    far_off: float
    """95th percentile."""


EPISODE = 8
"""Blocks until it is drawn anew whether it is slow, on average."""


def hosted(host: Host, rng: Generator) -> np.ndarray:
    """Logs of times by side, pair and block; both pairs sit on the same core."""
    blocks = max(HOST_TIMED_PLAN.looks[-1], QUEUED_PLAN.looks[-1])
    times = rng.normal(0.0, host.noise, (2, PAIRS, blocks))
    state = rng.random() < host.slow
    for block in range(blocks):
        leave = (1.0 - host.slow if state else host.slow) / EPISODE
        state = state != (rng.random() < leave)
        if state:
            times[0, :, block] += host.mine * rng.uniform(0.7, 1.3)
            times[1, :, block] += host.theirs * rng.uniform(0.7, 1.3)
    times[0] -= math.log(host.speedup)
    return times


Look = Callable[[int, SamplingPlan], Estimate]


def looks_at(times: np.ndarray) -> Look:
    """What a plan makes of the first so many blocks; several plans may look at the same ones."""
    mine, theirs = np.exp(times)
    samples = [
        Sample(
            pair=pair,
            block=block,
            candidate_us=float(mine[pair, block]),
            baseline_us=float(theirs[pair, block]),
        )
        for block in range(times.shape[-1])
        for pair in range(PAIRS)
    ]
    return cache(lambda upto, plan: estimate_speedup(samples[: PAIRS * upto], plan))


def judged(look: Look, before: SamplingPlan, plan: SamplingPlan) -> Stop:
    """Blocks until the plan before is final, then on until that of the verdict is."""
    last = None
    for one in (before, plan):
        last = last and look(last.blocks, one)
        while (upto := next_look(last, one)) is not None:
            last = look(upto, one)
    assert last is not None
    return _stop(last)


def once(look: Look, plan: SamplingPlan) -> Stop:
    """The first blocks and no others, whatever they say: so the call clock is looked at."""
    return _stop(look(plan.looks[0], plan))


def _stop(last: Estimate) -> Stop:
    return Stop(last.speed_class, last.speedup, last.low, last.high, last.blocks)


JUDGED: dict[str, Callable[[Look], Stop]] = {
    "WALL, quickest": partial(judged, before=HOST_TIMED_PLAN, plan=HOST_TIMED_PLAN),
    "WALL_WAITING, quickest": partial(judged, before=HOST_TIMED_PLAN, plan=HOST_WAITING_PLAN),
    "WALL_WAITING, quickest, from the start": partial(
        judged, before=HOST_WAITING_PLAN, plan=HOST_WAITING_PLAN
    ),
    "WALL_BOUND, all": partial(judged, before=HOST_TIMED_PLAN, plan=HOST_BOUND_PLAN),
    "QUEUED, quickest": partial(judged, before=QUEUED_PLAN, plan=QUEUED_PLAN),
    "call, quickest, one look": partial(once, plan=PLANS[Clock.CALL]),
}
"""Where the host is in the time: the plan before it is known who waits for it, and the verdict's;
which blocks count."""


HOSTS = (
    Host(name="A/A, quiet host", slow=0.0, mine=0.0, theirs=0.0),
    Host(name="A/A, host slow at times", slow=0.3, mine=0.3, theirs=0.3),
    Host(name="A/A, host mostly slow", slow=0.7, mine=0.3, theirs=0.3),
    Host(name="A/A, host quick at times", slow=0.1, mine=-0.25, theirs=-0.25),
    Host(name="as fast, only one side waits", slow=0.3, mine=0.4, theirs=0.0),
    Host(name="as fast, only one side waits, mostly slow", slow=0.6, mine=0.4, theirs=0.0),
    Host(name="as fast, only one side waits, quick at times", slow=0.1, mine=-0.25, theirs=0.0),
    *(
        Host(
            name=f"5 % slower, quiet host, noise {noise:.1%}",
            slow=0.0,
            mine=0.0,
            theirs=0.0,
            noise=noise,
            speedup=1 / 1.05,
        )
        for noise in (0.005, 0.01)
    ),
    Host(name="10 % slower, host slow at times", slow=0.3, mine=0.4, theirs=0.1, speedup=1 / 1.1),
)


def hosts_tally(host: Host, runs: int, seed: int) -> dict[str, HostTally]:
    """Every plan on the same times."""
    rng = np.random.default_rng(seed)
    stops: dict[str, list[Stop]] = {name: [] for name in JUDGED}
    for _ in range(runs):
        look = looks_at(hosted(host, rng))
        for name, procedure in JUDGED.items():
            stops[name].append(procedure(look))
    return {name: _host_tally(found, host.speedup) for name, found in stops.items()}


def _host_tally(stops: list[Stop], speedup: float) -> HostTally:
    off = [abs(math.log(stop.speedup / speedup)) for stop in stops]
    return HostTally(
        wrong=_share(wrong(stop.pace, speedup) for stop in stops),
        covered=_share(stop.low <= speedup <= stop.high for stop in stops),
        undecided=_share(stop.pace is SpeedClass.UNDECIDED for stop in stops),
        blocks=float(np.mean([stop.blocks for stop in stops])),
        off=float(np.median(off)),
        far_off=float(np.quantile(off, 0.95)),
    )


def _print_hosts(runs: int, seed: int) -> None:
    """WALL_WAITING and WALL_BOUND differ in nothing but the blocks that count."""
    head = ("truth", "plan", "wrong", "covered", "undecided", "blocks")
    print("| " + " | ".join(head) + " | off, median | off, 95th percentile |")
    print("|" + "---|" * (len(head) + 2))
    for host in HOSTS:
        for name, got in hosts_tally(host, runs, seed).items():
            shares = " | ".join(f"{one:.1%}" for one in (got.wrong, got.covered, got.undecided))
            off = f"{got.off:.1%} | {got.far_off:.1%}"
            print(f"| {host.name} | {name} | {shares} | {got.blocks:.1f} | {off} |")
    print()


def case_of(stop: Stop, name: str, tier: Tier = Tier.REPLAY) -> TimedCase:
    """One stopped comparison as the record that a task's speedup is made of."""
    compared = Comparison(
        baseline="eager",
        clock=Clock.DEVICE,
        tier=tier,
        candidate_us=100.0,
        baseline_us=100.0 * stop.speedup,
        speedup=stop.speedup,
        low=stop.low,
        high=stop.high,
        speed_class=stop.pace,
    )
    nothing = Efficiency(gb_per_s=0.0, tflops=0.0, iou=0.0, mfu=0.0, score=0.0)
    return TimedCase(
        case=name,
        overhead_bound=False,
        comparisons=(compared,),
        efficiency=nothing,
        judged_outputs=1,
    )


def task_coverage(cases: int, world: World, runs: int, seed: int) -> float:
    """How often a task's interval holds the true geometric mean, with one offset per process."""
    quiet = replace(world, between=0.0)

    def stop(shared: np.ndarray, rng: Generator) -> Stop:
        return planned(draw(quiet, rng) + shared)

    return _tasks(cases, world, stop, Tier.REPLAY, np.random.default_rng(seed), runs)


def wall_coverage(cases: int, world: World, runs: int, seed: int) -> float:
    """The same by the judge's clock, on a quiet host."""
    quiet = Host(name="", slow=0.0, mine=0.0, theirs=0.0, noise=world.noise, speedup=world.speedup)

    def stop(shared: np.ndarray, rng: Generator) -> Stop:
        times = hosted(quiet, rng)
        times[0] -= shared
        return judged(looks_at(times), HOST_TIMED_PLAN, HOST_TIMED_PLAN)

    return _tasks(cases, world, stop, Tier.HOST_TIMED, np.random.default_rng(seed), runs)


def _tasks(
    cases: int,
    world: World,
    stop: Callable[[np.ndarray, Generator], Stop],
    tier: Tier,
    rng: Generator,
    runs: int,
) -> float:
    inside = 0
    for _ in range(runs):
        shared = rng.normal(0.0, world.between, (PAIRS, 1))
        timed = [case_of(stop(shared, rng), str(i), tier) for i in range(cases)]
        found = task_speedup(timed, "eager")
        assert found is not None
        inside += found.low <= world.speedup <= found.high
    return inside / runs


def suite_coverage(tasks: int, tries: int, runs: int, seed: int) -> tuple[float, float]:
    """Student's interval over tasks, and over submissions as if they were independent.

    Speedups of tasks are skewed (a few are large), and submissions of one task are alike.
    """
    rng = np.random.default_rng(seed)
    inside = [0, 0]
    for _ in range(runs):
        centre = rng.gamma(2.0, 0.25, tasks) - 0.5
        logs = centre[:, None] + rng.normal(0.0, 0.1, (tasks, tries))
        for i, clusters in enumerate((logs.tolist(), logs.reshape(-1, 1).tolist())):
            found = mean_over_tasks(clusters)
            assert found.low is not None and found.high is not None
            inside[i] += found.low <= 1.0 <= found.high
    return inside[0] / runs, inside[1] / runs


def _print(worlds: Iterable[World], runs: int, seed: int) -> None:
    head = (
        "truth",
        "procedure",
        "wrong",
        "covered",
        *(pace.value for pace in SpeedClass),
        "blocks",
    )
    print("| " + " | ".join(head) + " | half width |")
    print("|" + "---|" * (len(head) + 1))
    for world in worlds:
        for name, procedure in (("ours", planned), ("naive", naive)):
            got = tally(world, procedure, runs, seed)
            shares = [got.wrong, got.covered, *(got.paces[pace] for pace in SpeedClass)]
            cells = [world.name, name, *(f"{share:.1%}" for share in shares)]
            print("| " + " | ".join(cells), f"| {got.blocks:.1f} | {got.half_width:.2f} % |")
    print()


def _print_tasks(runs: int, seed: int) -> None:
    """Up to the plan's spread between processes, and half as much again."""
    print("| task of | process spread | covered |\n|---|---|---|")
    for cases in (1, 3, 8):
        for between in (0.0002, PLAN.between, 1.5 * PLAN.between):
            world = World(name="", noise=0.005, between=between, outliers=0.01)
            covered = task_coverage(cases, world, runs, seed)
            print(f"| {cases} cases | {between:.2%} | {covered:.1%} |")
    for cases in (1, 3, 8):
        for between in (HOST_TIMED_PLAN.between, 1.5 * HOST_TIMED_PLAN.between):
            covered = wall_coverage(cases, World(name="", between=between), runs, seed)
            print(f"| {cases} cases in tier wall | {between:.2%} | {covered:.1%} |")


def terms() -> str:
    """The plans that were simulated, whole: a print that is older than one of them differs."""
    return "\n".join(f"{name}: {plan}" for name, plan in BUILT.items())


def main() -> None:
    """Print the tables; nothing is kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.runs} runs a row, seed {options.seed}")
    print(f"{terms()}\n")
    for worlds in (A_A, BORDER, EFFECTS):
        _print(worlds, options.runs, options.seed)
    few = max(1, options.runs // 4)
    _print_hosts(few, options.seed)
    _print_tasks(few, options.seed)
    print("\n| suite of | by task | by submission |\n|---|---|---|")
    for tasks, tries in ((10, 1), (10, 8), (40, 8), (176, 4)):
        by_task, by_submission = suite_coverage(tasks, tries, options.runs, options.seed)
        print(f"| {tasks} tasks, {tries} each | {by_task:.1%} | {by_submission:.1%} |")


if __name__ == "__main__":
    main()
