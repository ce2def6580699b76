"""Claims about how far methods get: all of Math, within ten turns, and with a hundred samples."""

import math
from collections.abc import Iterator

import numpy as np

from kernelbenchx.analysis.claim_findings import PERCENT, RATIO, ClaimFinding, scale_interval
from kernelbenchx.analysis.claim_tasks import first_rounds
from kernelbenchx.analysis.frame import AttemptFrame, cross_columns
from kernelbenchx.analysis.intervals import Clusters
from kernelbenchx.analysis.kernel_origins import who_wrote
from kernelbenchx.analysis.speeds_by_gpu import build_speed_matrix

MATH = "Math"
TURNS, SAMPLES = 10, 100
"""As many as KernelBench gives a model."""


def reach_findings(own: AttemptFrame, gpu: str) -> Iterator[ClaimFinding]:
    """Of one GPU, method by method."""
    judged = own.pick(own.stages["correct"].askable)
    yield from _math(own.last, gpu)
    yield from _turns(judged, gpu)
    yield from _samples(judged, gpu)


def _math(last: AttemptFrame, gpu: str) -> Iterator[ClaimFinding]:
    """Of the kernels that methods keep."""
    asked = last.stages["correct"].askable & last.flags(lambda one: one.category == MATH)
    there = last.pick(asked)
    if not len(there):
        return
    right = there.stages["correct"].yes
    labels, codes = there.author.labels, there.author.codes
    found = Clusters(there.task.codes, codes, len(labels)).shares(right)
    for row in sorted(set(codes.tolist())):
        one, many = found.at(row), int(found.tasks[row])
        yield ClaimFinding(
            claim="math_solved", subject=f"{labels[row]}, {gpu}", n=one.n,
            of=f"attempts at {many} tasks", tasks=many, unit=PERCENT, **scale_interval(one),
            first=float(right[codes == row].sum()), second=float(one.n), compared="hits, attempts",
        )  # fmt: skip


def _turns(judged: AttemptFrame, gpu: str) -> Iterator[ClaimFinding]:
    """Fewer turns than ten bound the share from below, and so can never make it fail."""
    for code, author in enumerate(judged.author.labels):
        own = judged.pick(judged.author.codes == code)
        numbers = np.unique(own.rounds)[:TURNS]
        if numbers.size < 2:
            continue
        own = own.pick(np.isin(own.rounds, numbers))
        answers, at = np.unique(own.answer, return_inverse=True)
        tasks = np.zeros(answers.size, np.int64)
        tasks[at] = own.task.codes
        hits = np.bincount(at, weights=own.flags(lambda one: one.correct)) > 0
        found = Clusters(tasks).shares(hits)
        many, ends = int(found.tasks[0]), scale_interval(found.at(0))
        if numbers.size < TURNS:
            ends["high"] = 100.0
        yield ClaimFinding(
            claim="correct_within_turns", subject=f"{author}, {gpu}, 1 to {numbers.size} turns",
            n=many, of="tasks", tasks=many, unit=PERCENT, **ends,
            note="" if numbers.size == TURNS else f"at least: fewer than {TURNS} turns",
        )  # fmt: skip


def _samples(judged: AttemptFrame, gpu: str) -> Iterator[ClaimFinding]:
    """Those of the first round, which know nothing of each other; a task needs a hundred."""
    first = judged.pick(first_rounds(judged))
    groups = cross_columns(first.author, first.task)
    many = len(groups.labels)
    tries = np.bincount(groups.codes, minlength=many)
    hits = np.bincount(groups.codes, first.flags(lambda one: one.correct), many)
    authors = np.array([str(author) for author, _ in groups.labels], dtype=object)
    for author in sorted(set(authors.tolist())):
        own = (authors == author) & (tries >= SAMPLES)
        tasks = int(own.sum())
        if not tasks:
            continue
        never = hits[own] == 0
        yield ClaimFinding(
            claim="wall_of_samples", subject=f"{author}, {gpu}, {int(tries[own].min())} samples",
            n=tasks, of="tasks", tasks=tasks, unit=PERCENT,
            **scale_interval(Clusters(np.arange(tasks)).shares(never).at(0)),
            first=float(never.sum()), second=float(tasks), compared="unsolved tasks, all tasks",
        )  # fmt: skip


def worst_portability(frame: AttemptFrame) -> Iterator[ClaimFinding]:
    """Of kernels that were timed on every GPU: the one whose speed differs most."""
    kernels = build_speed_matrix([one for one in frame.attempts if one.timed and one.gpu])
    whole = kernels.on(kernels.cards)
    if len(kernels.cards) < 2 or not whole.size:
        return
    largest, smallest = kernels.extremes(whole, None)
    ratio = largest.value / smallest.value
    worst, many = int(ratio.argmax()), int(np.unique(kernels.tasks[whole]).size)
    low = float(largest.low[worst] / smallest.high[worst])
    yield ClaimFinding(
        claim="portability_worst",
        subject=f"{who_wrote(frame)}, {len(kernels.cards)} GPUs",
        n=int(whole.size),
        of=f"kernels of {many} tasks",
        tasks=many,
        unit=RATIO,
        value=float(ratio[worst]),
        low=low if math.isfinite(low) else math.nan,
        # Another kernel may be the worst one: its high end counts too.
        high=float((largest.high / smallest.low).max()),
        note=f"{kernels.names[int(whole[worst])]}; the low end is that of its own measurements",
    )
