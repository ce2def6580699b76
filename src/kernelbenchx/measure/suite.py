"""From submissions to statements about many tasks; one task counts once, whatever its tries.

Triton alone and Triton beside torch are different questions: they get separate rows, and are never
added up.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Composition, Correct, Reached, Void
from kernelbenchx.core.performance import Failed, Speedup, Timed, Unmeasured
from kernelbenchx.measure.student_t import quantile

LEVEL = 0.05


class PerformanceStatus(StrEnum):
    """The status of a submission; every submission has exactly one."""

    FASTER = "faster"
    SLOWER = "slower"
    TIE = "tie"
    UNDECIDED = "undecided"
    FAILED = "failed"
    """Right on the check cases, but not at a timed size: not correct."""
    UNMEASURED = "unmeasured"
    """Correct, without a time that could be trusted."""
    UNTIMED = "untimed"
    """Correct, but no times over this baseline were requested."""
    INCORRECT = "incorrect"
    VOID = "void"
    """Not judged: the evaluator failed, or judging was not requested."""


TIMED_FOR = (
    PerformanceStatus.FASTER,
    PerformanceStatus.SLOWER,
    PerformanceStatus.TIE,
    PerformanceStatus.UNDECIDED,
    PerformanceStatus.FAILED,
    PerformanceStatus.UNMEASURED,
)
"""Their shares add up to one."""


@dataclass(frozen=True, kw_only=True)
class Share:
    """A share over submissions; each task has the same weight."""

    count: int
    """Submissions for which it holds."""
    of: int
    tasks: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class MeanSpeedup:
    """Geometric mean over tasks, and over the submissions within each."""

    speedup: float
    low: float | None
    high: float | None
    """None with fewer than two tasks: one task says nothing of others."""
    tasks: int
    submissions: int


@dataclass(frozen=True, kw_only=True)
class SuiteRow:
    """All submissions of one composition."""

    composition: Composition
    tasks: int
    counts: dict[PerformanceStatus, int]
    shares: dict[PerformanceStatus, Share]
    """Shares of those that were to be timed: right on every check case."""
    mean: MeanSpeedup | None
    """Over those that have a time; `counts` says how many have none."""


def summarize_suite(
    evaluations: Sequence[Evaluation], baseline: str = "eager"
) -> tuple[SuiteRow, ...]:
    """One row for each composition that occurs; together they hold every submission."""
    _require_one_machine(evaluations)
    rows = []
    for composition in Composition:
        own = [one for one in evaluations if one.composition is composition]
        if own:
            rows.append(_row(own, composition, baseline))
    return tuple(rows)


def mean_speedup(evaluations: Sequence[Evaluation], baseline: str = "eager") -> MeanSpeedup | None:
    """Over the measured ones of one composition; the interval is Student's over tasks."""
    kinds = {one.composition for one in evaluations}
    if len(kinds) > 1:
        raise ValueError(f"speedups of {sorted(kinds)} are not pooled: take one composition")
    _require_one_machine(evaluations)
    tasks: dict[str, list[float]] = defaultdict(list)
    for one in evaluations:
        found = _speedup(one, baseline)
        if found is not None:
            tasks[one.task].append(math.log(found.speedup))
    return mean_over_tasks(list(tasks.values())) if tasks else None


def mean_over_tasks(tasks: Sequence[Sequence[float]]) -> MeanSpeedup:
    """The mean from the log speedups of each task's submissions."""
    logs = [fmean(values) for values in tasks]
    centre, width = fmean(logs), _student_width(logs)
    return MeanSpeedup(
        speedup=math.exp(centre),
        low=None if width is None else math.exp(centre - width),
        high=None if width is None else math.exp(centre + width),
        tasks=len(logs),
        submissions=sum(map(len, tasks)),
    )


def classify_performance(evaluation: Evaluation, baseline: str = "eager") -> PerformanceStatus:
    """The status of one submission."""
    if isinstance(evaluation.outcome, Void | Reached):
        return PerformanceStatus.VOID
    if not isinstance(evaluation.outcome, Correct):
        return PerformanceStatus.INCORRECT
    if isinstance(evaluation.performance, Failed):
        return PerformanceStatus.FAILED
    if isinstance(evaluation.performance, Unmeasured):
        return PerformanceStatus.UNMEASURED
    found = _speedup(evaluation, baseline)
    return (
        PerformanceStatus.UNTIMED if found is None else PerformanceStatus(found.speed_class.value)
    )


def _speedup(evaluation: Evaluation, baseline: str) -> Speedup | None:
    measured = evaluation.performance
    if not isinstance(evaluation.outcome, Correct) or not isinstance(measured, Timed):
        return None
    return measured.find_speedup(baseline)


def _row(own: Sequence[Evaluation], composition: Composition, baseline: str) -> SuiteRow:
    stands = [(one.task, classify_performance(one, baseline)) for one in own]
    timed_for = [(task, stand) for task, stand in stands if stand in TIMED_FOR]
    words = TIMED_FOR if timed_for else ()
    shares = {word: _share([(task, stand is word) for task, stand in timed_for]) for word in words}
    return SuiteRow(
        composition=composition,
        tasks=len({one.task for one in own}),
        counts={word: sum(stand is word for _, stand in stands) for word in PerformanceStatus},
        shares=shares,
        mean=mean_speedup(own, baseline),
    )


def _share(hits: Iterable[tuple[str, bool]]) -> Share:
    """Wilson's interval with one draw per task: submissions of one task are not independent."""
    tasks: dict[str, list[bool]] = defaultdict(list)
    for task, hit in hits:
        tasks[task].append(hit)
    count, n = sum(map(sum, tasks.values())), len(tasks)
    of = sum(map(len, tasks.values()))
    share = fmean(fmean(values) for values in tasks.values())
    z = quantile(LEVEL, math.inf)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    width = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = max(0.0, centre - width), min(1.0, centre + width)
    return Share(count=count, of=of, tasks=n, share=share, low=low, high=high)


def _student_width(logs: Sequence[float]) -> float | None:
    if len(logs) < 2:
        return None
    centre = fmean(logs)
    spread = math.fsum((value - centre) ** 2 for value in logs) / (len(logs) - 1)
    return quantile(LEVEL, len(logs) - 1) * math.sqrt(spread / len(logs))


def _require_one_machine(evaluations: Sequence[Evaluation]) -> None:
    cards = {one.performance.gpu.name for one in evaluations if isinstance(one.performance, Timed)}
    if len(cards) > 1:
        raise ValueError(f"times of {sorted(cards)} are not pooled: take one GPU")
    if len({one.provisional for one in evaluations}) > 1:
        raise ValueError("verdicts of the interpreter and of a GPU are not pooled")
