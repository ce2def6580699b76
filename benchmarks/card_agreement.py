"""How far two runs of the same kernels differ: `python benchmarks/card_agreement.py RUN RUN`.

Both are run folders of `kbx eval --stage perf` (or of card_throughput.py), measured on one kind of
card with inputs of their own. Speedups are over eager by device time: those of kernels, which are
geometric means over cases, must differ by at most 0.5 % in the median and 2 % at the 95th
percentile; those of single cases are printed beside them.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from _reports import Report, parser_of, percent, setting
from _runs import Run, quantile, read_run

from kernelbenchx.core.performance import Clock, SpeedClass, Timed

MOST_MEDIAN, MOST_LATE, LATE = 0.005, 0.02, 0.95
OPPOSITE = {SpeedClass.FASTER, SpeedClass.SLOWER}
Named = tuple[str, ...]
Speeds = dict[Named, tuple[float, SpeedClass, str]]
"""Speedup, speed_class and tier."""


def kernels(run: Run) -> Speeds:
    """By submission and task."""
    found: Speeds = {}
    for one in run.evaluations:
        if isinstance(one.performance, Timed):
            over = one.performance.find_speedup()
            if over is not None:
                tier = one.performance.tier.value
                found[one.submission, one.task] = (over.speedup, over.speed_class, tier)
    return found


def cases(run: Run) -> Speeds:
    """By submission, task and case."""
    found: Speeds = {}
    for one in run.evaluations:
        for case in one.performance.cases if isinstance(one.performance, Timed) else ():
            compared = case.find_comparison("eager", Clock.DEVICE)
            if compared is not None:
                name = (one.submission, one.task, case.case)
                found[name] = (compared.speedup, compared.speed_class, compared.tier.value)
    return found


def differences(first: Speeds, second: Speeds) -> dict[Named, float]:
    """Of what both have, as shares."""
    return {
        name: max(first[name][0] / second[name][0], second[name][0] / first[name][0]) - 1.0
        for name in first
        if name in second
    }


def say_groups(
    report: Report, label: str, found: Mapping[Named, float], tiers: Mapping[Named, str]
) -> dict[str, dict[str, float]]:
    """All of them, and each tier."""
    rows, said = [], {}
    for tier in ("all", *sorted(set(tiers.values()))):
        values = [value for name, value in found.items() if tier in ("all", tiers[name])]
        if values:
            middle, late = quantile(values, 0.5), quantile(values, LATE)
            rows.append(
                (label, tier, len(values), percent(middle, 2), percent(late, 2),
                 percent(max(values), 2))
            )  # fmt: skip
            said[tier] = {
                "count": len(values), "median": round(middle, 6), "late": round(late, 6),
                "largest": round(max(values), 6),
            }  # fmt: skip
    report.table(("speedups of", "tier", "count", "median", "95th percentile", "largest"), rows)
    return said


def compare(report: Report, first: Run, second: Run) -> dict[str, object]:
    """Both tables, the kernels that differ most, and the promises."""
    document: dict[str, object] = {}
    for label, of in (("kernels", kernels), ("cases", cases)):
        one, other = of(first), of(second)
        found = differences(one, other)
        tiers = {name: one[name][2] for name in found}
        document[label] = say_groups(report, label, found, tiers)
        if label == "kernels":
            _say_kernels(report, one, other, found)
            _must(report, list(found.values()))
        turned = [n for n in found if {one[n][1], other[n][1]} == OPPOSITE]
        report.must(f"none of the {label} is faster in one run and slower in the other", not turned)
    return document


def _say_kernels(report: Report, one: Speeds, other: Speeds, found: Mapping[Named, float]) -> None:
    widest = sorted(found, key=lambda name: -found[name])[:10]
    report.table(
        ("differ most", "task", "tier", "first", "second", "difference"),
        [
            (
                name[0], name[1], one[name][2], f"{one[name][0]:.4f}", f"{other[name][0]:.4f}",
                percent(found[name], 2),
            )
            for name in widest
        ],
    )  # fmt: skip
    only = sorted(name[0] for name in one.keys() ^ other.keys())
    if only:
        report.say(f"timed in one run only: {', '.join(only)}")


def _must(report: Report, values: Sequence[float]) -> None:
    if not values:
        report.must("both runs have timed the same kernels", False)
        return
    middle, late = quantile(values, 0.5), quantile(values, LATE)
    report.must(
        f"median difference {percent(middle, 2)} (at most {percent(MOST_MEDIAN)})",
        middle <= MOST_MEDIAN,
    )
    report.must(
        f"95th percentile {percent(late, 2)} (at most {percent(MOST_LATE)})", late <= MOST_LATE
    )


def main() -> int:
    """Read, compare, say whether it holds."""
    parser = parser_of(__doc__)
    parser.add_argument("runs", nargs=2, type=Path)
    options = parser.parse_args()
    report, (first, second) = Report(), map(read_run, options.runs)
    for run in (first, second):
        here = run.evaluations[0].environment
        report.say(setting(here, seed=run.seed, evaluations=len(run.evaluations)))
    report.say()
    document = compare(report, first, second)
    return report.end({"seeds": [first.seed, second.seed], **document}, options.out)


if __name__ == "__main__":
    sys.exit(main())
