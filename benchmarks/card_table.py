"""Every witness of a run with its times: `python benchmarks/card_table.py RUN`.

RUN is a run folder of `kbx eval --stage perf`, as card_throughput.py leaves it: nothing is measured
again, and no card is needed. Speedups are by device time with their intervals; GB/s and TFLOPS by
the task's cost; IOU, MFU and Score as shares of the peaks measured on the card / of the data
sheet's. Cases that are slower than eager take their reason from slower.toml, beside this file.
"""

import math
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from _reports import Report, parser_of, setting
from _runs import Run, became, read_run

from kernelbenchx import catalog
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.headline import score_of
from kernelbenchx.core.performance import (
    COMPILED_NOTHING,
    COMPILED_WRONG,
    Clock,
    Comparison,
    Speedup,
    Timed,
    TimedCase,
)

REASONS: dict[str, str] = tomllib.loads(Path(__file__).with_name("slower.toml").read_text())
NOT_SLOWER = 0.85
"""The share of cases that fill the GPU whose interval reaches 1."""


def over(found: Comparison | Speedup | None) -> str:
    """A speedup with its interval and what it says."""
    if found is None:
        return "-"
    return f"{found.speedup:.3f} [{found.low:.3f}, {found.high:.3f}] {found.speed_class.value}"


def shares(measured: float, sheet: float | None) -> str:
    """Of the peak measured here, and of the data sheet's."""
    return f"{measured:.3f} / {'-' if sheet is None else f'{sheet:.3f}'}"


def geometric(values: Sequence[float]) -> float:
    """Zero where any is."""
    if not values or min(values) <= 0.0:
        return 0.0
    return math.exp(sum(map(math.log, values)) / len(values))


def say_tasks(report: Report, witnesses: Sequence[Evaluation], baselines: Sequence[str]) -> None:
    """A row per witness: geometric means over its cases."""
    rows = []
    for one in witnesses:
        timed = one.performance
        if not isinstance(timed, Timed):
            word, why = became(one)
            rows.append((one.task, word, *("-" for _ in baselines), "-", why))
            continue
        filling = [case for case in timed.cases if not case.overhead_bound] or list(timed.cases)
        sheet = [case.efficiency.score_spec for case in filling]
        known = [score for score in sheet if score is not None]
        rows.append(
            (
                one.task,
                timed.tier.value,
                *(over(timed.find_speedup(baseline)) for baseline in baselines),
                shares(score_of(timed) or 0.0, geometric(known) if known else None),
                "; ".join(filter(None, (timed.not_replayed, *timed.flags, *_of_compile(timed)))),
            )
        )
    head = ("task", "tier", *(f"over {name}" for name in baselines), "Score")
    report.table((*head, "notes"), rows)


def _of_compile(timed: Timed) -> Iterator[str]:
    """Where that baseline is none, or another one's: the speedup is missing, or says nothing."""
    for remark in (COMPILED_WRONG, COMPILED_NOTHING):
        count = sum(any(flag.startswith(remark) for flag in case.flags) for case in timed.cases)
        if count:
            yield f"{remark} ({count} of {len(timed.cases)} cases)"


def say_cases(report: Report, witnesses: Sequence[Evaluation], baselines: Sequence[str]) -> None:
    """A row per timing case."""
    head = (
        "task", "case", "us", *(f"over {name}" for name in baselines), "by the call over eager",
        "GB/s", "TFLOPS", "IOU", "MFU", "Score", "tier", "flags",
    )  # fmt: skip
    report.table(head, list(_case_rows(witnesses, baselines)))


def _case_rows(
    witnesses: Sequence[Evaluation], baselines: Sequence[str]
) -> Iterator[tuple[object, ...]]:
    for one in witnesses:
        for case in one.performance.cases if isinstance(one.performance, Timed) else ():
            at = case.efficiency
            device = case.comparisons[0]
            yield (
                one.task,
                case.case,
                f"{device.candidate_us:.1f}",
                *(over(case.find_comparison(name, Clock.DEVICE)) for name in baselines),
                over(case.find_comparison("eager", Clock.CALL)),
                f"{at.gb_per_s:.0f}",
                f"{at.tflops:.2f}",
                shares(at.iou, at.iou_spec),
                shares(at.mfu, at.mfu_spec),
                shares(at.score, at.score_spec),
                device.tier.value,
                "; ".join((*_flags(case), *_reasons(one.task, case))),
            )


def _reasons(task: str, case: TimedCase) -> Iterator[str]:
    if is_slower(case):
        yield REASONS.get(task, "no reason is known")


def is_slower(case: TimedCase) -> bool:
    """By device time, with its whole interval."""
    found = case.find_comparison("eager", Clock.DEVICE)
    return found is not None and found.high < 1.0


def _flags(case: TimedCase) -> Iterator[str]:
    if case.overhead_bound:
        yield "overhead-bound"
    yield from case.flags


def say_suite(report: Report, timed: Sequence[Timed], baselines: Sequence[str]) -> dict[str, float]:
    """The geometric mean over tasks, and how many are faster."""
    found = {}
    for baseline in baselines:
        speedups = [
            one for one in (each.find_speedup(baseline) for each in timed) if one is not None
        ]
        if not speedups:
            continue
        mean = geometric([one.speedup for one in speedups])
        counts: dict[str, int] = {}
        for one in speedups:
            counts[one.speed_class.value] = counts.get(one.speed_class.value, 0) + 1
        words = ", ".join(f"{count} {speed_class}" for speed_class, count in sorted(counts.items()))
        report.say(f"over {baseline}: {mean:.3f}, geometric mean of {len(speedups)} tasks; {words}")
        found[baseline] = round(mean, 4)
    scores = [score for score in map(score_of, timed) if score]
    if scores:
        report.say(f"Score: {geometric(scores):.3f}, geometric mean of {len(scores)} tasks")
        found["score"] = round(geometric(scores), 4)
    return found


def tell(report: Report, run: Run, expected: Callable[[], Sequence[str]]) -> dict[str, object]:
    """All tables, and whether every witness is in them."""
    witnesses = sorted(run.witnesses, key=lambda one: one.task)
    timed = [one.performance for one in witnesses if isinstance(one.performance, Timed)]
    names = [one.baseline for each in timed for one in each.speedups]
    baselines = tuple(dict.fromkeys(names)) or ("eager",)
    say_tasks(report, witnesses, baselines)
    say_cases(report, witnesses, baselines)
    means = say_suite(report, timed, baselines)
    have = {one.task for one in witnesses if isinstance(one.performance, Timed)}
    missing = [name for name in expected() if name not in have]
    said = f": {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not" if missing else ""
    report.must(f"the witness of every task was timed{said}", not missing)
    slower = {
        one.task
        for one in witnesses
        if isinstance(one.performance, Timed) and any(map(is_slower, one.performance.cases))
    }
    report.must("every slower witness has its reason", slower <= set(REASONS))
    filling = [case for one in timed for case in one.cases if not case.overhead_bound]
    reached = sum(not is_slower(case) for case in filling)
    share = f"{reached} of {len(filling)} cases that fill the GPU reach eager"
    report.must(f"{share} (at least {NOT_SLOWER:.0%})", reached >= NOT_SLOWER * len(filling))
    return {"tasks": len(have), "cases": sum(len(one.cases) for one in timed), "means": means}


def main() -> int:
    """Read and print."""
    parser = parser_of(__doc__)
    parser.add_argument("run", type=Path)
    options = parser.parse_args()
    report, run = Report(), read_run(options.run)
    report.say(setting(run.evaluations[0].environment, seed=run.seed))
    for one in run.evaluations:
        if isinstance(one.performance, Timed):
            card = one.performance.gpu
            rates = ", ".join(f"{name} {rate:.0f}" for name, rate in card.tflops.items())
            report.say(f"measured peaks: {card.bandwidth_gb_per_s:.0f} GB/s; TFLOPS {rates}")
            break
    report.say()
    return report.end({"seed": run.seed, **tell(report, run, catalog.function_names)}, options.out)


if __name__ == "__main__":
    sys.exit(main())
