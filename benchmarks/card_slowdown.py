"""Whether a kernel that got slower by 5 % is called slower.

    python benchmarks/card_slowdown.py [--only PATTERN ...] [--runs 2] [--jobs N]

The plan of every witness is replayed on both sides, each in two processes; the candidate's make 21
calls for every 20 of the baseline's, and the time is divided by 20 on both sides. The additional
call has inputs, outputs and memory of its own and finds the cache as cold as every other call, so
the candidate takes 5 % more device time by construction, whatever the kernel. Flushing the cache
and starting a graph happen as often on both sides.

Each run has its own processes, seed and inputs. Of the cases that take at least 20 us, at least
95 % must be called slower in each run.
"""

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from _crews import (
    Station,
    bench_of,
    inputs_of,
    jobs_here,
    recorded_witnesses,
    replays,
    slowed_replays,
    station,
)
from _plans import CALLS, Recorded, Replaying, in_twenties, timed
from _reports import Report, parser_of, percent, setting

from kernelbenchx import catalog
from kernelbenchx.core import seeds
from kernelbenchx.core.performance import Clock, Pace, TimedCase
from kernelbenchx.measure.case import OVERHEAD_US

LEAST_CALLED = 0.95
EXPECTED = CALLS / (CALLS + 1)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One case of one run."""

    run: int
    task: str
    case: str
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


def row_of(run: int, plan: Recorded, slots: int, case: TimedCase) -> Row:
    """By device time."""
    one = case.comparison("eager", Clock.DEVICE)
    assert one is not None
    return Row(
        run=run,
        task=plan.task,
        case=plan.case,
        slots=slots,
        baseline_us=one.baseline_us,
        speedup=one.speedup,
        low=one.low,
        high=one.high,
        pace=one.pace.value,
        blocks=len({sample.block for sample in one.samples}),
    )


def measure(
    here: Station, plans: Sequence[Recorded], run: int, seed: int, lost: list[str]
) -> list[Row]:
    """One run with processes and inputs of its own."""
    bench, place = bench_of(here.card.device, seed)
    rows = []
    with (
        slowed_replays(here, ("slowed 0", "slowed 1")) as candidates,
        replays(here, Replaying, ("baseline 0", "baseline 1")) as baselines,
    ):
        for plan in plans:
            print(f"run {run}: {plan.task} {plan.case}", file=sys.stderr, flush=True)
            inputs, rounds = in_twenties(inputs_of(bench, plan.task, plan.case))
            for runner in (*candidates, *baselines):
                runner.rounds = rounds
            found = timed(place, inputs, plan, candidates, baselines)
            if isinstance(found, TimedCase):
                rows.append(row_of(run, plan, inputs.layout.slots, found))
            else:
                lost.append(f"run {run}: {plan.task} {plan.case}: {found.reason}: {found.detail}")
    bench.close()
    return rows


def say_rows(report: Report, rows: Sequence[Row]) -> None:
    """Every case."""
    report.table(
        ("run", "task", "case", "slots", "us", "speedup", "interval", "pace", "blocks", "counts"),
        [
            (
                one.run, one.task, one.case, one.slots, f"{one.baseline_us:.1f}",
                f"{one.speedup:.4f}", f"{one.low:.4f} {one.high:.4f}", one.pace, one.blocks,
                "yes" if one.counts else f"no, below {OVERHEAD_US:.0f} us",
            )
            for one in rows
        ],
    )  # fmt: skip


def summary(report: Report, rows: Sequence[Row], runs: int) -> list[dict[str, object]]:
    """The promise for each run, and whether the slowdown was what it should be."""
    found: list[dict[str, object]] = []
    for run in range(1, runs + 1):
        counted = [row for row in rows if row.run == run and row.counts]
        if not counted:
            report.must(f"run {run}: there are cases of at least {OVERHEAD_US:.0f} us", False)
            continue
        called = sum(row.pace == Pace.SLOWER.value for row in counted)
        speedups = [row.speedup for row in counted]
        report.say(
            f"run {run}: speedups between {min(speedups):.4f} and {max(speedups):.4f}, median "
            f"{statistics.median(speedups):.4f}, expected {EXPECTED:.4f}"
        )
        share = called / len(counted)
        report.must(
            f"run {run}: {called} of {len(counted)} cases called slower ({percent(share)}, at "
            f"least {percent(LEAST_CALLED)})",
            share >= LEAST_CALLED,
        )
        found.append(
            {
                "run": run, "cases": len(counted), "slower": called,
                "median": round(statistics.median(speedups), 5),
            }
        )  # fmt: skip
    return found


def main() -> int:
    """Measure, print, say whether it holds."""
    parser = parser_of(__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="tasks, by name or pattern")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=jobs_here())
    options = parser.parse_args()
    report, names = Report(), catalog.select(*options.only)
    drawn = [seeds.fresh() for _ in range(options.runs + 1)]
    rows: list[Row] = []
    lost: list[str] = []
    with station(options.jobs, drawn[0]) as here:
        report.say(setting(here.environment, seeds=drawn, isolation=here.isolation))
        bench, _ = bench_of(here.card.device, drawn[0])
        plans = recorded_witnesses(here, bench, names, report.say)
        bench.close()
        report.say(f"{len(names)} tasks, {len(plans)} cases whose launches are replayed\n")
        for run, seed in enumerate(drawn[1:], start=1):
            rows += measure(here, plans, run, seed, lost)
    say_rows(report, rows)
    for one in lost:
        report.say(f"not timed: {one}")
    found = summary(report, rows, options.runs)
    report.must(f"every replayed case was timed ({len(lost)} were not)", not lost)
    compact = [[row.run, row.task, row.case, round(row.speedup, 5), row.pace] for row in rows]
    return report.end({"seeds": drawn, "runs": found, "rows": compact, "lost": lost}, options.out)


if __name__ == "__main__":
    sys.exit(main())
