"""Claims about tasks and kernels: unsolved tasks, compilation as a predictor, speed."""

from collections.abc import Iterator

import numpy as np

from kernelbenchx.analysis.claim_findings import PERCENT, RATIO, ClaimFinding, ratio_of_means
from kernelbenchx.analysis.fast_p import FastAttempts, asked_for, fast_of
from kernelbenchx.analysis.frame import AttemptFrame, Flags, cross_columns
from kernelbenchx.analysis.intervals import Clusters, Floats
from kernelbenchx.analysis.kernel_origins import who_wrote
from kernelbenchx.analysis.resampling import ends, medians_of_draws
from kernelbenchx.analysis.speeds_by_gpu import build_speed_matrix
from kernelbenchx.analysis.timed_kernels import EAGER, speedups

FUSION, QUANTIZATION = "Fusion", "Quantization"
FEWEST_OF_MEDIAN = 10
"""Draws of fewer tasks say nothing of a median."""


def task_findings(own: AttemptFrame, subject: str) -> Iterator[ClaimFinding]:
    """Of all methods of one GPU together."""
    yield from _measure_unsolved(own, subject)
    last = own.last
    category = last.flags(lambda one: one.category == QUANTIZATION)
    judged, right = last.stages["correct"].askable, last.stages["correct"].yes
    if (judged & category).any():
        yield _share("quantization_zero", subject, last, judged & category, right, "attempts")
    ran = judged & last.flags(lambda one: one.outcome in ("wrong", "correct"))
    if ran.any():
        yield _share("compile_not_correct", subject, last, ran, right, "kernels")
    over = speedups(last, EAGER)
    timed = np.isfinite(over) & (over > 0)
    if timed.any():
        yield _share("slower_than_eager", subject, last, timed, over < 1.0, "kernels")
    yield from _memory(last, over, timed, subject)


def _measure_unsolved(own: AttemptFrame, subject: str) -> Iterator[ClaimFinding]:
    """Every method, sample and round counts."""
    fusion = own.flags(lambda one: one.category == FUSION and one.outcome != "reached")
    there = own.pick(fusion)
    if not len(there):
        return
    tasks, at = np.unique(there.task.codes, return_inverse=True)
    hits = np.bincount(at, weights=there.flags(lambda one: one.solved))
    found = Clusters(np.arange(tasks.size)).shares(hits == 0).at(0)
    yield ClaimFinding(
        claim="fusion_unsolved",
        subject=subject,
        n=tasks.size,
        of="tasks",
        tasks=tasks.size,
        unit=PERCENT,
        value=100 * found.value,
        low=100 * found.low,
        high=100 * found.high,
        first=float((hits == 0).sum()),
        second=float(tasks.size),
        compared="unsolved tasks, all tasks",
    )


def _share(
    claim: str, subject: str, frame: AttemptFrame, rows: Flags, hits: Flags, of: str
) -> ClaimFinding:
    found = Clusters(frame.task.codes[rows]).shares(hits[rows])
    one = found.at(0)
    return ClaimFinding(
        claim=claim,
        subject=subject,
        n=one.n,
        of=f"{of} at {int(found.tasks[0])} tasks",
        tasks=int(found.tasks[0]),
        unit=PERCENT,
        value=100 * one.value,
        low=100 * one.low,
        high=100 * one.high,
        first=float(hits[rows].sum()),
        second=float(one.n),
        compared=f"hits, {of}",
    )


def _memory(last: AttemptFrame, over: Floats, timed: Flags, subject: str) -> Iterator[ClaimFinding]:
    """Which of the two limits is nearer follows from what a kernel reached of each."""
    iou, mfu = last.numbers(lambda one: one.iou), last.numbers(lambda one: one.mfu)
    known = timed & np.isfinite(iou) & np.isfinite(mfu)
    tasks, at = np.unique(last.task.codes[known], return_inverse=True)
    if not tasks.size:
        return
    tries = np.bincount(at)
    speed = np.exp(np.bincount(at, np.log(over[known])) / tries)
    memory = np.bincount(at, (iou - mfu)[known]) > 0
    if not memory.any() or memory.all():
        return
    value, low, high = ratio_of_means(speed[memory].tolist(), speed[~memory].tolist())
    yield ClaimFinding(
        claim="memory_over_compute",
        subject=subject,
        n=int(tasks.size),
        of=f"tasks, {int(memory.sum())} of them memory-bound",
        tasks=int(min(memory.sum(), (~memory).sum())),
        unit=RATIO,
        value=value,
        low=low,
        high=high,
        first=float(np.exp(np.log(speed[memory]).mean())),
        second=float(np.exp(np.log(speed[~memory]).mean())),
        compared="speedup of memory-bound tasks, of compute-bound tasks",
    )


def first_round_findings(own: AttemptFrame, gpu: str) -> Iterator[ClaimFinding]:
    """fast_1 of the first round, method by method; several samples of a task are averaged."""
    asked = own.pick(asked_for(own))
    if not len(asked):
        return
    first = asked.pick(first_rounds(asked))
    fast, groups = (
        fast_of(first),
        cross_columns(first.author, first.encode_by(lambda one: one.level > 0)),
    )
    clusters = Clusters(first.task.codes, groups.codes, len(groups.labels))
    least, most = (
        clusters.shares(one(fast, 1.0)) for one in (FastAttempts.at_least, FastAttempts.at_most)
    )
    for row, (author, problems) in enumerate(groups.labels):
        of = "KernelBench problems" if problems else "tasks"
        yield ClaimFinding(
            claim="under_20_percent",
            subject=f"{author}, {gpu}",
            n=int(least.tasks[row]),
            of=of,
            tasks=int(least.tasks[row]),
            unit=PERCENT,
            value=100 * float(least.value[row]),
            low=100 * float(least.low[row]),
            high=100 * float(most.high[row]),
        )


def first_rounds(frame: AttemptFrame) -> Flags:
    """Attempts of the first round of each author at each task."""
    groups, rounds = cross_columns(frame.author, frame.task), frame.rounds
    first = np.full(len(groups.labels), np.iinfo(np.int64).max)
    np.minimum.at(first, groups.codes, rounds)
    return np.asarray(rounds == first[groups.codes])


def portability(frame: AttemptFrame) -> Iterator[ClaimFinding]:
    """Of kernels that were timed on every GPU."""
    timed = [one for one in frame.attempts if one.timed and one.gpu]
    kernels = build_speed_matrix(timed)
    whole = kernels.on(kernels.cards)
    if len(kernels.cards) < 2 or not whole.size:
        return
    largest, smallest = kernels.extremes(whole, None)
    ratio, tasks = largest.value / smallest.value, kernels.tasks[whole]
    many = int(np.unique(tasks).size)
    low, high = float("nan"), float("nan")
    if many >= FEWEST_OF_MEDIAN:
        low, high = ends(medians_of_draws(ratio, tasks))
    yield ClaimFinding(
        claim="portability",
        subject=f"{who_wrote(frame)}, {len(kernels.cards)} GPUs",
        n=int(whole.size),
        of=f"kernels of {many} tasks",
        tasks=many,
        unit=RATIO,
        value=float(np.median(ratio)),
        low=low,
        high=high,
        note="noise alone gives a ratio above 1: see `kbx analyze hardware`",
    )
