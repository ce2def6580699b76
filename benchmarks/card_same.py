"""What a card's clocks say of two sides that are the same.

    python benchmarks/card_same.py [--part entries|replays] [--only PATTERN ...] [--jobs N]

Entries: the reference of every task, submitted as it is written, past the source
checks (for tasks that draw at random, eager in float32: their references draw nothing). It runs in
confined processes as every submission does, against the same in the processes of a baseline. Not
eager against eager: in 16 bits it may round more than a submission may. Launches of a library
cannot be replayed, so the judge's clock counts. Replays: the plan of every witness on both sides,
two pairs of replaying processes against two others.

Of the cases at most 5 % may be called faster or slower, by either clock. By the device clock, on
which verdicts and rewards rest, no speedup may be off by more than 2 %, and of the intervals of
95 % at most one in twenty may be without 1; cases bound by overhead are no exception. How many
speedups lie above 1, and how far off they are in the mean, is printed for each clock: a lean to one
side would be bias, not noise.
"""

import dis
import inspect
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from statistics import fmean
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import msgspec
import torch
from _crews import (
    Station,
    attempt_of,
    bench_of,
    inputs_of,
    jobs_here,
    recorded_witnesses,
    replays,
    station,
)
from _plans import Recorded, Replaying, timed
from _reports import Report, parser_of, percent, setting

from kernelbenchx import catalog
from kernelbenchx.core import seeds
from kernelbenchx.core.performance import Clock, Performance, Sample, SpeedClass, Timed, TimedCase
from kernelbenchx.spec.float32_compute import in_wide_numbers

MOST_CALLED, MOST_OFF = 0.05, 0.02
PARTS = ("entries", "replays")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One comparison of a side with itself."""

    part: str
    task: str
    case: str
    clock: str
    candidate_us: float
    baseline_us: float
    speedup: float
    low: float
    high: float
    pace: str
    blocks: int
    overhead_bound: bool
    samples: Sequence[Sample]

    @property
    def called(self) -> bool:
        """A difference was seen that is not there."""
        return self.pace in (SpeedClass.FASTER.value, SpeedClass.SLOWER.value)

    @property
    def off(self) -> float:
        """How far from 1, either way."""
        return max(self.speedup, 1.0 / self.speedup) - 1.0


def rows_of(part: str, task: str, case: TimedCase) -> Iterator[Row]:
    """One for each clock."""
    for one in case.comparisons:
        yield Row(
            part=part,
            task=task,
            case=case.case,
            clock=one.clock.value,
            candidate_us=one.candidate_us,
            baseline_us=one.baseline_us,
            speedup=one.speedup,
            low=one.low,
            high=one.high,
            pace=one.speed_class.value,
            blocks=len({sample.block for sample in one.samples}),
            overhead_bound=case.overhead_bound,
            samples=one.samples,
        )


def faithful_source(name: str) -> str:
    """What keeps the contract, as somebody would submit it."""
    task = catalog.load(name)
    heading = "from __future__ import annotations\nimport torch\n"
    if task.faithful is task.reference:
        return heading + "".join(pieces_of(task.reference))
    pieces = [*pieces_of(in_wide_numbers), *pieces_of(task.baseline)]
    last = f"{task.entry} = in_wide_numbers({task.baseline.__name__})\n"
    return heading + "".join(pieces) + last


def pieces_of(function: Any) -> list[str]:
    """Source of a function and, before it, of what it uses of its own module."""
    found: dict[str, str] = {}
    for name in sorted(names_in(function.__code__) & set(function.__globals__)):
        value = function.__globals__[name]
        if isinstance(value, ModuleType):
            found[name] = f"import {value.__name__} as {name}\n"
        elif isinstance(value, FunctionType) and value is not function:
            found.update((piece, piece) for piece in pieces_of(value))
        elif isinstance(value, type):
            found[name] = f"from {value.__module__} import {value.__name__} as {name}\n"
        elif is_dataclass(value):
            fields = (f"    {key} = {one!r}\n" for key, one in vars(value).items())
            found[name] = f"class {name}:\n{''.join(fields)}"
        elif isinstance(value, BuiltinFunctionType):
            found[name] = f"{name} = {path_in_torch(value)}\n"
        elif not isinstance(value, FunctionType):
            found[name] = f"{name} = {value!r}\n"
    return [*found.values(), inspect.getsource(function)]


def path_in_torch(function: BuiltinFunctionType) -> str:
    """Under which name it can be called."""
    spaces = (torch, torch.special, torch.linalg, torch.fft, torch.nn.functional)
    every = ((space.__name__, key, one) for space in spaces for key, one in vars(space).items())
    return next(f"{space}.{key}" for space, key, one in every if one is function)


def names_in(code: CodeType) -> set[str]:
    """Global names that a function, or one within it, looks up."""
    own = {one.argval for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL"}
    inner = (names_in(one) for one in code.co_consts if isinstance(one, CodeType))
    return own.union(*inner)


def same_entries(
    here: Station, names: Sequence[str], missing: Callable[[str], None], jobs: int
) -> list[Row]:
    """Through the whole performance stage, several prepared while one is timed."""
    here.gpu_slots.start(names)

    def performance(name: str) -> Performance:
        with here.gpu_slots.assign_gpu() as card, here.gpu_slots.process_slots.take_one():
            attempt = attempt_of(name, faithful_source(name))
            found = here.timing.time_submission(attempt, card, lambda _: None)
        print(f"entries: {name}: {type(found).__name__.lower()}", file=sys.stderr, flush=True)
        return found

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        found = list(pool.map(performance, names))
    rows = []
    for name, one in zip(names, found, strict=True):
        if isinstance(one, Timed):
            rows += [row for case in one.cases for row in rows_of("entries", name, case)]
        else:
            missing(f"{name} {one.case}: {one.reason.value}: {one.detail}")
    return rows


def same_replays(
    here: Station, names: Sequence[str], missing: Callable[[str], None], say: Callable[[str], None]
) -> list[Row]:
    """Without a line of any submission's Python on either side."""
    bench, place = bench_of(here.card.device, seeds.draw_seed())
    plans: list[Recorded] = []
    for one in recorded_witnesses(here, bench, names, missing):
        if isinstance(one, Recorded):
            plans.append(one)
        else:
            say(f"not replayed: {one.task} {one.case}: {one.obstacle}")
    rows: list[Row] = []
    with (
        replays(here, Replaying, ("candidate 0", "candidate 1")) as candidates,
        replays(here, Replaying, ("baseline 0", "baseline 1")) as baselines,
    ):
        for plan in plans:
            print(f"replays: {plan.task} {plan.case}", file=sys.stderr, flush=True)
            inputs = inputs_of(bench, plan.task, plan.case)
            found = timed(place, inputs, plan, candidates, baselines)
            if isinstance(found, TimedCase):
                rows += rows_of("replays", plan.task, found)
            else:
                missing(f"{plan.task} {plan.case}: {found.reason.value}: {found.detail}")
    bench.close()
    return rows


def say_rows(report: Report, rows: Sequence[Row]) -> None:
    """Every comparison, then what must hold of each clock."""
    head = ("part", "task", "case", "clock", "us", "baseline us", "speedup", "interval", "pace")
    report.table(
        (*head, "blocks", "bound by"),
        [
            (
                one.part, one.task, one.case, one.clock, f"{one.candidate_us:.1f}",
                f"{one.baseline_us:.1f}", f"{one.speedup:.4f}", f"{one.low:.4f} {one.high:.4f}",
                one.pace, one.blocks, "overhead" if one.overhead_bound else "",
            )
            for one in rows
        ],
    )  # fmt: skip


def summary(report: Report, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The promises, by part and clock."""
    found = []
    for part in PARTS:
        for clock in Clock:
            group = [row for row in rows if row.part == part and row.clock == clock.value]
            if not group:
                continue
            found.append(_said_of(report, f"{part}, {clock.value} clock", group))
    return found


def _said_of(report: Report, name: str, group: Sequence[Row]) -> dict[str, Any]:
    called = [row for row in group if row.called]
    worst = max(group, key=lambda row: row.off)
    share = len(called) / len(group)
    ties = sum(row.pace == SpeedClass.TIE.value for row in group)
    above = sum(row.speedup > 1.0 for row in group)
    lean = math.exp(fmean(math.log(row.speedup) for row in group)) - 1.0
    report.say(
        f"{name}: {len(group)} cases, {ties} ties, {len(group) - ties - len(called)} undecided; "
        f"furthest off by {percent(worst.off, 2)}: {worst.task} {worst.case} at {worst.speedup:.4f}"
    )
    report.say(f"{name}: {above} of {len(group)} above 1, mean deviation {100.0 * lean:+.2f} %")
    report.must(
        f"{name}: {len(called)} of {len(group)} called faster or slower "
        f"({percent(share)}, at most {percent(MOST_CALLED)})",
        share <= MOST_CALLED,
    )
    if group[0].clock == Clock.DEVICE.value:
        _say_deviations(report, name, group)
    return {
        "part": group[0].part, "clock": group[0].clock, "cases": len(group), "ties": ties,
        "called": len(called), "largest": round(worst.off, 5), "above": above,
        "mean": round(lean, 5),
    }  # fmt: skip


def _say_deviations(report: Report, name: str, group: Sequence[Row]) -> None:
    """Of all cases, whether they fill the card or are bound by overhead."""
    largest = max(row.off for row in group)
    bound = [row.off for row in group if row.overhead_bound]
    report.must(
        f"{name}: the largest deviation of {len(group)} cases is {percent(largest, 2)} (at most "
        f"{percent(MOST_OFF)}), of the {len(bound)} bound by overhead "
        f"{percent(max(bound, default=0.0), 2)}",
        largest <= MOST_OFF,
    )
    without = [row for row in group if not row.low <= 1.0 <= row.high]
    for row in without:
        report.say(f"{name}: {row.task} {row.case}: no 1 between {row.low:.4f} and {row.high:.4f}")
    share = len(without) / len(group)
    report.must(
        f"{name}: {len(without)} of {len(group)} intervals are without 1 ({percent(share)}, "
        f"at most {percent(MOST_CALLED)})",
        share <= MOST_CALLED,
    )


def main() -> int:
    """Measure, print, say whether it holds."""
    parser = parser_of(__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="both unless given")
    parser.add_argument("--only", nargs="*", default=[], help="tasks, by name or pattern")
    parser.add_argument("--jobs", type=int, default=jobs_here())
    parser.add_argument("--samples", type=Path, help="keep the time of every block in this file")
    options = parser.parse_args()
    report, names, seed = Report(), catalog.select(*options.only), seeds.draw_seed()
    lost: list[str] = []
    rows: list[Row] = []
    parts = options.part or list(PARTS)
    with station(options.jobs, seed, "faithful") as here:
        report.say(
            setting(here.environment, seed=seed, isolation=here.isolation, jobs=options.jobs)
        )
        report.say(f"{len(names)} tasks: {', '.join(parts)}\n")
        if "entries" in parts:
            rows += same_entries(here, names, lost.append, options.jobs)
            here.card.bench.close()  # its memory is needed
        if "replays" in parts:
            rows += same_replays(here, names, lost.append, report.say)
    say_rows(report, rows)
    if options.samples is not None:
        options.samples.write_bytes(msgspec.json.encode([asdict(row) for row in rows]))
    for one in lost:
        report.say(f"not timed: {one}")
    found = summary(report, rows)
    report.must(f"every case was timed ({len(lost)} were not)", not lost and bool(rows))
    compact = [
        [row.part, row.task, row.case, row.clock, round(row.speedup, 5), row.pace] for row in rows
    ]
    return report.end({"seed": seed, "groups": found, "rows": compact, "lost": lost}, options.out)


if __name__ == "__main__":
    sys.exit(main())
