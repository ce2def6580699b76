"""Whether a kernel that got slower by 5 % is called slower.

    python benchmarks/card_slowdown.py [--only PATTERN ...] [--runs 2] [--jobs N]

The witness of every task is on both sides, each in two processes; the candidate's make 21 calls for
every 20 of the baseline's, and the time is divided by 20 on both sides. The additional call has
inputs, outputs and memory of its own and finds the cache as cold as every other call, so the
candidate takes 5 % more time by construction, whatever the kernel. Flushing the cache, starting a
graph and whatever surrounds a batch happen as often on both sides. Where fewer than twenty calls
fit into memory, a block is several rounds of them.

Where launches can be replayed, both sides replay the plan of the witness, timed by the card (tier
replay). Where they cannot, both sides are confined processes with the witness's own Python in them,
timed by the judge's clock (host-timed). All else is as in an evaluation: inputs, plans, looks, the
rule when to stop, and the judging of outputs.

Each run has its own processes, seed and inputs. Of all timing cases that take at least 20 us, at
least 95 % must be called slower in each run.
"""

import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from _crews import (
    Station,
    bench_of,
    beside_the_clock,
    inputs_of,
    jobs_here,
    recorded_witnesses,
    replays,
    slowed_replays,
    station,
    wall_crews,
)
from _plans import CALLS, Place, Recorded, Replaying, in_twenties, timed
from _reports import Report, parser_of, percent, setting
from _walled import Walled, timed_walled

from kernelbenchx import catalog
from kernelbenchx.core import seeds
from kernelbenchx.core.errors import KbxError
from kernelbenchx.core.performance import Clock, Failed, SpeedClass, Tier, TimedCase, Unmeasured
from kernelbenchx.measure.bench import Bench
from kernelbenchx.measure.case_timing import OVERHEAD_US

LEAST_CALLED = 0.95
EXPECTED = CALLS / (CALLS + 1)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One case of one run."""

    run: int
    task: str
    case: str
    tier: str
    slots: int
    baseline_us: float
    speedup: float
    low: float
    high: float
    pace: str
    blocks: int

    @property
    def counts(self) -> bool:
        """Long enough that the card, not the launch, decides."""
        return self.baseline_us >= OVERHEAD_US


def row_of(run: int, task: str, slots: int, case: TimedCase) -> Row:
    """By device time."""
    one = case.find_comparison("eager", Clock.DEVICE)
    assert one is not None
    return Row(
        run=run,
        task=task,
        case=case.case,
        tier=one.tier.value,
        slots=slots,
        baseline_us=one.baseline_us,
        speedup=one.speedup,
        low=one.low,
        high=one.high,
        pace=one.speed_class.value,
        blocks=len({sample.block for sample in one.samples}),
    )


@dataclass
class Run:
    """One run with processes and inputs of its own."""

    number: int
    here: Station
    bench: Bench
    place: Place
    missing: Callable[[str], None]

    def replayed(self, plans: Sequence[Recorded]) -> list[Row]:
        """The same processes for all."""
        rows: list[Row] = []
        with (
            slowed_replays(self.here, ("slowed 0", "slowed 1")) as candidates,
            replays(self.here, Replaying, ("baseline 0", "baseline 1")) as baselines,
        ):
            for plan in plans:
                with self._told(plan):
                    inputs, rounds = in_twenties(inputs_of(self.bench, plan.task, plan.case))
                    for runner in (*candidates, *baselines):
                        runner.rounds = rounds
                    found = timed(self.place, inputs, plan, candidates, baselines)
                    rows += self._noted(plan, inputs.layout.slots, found)
        return rows

    def walled(self, cases: Sequence[Walled]) -> list[Row]:
        """Processes of its own for each task, which end before those of the next are timed."""
        rows: list[Row] = []
        by_task = {
            name: {
                one: inputs_of(self.bench, name, one.case, walled=True)
                for one in cases
                if one.task == name
            }
            for name in dict.fromkeys(one.task for one in cases)
        }
        prepared = {name: list(inputs.values()) for name, inputs in by_task.items()}
        with wall_crews(self.here, prepared) as crews:
            for crew, drawn in zip(crews, by_task.values(), strict=True):
                with crew.stack, beside_the_clock(self.here, self.bench, crew):
                    for one, usual in drawn.items():
                        with self._told(one):
                            inputs, rounds = in_twenties(usual, self.bench.where.room_bytes)
                            found = timed_walled(self.place, inputs, rounds, crew, one.obstacle)
                            rows += self._noted(one, inputs.layout.slots, found)
        return rows

    @contextmanager
    def _told(self, one: Recorded | Walled) -> Iterator[None]:
        """What goes wrong with a case, such as memory that is not there, costs that case only."""
        print(f"run {self.number}: {one.task} {one.case}", file=sys.stderr, flush=True)
        try:
            yield
        except (KbxError, RuntimeError) as error:
            self.missing(f"run {self.number}: {one.task} {one.case}: {error}"[:300])

    def _noted(
        self, one: Recorded | Walled, slots: int, found: TimedCase | Failed | Unmeasured
    ) -> list[Row]:
        if isinstance(found, TimedCase):
            row = row_of(self.number, one.task, slots, found)
            print(f"    {row.speedup:.4f} {row.pace}", file=sys.stderr, flush=True)
            return [row]
        self.missing(
            f"run {self.number}: {one.task} {one.case}: {found.reason.value}: {found.detail}"
        )
        return []


def measure(
    here: Station,
    cases: Sequence[Recorded | Walled],
    number: int,
    seed: int,
    missing: Callable[[str], None],
) -> list[Row]:
    """All cases of one run, in the order in which they are given."""
    bench, place = bench_of(here.card.device, seed)
    run = Run(number, here, bench, place, missing)
    plans = [one for one in cases if isinstance(one, Recorded)]
    rows = run.replayed(plans) if plans else []
    try:
        rows += run.walled([one for one in cases if isinstance(one, Walled)])
    except (KbxError, RuntimeError) as error:
        missing(f"run {number}: host-timed: {error}"[:300])
    bench.close()
    order = {(one.task, one.case): at for at, one in enumerate(cases)}
    return sorted(rows, key=lambda row: order[row.task, row.case])


def say_rows(report: Report, rows: Sequence[Row]) -> None:
    """Every case."""
    head = ("run", "task", "case", "tier", "slots", "us", "speedup", "interval", "pace")
    report.table(
        (*head, "blocks", "counts"),
        [
            (
                one.run, one.task, one.case, one.tier, one.slots, f"{one.baseline_us:.1f}",
                f"{one.speedup:.4f}", f"{one.low:.4f} {one.high:.4f}", one.pace, one.blocks,
                "yes" if one.counts else f"no, below {OVERHEAD_US:.0f} us",
            )
            for one in rows
        ],
    )  # fmt: skip


def summary(report: Report, rows: Sequence[Row], runs: int) -> list[dict[str, Any]]:
    """The promise for each run, and whether the slowdown was what it should be."""
    found: list[dict[str, Any]] = []
    for run in range(1, runs + 1):
        counted = [row for row in rows if row.run == run and row.counts]
        if not counted:
            report.must(f"run {run}: there are cases of at least {OVERHEAD_US:.0f} us", False)
            continue
        tiers = [_of_tier(report, run, tier, counted) for tier in Tier]
        called = sum(row.pace == SpeedClass.SLOWER.value for row in counted)
        share = called / len(counted)
        report.must(
            f"run {run}: {called} of {len(counted)} cases called slower ({percent(share)}, at "
            f"least {percent(LEAST_CALLED)})",
            share >= LEAST_CALLED,
        )
        found.append(
            {
                "run": run, "cases": len(counted), "slower": called,
                "tiers": [one for one in tiers if one is not None],
            }
        )  # fmt: skip
    return found


def _of_tier(report: Report, run: int, tier: Tier, counted: Sequence[Row]) -> dict[str, Any] | None:
    group = [row for row in counted if row.tier == tier.value]
    if not group:
        return None
    speedups = [row.speedup for row in group]
    middle = statistics.median(speedups)
    called = sum(row.pace == SpeedClass.SLOWER.value for row in group)
    report.say(
        f"run {run}, tier {tier.value}: {called} of {len(group)} called slower; speedups between "
        f"{min(speedups):.4f} and {max(speedups):.4f}, median {middle:.4f}, expected {EXPECTED:.4f}"
    )
    return {
        "tier": tier.value, "cases": len(group), "slower": called, "median": round(middle, 5),
    }  # fmt: skip


def main() -> int:
    """Measure, print, say whether it holds."""
    parser = parser_of(__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="tasks, by name or pattern")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=jobs_here())
    options = parser.parse_args()
    report, names = Report(), catalog.select(*options.only)
    drawn = [seeds.draw_seed() for _ in range(options.runs + 1)]
    rows: list[Row] = []
    lost: list[str] = []
    with station(options.jobs, drawn[0]) as here:
        report.say(setting(here.environment, seeds=drawn, isolation=here.isolation))
        bench, _ = bench_of(here.card.device, drawn[0])
        cases = recorded_witnesses(here, bench, names, lost.append)
        bench.close()
        for one in cases:
            if isinstance(one, Walled):
                report.say(f"not replayed: {one.task} {one.case}: {one.obstacle}")
        report.say(f"{len(names)} tasks, {len(cases)} timing cases\n")
        for run, seed in enumerate(drawn[1:], start=1):
            rows += measure(here, cases, run, seed, lost.append)
    say_rows(report, rows)
    for each in lost:
        report.say(f"not timed: {each}")
    found = summary(report, rows, options.runs)
    wanted = options.runs * sum(len(catalog.load(name).timings) for name in names)
    report.must(
        f"every timing case was timed in every run ({len(rows)} of {wanted})",
        not lost and len(rows) == wanted,
    )
    compact = [
        [row.run, row.task, row.case, row.tier, round(row.speedup, 5), row.pace] for row in rows
    ]
    return report.end({"seeds": drawn, "runs": found, "rows": compact, "lost": lost}, options.out)


if __name__ == "__main__":
    sys.exit(main())
