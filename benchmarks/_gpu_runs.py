"""Whole `kbx eval` commands on the GPU, started beside or after each other, and their times."""

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from _reports import Report, percent
from _runs import Run, became

from kernelbenchx.core.performance import Clock, Timed, Unmeasured
from kernelbenchx.runner import bytecode

TASKS = ("relu", "gelu", "selu", "softmax", "add", "mul", "log1p", "sum")
SEED = "20260101"
MOST_MEDIAN = 0.01
Named = tuple[str, ...]
Values = dict[Named, float]
Medians = dict[str, float | None]
"""By kind; None where no kernel was timed in both runs."""


def start(sources: Path, out: Path, *words: str) -> "subprocess.Popen[bytes]":
    """One command, all stages and times included."""
    command = [sys.executable, "-m", "kernelbenchx", "eval", str(sources), "--out", str(out)]
    return subprocess.Popen(
        [*command, "--stage", "perf", "--device", "cuda", "--seed", SEED, "--json", *words],
        stdout=subprocess.DEVNULL,
        # As if all packages were installed with bytecode, which most installers take care of.
        env=bytecode.environment(bytecode.folder(), os.environ),
    )


def speedups(run: Run) -> Values:
    """Of each kernel over eager, by device time."""
    found: Values = {}
    for one in run.evaluations:
        over = one.performance.find_speedup() if isinstance(one.performance, Timed) else None
        if over is not None:
            found[one.submission, one.task] = over.speedup
    return found


def device_times(run: Run) -> Values:
    """Of each case, in microseconds."""
    found: Values = {}
    for one in run.evaluations:
        for case in one.performance.cases if isinstance(one.performance, Timed) else ():
            compared = case.find_comparison("eager", Clock.DEVICE)
            if compared is not None:
                found[one.submission, one.task, case.case] = compared.candidate_us
    return found


def differences(first: Mapping[Named, float], second: Mapping[Named, float]) -> list[float]:
    """Of what both have, as shares."""
    common = first.keys() & second.keys()
    return [max(first[n] / second[n], second[n] / first[n]) - 1.0 for n in sorted(common)]


def say_differences(report: Report, first: Run, others: Mapping[str, Run]) -> dict[str, Medians]:
    """A table of how far each run is from the first; the medians, by label and kind."""
    rows, medians = [], {}
    for label, other in others.items():
        found: Medians = {}
        for kind, of in (("speedup", speedups), ("device time", device_times)):
            values = differences(of(first), of(other))
            found[kind] = statistics.median(values) if values else None
            said = [percent(of_all(values), 2) for of_all in (statistics.median, max) if values]
            rows.append((label, kind, len(values), *(said or ("-", "-"))))
        medians[label] = found
    report.table(("compared", "of", "count", "median difference", "largest"), rows)
    return medians


def must_agree(report: Report, medians: Mapping[str, Medians]) -> None:
    """The promise for each run and kind."""
    for label, found in medians.items():
        for kind, median in found.items():
            if median is None:
                report.must(f"{label}: the same kernels were timed", False)
                continue
            report.must(
                f"{label}: {kind}s differ by {percent(median, 2)} in the median "
                f"(at most {percent(MOST_MEDIAN)})",
                median <= MOST_MEDIAN,
            )


def say_untimed(report: Report, runs: Mapping[str, Run]) -> list[str]:
    """Each kernel without a time, and the names of those that are unmeasured."""
    unmeasured = []
    for label, run in runs.items():
        for one in run.evaluations:
            if not isinstance(one.performance, Timed):
                report.say(f"{label}: {one.submission}: {' '.join(became(one))}")
            if isinstance(one.performance, Unmeasured):
                unmeasured.append(f"{label}: {one.submission}")
    return unmeasured


def say_kernels(report: Report, runs: Mapping[str, Run]) -> None:
    """The speedup of each kernel in each run."""
    labels = [*runs]
    found = {label: speedups(run) for label, run in runs.items()}
    names = sorted({name for values in found.values() for name in values})
    rows = [
        (name[0], *(f"{found[at][name]:.4f}" if name in found[at] else "-" for at in labels))
        for name in names
    ]
    report.table(("speedup over eager", *labels), rows)
