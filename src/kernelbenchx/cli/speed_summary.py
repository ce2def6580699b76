"""How fast a run's kernels are together, in lines: pure and mixed apart, nothing left out."""

from collections import Counter
from collections.abc import Iterator, Sequence

from kernelbenchx.cli.number_format import format_count, interval
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.performance import (
    COMPILED_NOTHING,
    COMPILED_WRONG,
    FELL_BACK,
    Failed,
    Performance,
    ReferenceCompilation,
    Tier,
    Timed,
    Unmeasured,
)
from kernelbenchx.core.scale import FAILED_AT_SCALE
from kernelbenchx.core.settings import OURS
from kernelbenchx.measure.suite import (
    MeanSpeedup,
    PerformanceStatus,
    Share,
    SuiteRow,
    summarize_suite,
)

TRIED_AGAIN = "not scored; run the same command to retry"
NOT_CORRECT = "right on the check cases, not at a timed size; not counted as correct"
BACK = "="
"""Beside a speedup over torch.compile that is one over eager behind its wrapper."""


def summarize_speeds(evaluations: Sequence[Evaluation], *, marked: bool = True) -> list[str]:
    """Nothing where no times were asked for; marks are explained where there are any."""
    times = [one.performance for one in evaluations]
    timed = [one for one in times if isinstance(one, Timed)]
    failed = Counter(one.reason.value for one in times if isinstance(one, Failed))
    lost = Counter(one.reason.value for one in times if isinstance(one, Unmeasured))
    lines = list(_means(evaluations, timed))
    if timed:
        replayed = sum(one.tier is Tier.REPLAY for one in timed)
        lines.append(f"{replayed} of {len(timed)} timed by replaying their compiled kernels")
        lines += _compile_remarks(evaluations, marked=marked)
        lines += _sizes_remarks(evaluations, timed)
    if failed:
        lines.append(f"{_reasons(failed, FAILED_AT_SCALE)}: {NOT_CORRECT}")
    if lost:
        lines.append(f"{_reasons(lost, 'unmeasured')}: {TRIED_AGAIN}")
    return lines


def compiling(compiled: Sequence[ReferenceCompilation]) -> list[str]:
    """What torch.compile cost apart from everything else; nothing where it was not asked for."""
    if not compiled:
        return []
    fresh = [one for one in compiled if not one.kept]
    parts = [format_count(len({one.task for one in compiled}), "task")]
    parts.append(f"{sum(one.seconds for one in fresh):.0f} s of compiling in the background")
    if len(fresh) < len(compiled):
        parts.append(f"{len(compiled) - len(fresh)} compiled here before")
    back = sum(one.fell_back for one in compiled)
    if back:
        parts.append(f"{back} fell back to eager")
    return [f"torch.compile: {', '.join(parts)}"]


def fell_back(performance: Performance | None) -> bool:
    """Whether torch.compile was eager behind its wrapper in any case."""
    return any(flag.startswith(COMPILED_NOTHING) for flag in _flags(performance))


def _flags(performance: Performance | None) -> list[str]:
    cases = performance.cases if isinstance(performance, Timed) else ()
    return [flag for case in cases for flag in case.flags]


def _compile_remarks(evaluations: Sequence[Evaluation], *, marked: bool) -> Iterator[str]:
    back = {one.task for one in evaluations if fell_back(one.performance)}
    if back and marked:
        yield f"{BACK} {FELL_BACK} ({', '.join(sorted(back))})"
    wrong = {
        one.task
        for one in evaluations
        if any(flag.startswith(COMPILED_WRONG) for flag in _flags(one.performance))
    }
    if wrong:
        yield f"{COMPILED_WRONG}, no comparison with it: {', '.join(sorted(wrong))}"


def _sizes_remarks(evaluations: Sequence[Evaluation], timed: Sequence[Timed]) -> Iterator[str]:
    """A run has one set of sizes."""
    if any(one.sizes != OURS for one in evaluations):
        left_out = sum(len(one.left_out) for one in timed)
        were = "was" if left_out == 1 else "were"
        yield f"timed at published sizes; {left_out} that this GPU cannot time {were} left out"


def _means(evaluations: Sequence[Evaluation], timed: Sequence[Timed]) -> Iterator[str]:
    cards = {one.gpu.name for one in timed}
    if len(cards) > 1:
        yield f"times of {' and '.join(sorted(cards))} are not pooled: no mean"
        return
    for baseline in dict.fromkeys(over.baseline for one in timed for over in one.speedups):
        for row in summarize_suite(evaluations, baseline):
            if row.mean is not None:
                yield _mean(row, row.mean, baseline)
                yield _shares(row, baseline)


def _mean(row: SuiteRow, mean: MeanSpeedup, baseline: str) -> str:
    said = interval(mean.speedup, mean.low, mean.high)
    return (
        f"{row.composition.value}: {said} over {baseline} by device time "
        f"(geometric mean of {format_count(mean.tasks, 'task')})"
    )


def _shares(row: SuiteRow, baseline: str) -> str:
    """Of all that were to be timed; who failed then is still among them."""
    faster, slower = row.shares[PerformanceStatus.FASTER], row.shares[PerformanceStatus.SLOWER]
    alike = (
        f" ({format_count(faster.tasks, 'task')}, weighted equally)"
        if faster.of > faster.tasks
        else ""
    )
    return (
        f"{row.composition.value}: {_percent(faster)} faster than {baseline}, "
        f"{_percent(slower)} slower, of {faster.of:,} to be timed{alike}"
    )


def _percent(share: Share) -> str:
    return f"{100 * share.share:.0f} % [{100 * share.low:.0f}, {100 * share.high:.0f}]"


def _reasons(reasons: Counter[str], word: str) -> str:
    named = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    return f"{reasons.total()} {word} ({named})"
