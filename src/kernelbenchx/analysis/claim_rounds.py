"""Claims about what rounds, turns and samples bring, method by method."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from kernelbenchx.analysis.claim_findings import (
    KERNELS,
    POINTS,
    RATIO,
    ClaimFinding,
    ratio_of_means,
    scale_interval,
)
from kernelbenchx.analysis.claim_tasks import first_rounds
from kernelbenchx.analysis.fast_p import FastAttempts, asked_for, fast_of
from kernelbenchx.analysis.frame import AttemptFrame, Flags, cross_columns
from kernelbenchx.analysis.intervals import Codes, Floats, means, paired_difference, pass_at_k
from kernelbenchx.analysis.lineages import Lineages, build_lineages
from kernelbenchx.analysis.timed_kernels import EAGER, speedups
from kernelbenchx.analysis.transitions import groups_of

FAST_1, CORRECT = "fast_1", "correct"


def round_findings(own: AttemptFrame, gpu: str) -> Iterator[ClaimFinding]:
    """Of one GPU: methods with several rounds, then methods with several samples."""
    for lines in build_lineages(own):
        subject = f"{lines.author}, {gpu}"
        yield _measure_repairs(lines, subject)
        yield from _compare_rescued(lines, subject)
        yield from _measure_speedup(lines, subject)
    measure, asked, fast = measured_of(own)
    yield from _turns(asked, fast, gpu, measure)
    yield from _samples(asked, fast, gpu, measure)


def measured_of(own: AttemptFrame) -> tuple[str, AttemptFrame, FastAttempts]:
    """By fast_1 where times were taken, by correctness elsewhere."""
    timed = own.pick(asked_for(own))
    if len(timed):
        return FAST_1, timed, fast_of(timed)
    judged = own.pick(own.stages["correct"].askable)
    return CORRECT, judged, _correct_only(judged)


def _correct_only(frame: AttemptFrame) -> FastAttempts:
    """As if every correct kernel were fast."""
    return FastAttempts(frame.flags(lambda one: one.correct), np.full(len(frame), math.inf))


def by_task(values: Floats, tasks: Codes) -> Floats:
    """The mean of each task's lines."""
    _, at = np.unique(tasks, return_inverse=True)
    return np.asarray(np.bincount(at, values) / np.bincount(at), float)


def _per_task(tasks: Codes) -> float:
    """Lines for each task, on average."""
    return float(tasks.size / np.unique(tasks).size)


def _measure_repairs(lines: Lineages, subject: str) -> ClaimFinding:
    last = len(lines.rounds) - 1
    begun = lines.standing(0)
    before, after = (lines.flags(lines.correct, at)[begun].astype(float) for at in (0, last))
    tasks = lines.tasks[begun]
    found = paired_difference(by_task(after - before, tasks), 1.0 / _per_task(tasks))
    return ClaimFinding(
        claim="refinement_repairs",
        subject=f"{subject}, rounds {lines.rounds[0]} to {lines.rounds[last]}",
        n=found.n,
        of="tasks",
        tasks=found.n,
        unit=POINTS,
        **scale_interval(found),
        first=100 * float(by_task(before, tasks).mean()),
        second=100 * float(by_task(after, tasks).mean()),
        compared="percent correct before, after",
    )


def _compare_rescued(lines: Lineages, subject: str) -> Iterator[ClaimFinding]:
    for before, after in pairwise(range(len(lines.rounds))):
        groups = groups_of(lines, before, after)
        rescued, lost, kept = (groups[name] for name in ("rescued", "regressed", "persistent"))
        begun = lines.standing(before)
        step = f"{subject}, rounds {lines.rounds[before]} to {lines.rounds[after]}"
        yield net_of(rescued[begun], lost[begun], lines.tasks[begun], step)
        over = _speeds(lines, after)
        yield from slower(over, lines.tasks, rescued, kept, step)


def net_of(rescued: Flags, lost: Flags, tasks: Codes, subject: str) -> ClaimFinding:
    """Kernels that a step rescued less those that regressed in it."""
    apart = rescued.astype(float) - lost.astype(float)
    found = paired_difference(by_task(apart, tasks), 1.0 / _per_task(tasks))
    return ClaimFinding(
        claim="refinement_repairs",
        subject=subject,
        n=int(tasks.size),
        of=KERNELS,
        tasks=int(np.unique(tasks).size),
        unit=KERNELS,
        value=float(rescued.sum() - lost.sum()),
        low=tasks.size * found.low,
        high=tasks.size * found.high,
        first=float(rescued.sum()),
        second=float(lost.sum()),
        compared="rescued, regressed",
    )


def _speeds(lines: Lineages, number: int) -> Floats:
    over = np.where(lines.correct, speedups(lines.frame, EAGER), np.nan)
    return lines.numbers(np.where(over > 0, over, np.nan), number)


def slower(
    over: Floats, tasks: Codes, rescued: Flags, kept: Flags, subject: str
) -> Iterator[ClaimFinding]:
    """Rescued against persistent kernels, each task's own kernels averaged."""
    sides = []
    for group in (rescued, kept):
        own = group & np.isfinite(over)
        sides.append(np.exp(by_task(np.log(over[own]), tasks[own])).tolist())
    if not all(sides):
        return
    value, low, high = ratio_of_means(*sides)
    yield ClaimFinding(
        claim="rescued_slower",
        subject=subject,
        n=len(sides[0]) + len(sides[1]),
        of=f"tasks, {len(sides[0])} of them rescued",
        tasks=min(map(len, sides)),
        unit=RATIO,
        value=value,
        low=low,
        high=high,
        first=float(np.exp(np.log(sides[0]).mean())),
        second=float(np.exp(np.log(sides[1]).mean())),
        compared="speedup of rescued, of persistent",
    )


def _measure_speedup(lines: Lineages, subject: str) -> Iterator[ClaimFinding]:
    """Kernels that were written again: what stands at the same attempt was not refined."""
    last = len(lines.rounds) - 1
    before, after = _speeds(lines, 0), _speeds(lines, last)
    moved = np.isfinite(before) & np.isfinite(after) & (lines.at[:, 0] != lines.at[:, last])
    if not moved.any():
        return
    found = means(np.log(after[moved] / before[moved]), lines.tasks[moved])
    yield ClaimFinding(
        claim="refinement_no_speedup",
        subject=f"{subject}, rounds {lines.rounds[0]} to {lines.rounds[last]}",
        n=int(found.tasks[0]),
        of="tasks",
        tasks=int(found.tasks[0]),
        unit=RATIO,
        value=float(np.exp(found.value[0])),
        low=float(np.exp(found.low[0])),
        high=float(np.exp(found.high[0])),
        first=float(np.exp(by_task(np.log(before[moved]), lines.tasks[moved]).mean())),
        second=float(np.exp(by_task(np.log(after[moved]), lines.tasks[moved]).mean())),
        compared="speedup before, after",
    )


def measure_gain(
    claim: str, subject: str, measure: str, sides: Sequence[tuple[Floats, Floats]]
) -> ClaimFinding:
    """Of shares by task, at least and at most, of two sides: the second less the first."""
    (least, most), (later_least, later_most) = sides
    found = paired_difference(later_least - least)
    low, high = paired_difference(later_least - most), paired_difference(later_most - least)
    return ClaimFinding(
        claim=claim,
        subject=subject,
        n=found.n,
        of="tasks",
        tasks=found.n,
        unit=POINTS,
        value=100 * found.value,
        low=100 * low.low,
        high=100 * high.high,
        first=100 * float(least.mean()),
        second=100 * float(later_least.mean()),
        compared=f"{measure} in percent, before and after",
    )


def _turns(
    asked: AttemptFrame, fast: FastAttempts, gpu: str, measure: str
) -> Iterator[ClaimFinding]:
    """Any attempt up to a turn counts, also one that the method did not keep."""
    for code, author in enumerate(asked.author.labels):
        rows = asked.author.codes == code
        own, mine = asked.pick(rows), fast.pick(rows)
        many = int(np.unique(own.rounds).size)
        if many < 2:
            continue
        first = own.rounds == own.rounds.min()
        begun = np.isin(own.answer, own.answer[first])
        sides = [best_by_task(own, mine, upto, begun) for upto in (first, begun)]
        name = f"{author}, {gpu}, 1 to {many} turns"
        yield measure_gain("gain_by_turns", name, measure, (sides[0], sides[1]))


def best_by_task(
    frame: AttemptFrame, fast: FastAttempts, rows: Flags, among: Flags
) -> tuple[Floats, Floats]:
    """By task: the share of answers with a fast attempt in these rows, at least and at most, of
    those that `among` has."""
    answers, at = np.unique(frame.answer[among], return_inverse=True)
    tasks = np.zeros(answers.size, np.int64)
    tasks[at] = frame.task.codes[among]
    found = []
    for flags in (fast.at_least(1.0), fast.at_most(1.0)):
        hits = np.isin(answers, frame.answer[flags & rows])
        found.append(by_task(hits.astype(float), tasks))
    return found[0], found[1]


def _samples(
    asked: AttemptFrame, fast: FastAttempts, gpu: str, measure: str
) -> Iterator[ClaimFinding]:
    """Those of the first round, which know nothing of each other."""
    rows = first_rounds(asked)
    first, own = asked.pick(rows), fast.pick(rows)
    groups = cross_columns(first.author, first.task)
    tries = np.bincount(groups.codes, minlength=len(groups.labels))
    hits = [np.bincount(groups.codes, one(own, 1.0), tries.size) for one in _BOUNDS]
    authors = [str(author) for author, _ in groups.labels]
    for author in sorted(set(authors)):
        own_tasks = np.array([one == author for one in authors], bool)
        k = int(tries[own_tasks].max())
        mine = own_tasks & (tries >= k)
        if k < 2:
            continue
        one, many = ([pass_at_k(tries[mine], hit[mine], at) for hit in hits] for at in (1, k))
        sides = (one[0], one[1]), (many[0], many[1])
        yield measure_gain("gain_by_samples", f"{author}, {gpu}, 1 to {k} samples", measure, sides)


_BOUNDS = (FastAttempts.at_least, FastAttempts.at_most)
