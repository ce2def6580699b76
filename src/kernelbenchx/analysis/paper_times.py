"""Speed by the formulas of the KernelBench-X paper, beside eager measured live and stored eager."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis.frame import AttemptFrame, cross_columns
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import FEWEST, Clusters, Floats, cut, task_weights
from kernelbenchx.analysis.paper_sums import LEAST_SPEEDUP, LONGEST_MS, Sums, is_abnormal, sums_of
from kernelbenchx.analysis.resampling import DRAWS
from kernelbenchx.analysis.resampling import ends as ends_of_draws
from kernelbenchx.analysis.table import Table, Value, aside, columns
from kernelbenchx.catalog.published_times import COPIED, COPY_OF, GPUS

LIVE = "eager, measured beside it"
_EVERY_ROW, _SAME_ROWS = "stored {}, every row", "stored {}, rows that both have"
_KERNELS = (
    "Correct kernels of those kept at the end, pure and mixed, with times that can be trusted, by "
    "device time. "
)
_FORMULAS = (
    "`sum over sum`: eager summed over all sizes and tasks, divided by the same sum of the "
    "kernels (`avg_speedup` in the published summary.json). `mean`: the arithmetic mean over "
    "tasks of each task's quotient of two sums over its sizes (`avg_speedup_per_task`). "
    f"`filtered`: the mean without tasks above {LONGEST_MS / 1000:g} s or below "
    f"{LEAST_SPEEDUP:g}x, as the published console prints it. `geometric`: ours, of the same "
    "quotients. Kernels of a task are averaged first. Student's interval over tasks for means, "
    "tasks drawn again for `sum over sum`. "
)
_REFERENCES = (
    "The published rule divides every stored row of a GPU by the rows that the kernel has: a "
    "kernel that lacks rows gains speed by it. `missing` counts rows without a time."
)
_UNTIMED = "No correct kernel has times that can be trusted."
_OTHER_SIZES = (
    "These kernels were not timed at the published sizes (--sizes published): sums are over the "
    "sizes of our tasks, and stored times say nothing of them."
)
_COPY = (
    f"The stored times of the {GPUS[COPIED]} are those of the {GPUS[COPY_OF]} but for two tasks."
)


@dataclass(frozen=True)
class SummedKernels:
    """Timed kernels of a frame with their sums."""

    frame: AttemptFrame
    sums: tuple[Sums, ...]
    stored_gpu: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the times."""
        said = list(self.frame.notes)
        if not self.sums:
            said.append(_UNTIMED)
        elif all(one.stored_ms is None for one in self.sums):
            said.append(_OTHER_SIZES)
        elif self.stored_gpu == COPIED:
            said.append(_COPY)
        return tuple(said)


def summed_kernels(last: AttemptFrame, stored_gpu: str) -> SummedKernels:
    """Those of the kernels kept at the end that are correct and timed."""
    found = [
        sums_of(one, stored_gpu) if one.correct and one.performance == "timed" else None
        for one in last.attempts
    ]
    there = np.fromiter((one is not None for one in found), bool, len(found))
    return SummedKernels(last.pick(there), tuple(one for one in found if one), stored_gpu)


def by_method(kernels: SummedKernels) -> Table:
    """The means of each method, over each reference."""
    return Table(
        name="paper_speedups",
        title="Speedup by the paper's formulas",
        about=_KERNELS + _FORMULAS + _REFERENCES,
        columns=(
            *columns(("gpu", "GPU"), ("method", "method"), ("reference", "over")),
            *columns(("tasks", "tasks", "count")),
            *aside(columns(("mixed", "of them mixed", "count"))),
            *columns(("missing", "missing", "count"), ("rows", "of rows", "count")),
            *interval("sum_over_sum", "sum over sum", "ratio"),
            *interval("mean", "mean", "ratio"),
            *columns(("filtered", "filtered", "ratio"), ("left_out", "left out", "count")),
            *interval("geometric", "geometric", "ratio"),
        ),
        rows=tuple(_method_rows(kernels)),
        notes=kernels.notes,
    )


_Side = tuple[float, float]
"""Milliseconds of the kernel and of the reference."""


def _live(one: Sums) -> _Side | None:
    return one.candidate_ms, one.eager_ms


def _every_row(one: Sums) -> _Side | None:
    return None if one.stored_ms is None else (one.candidate_ms, one.stored_ms)


def _same_rows(one: Sums) -> _Side | None:
    if not one.same_candidate_ms or not one.same_stored_ms:
        return None
    return one.same_candidate_ms, one.same_stored_ms


def _method_rows(kernels: SummedKernels) -> Iterator[tuple[Value, ...]]:
    gpu = GPUS[kernels.stored_gpu]
    references: tuple[tuple[str, Callable[[Sums], _Side | None]], ...] = (
        (LIVE, _live),
        (_EVERY_ROW.format(gpu), _every_row),
        (_SAME_ROWS.format(gpu), _same_rows),
    )
    groups = cross_columns(kernels.frame.card, kernels.frame.author)
    for code, (card, author) in enumerate(groups.labels):
        own = np.flatnonzero(groups.codes == code)
        for name, sides in references:
            rows = [row for row in own.tolist() if sides(kernels.sums[row]) is not None]
            if rows:
                yield card, author, name, *_cells(kernels, rows, sides)


def _cells(
    kernels: SummedKernels, rows: Sequence[int], sides: Callable[[Sums], _Side | None]
) -> tuple[Value, ...]:
    sums = [kernels.sums[row] for row in rows]
    pairs = np.asarray([sides(one) for one in sums], float)
    candidate, reference = pairs[:, 0], pairs[:, 1]
    ratio = reference / candidate
    tasks = kernels.frame.task.codes[np.asarray(rows)]
    clusters = Clusters(tasks)
    normal = [not is_abnormal(*one) for one in zip(candidate.tolist(), ratio.tolist(), strict=True)]
    filtered = Clusters(tasks[normal]).means(ratio[normal]).value[0] if any(normal) else None
    return (
        int(clusters.tasks[0]),
        int(kernels.frame.mixed[np.asarray(rows)].sum()),
        sum(one.of - one.rows for one in sums),
        sum(one.of for one in sums),
        *_sum_over_sum(candidate, reference, tasks),
        *ends(cut(clusters.means(ratio), math.inf), 0),
        None if filtered is None else float(filtered),
        len(normal) - sum(normal),
        *ends(clusters.geometric_means(ratio), 0),
    )


def _sum_over_sum(candidate: Floats, reference: Floats, tasks: Floats) -> tuple[Value, ...]:
    """Of the means of each task's kernels; the interval draws tasks again."""
    own = np.unique(tasks, return_inverse=True)[1]
    many = np.bincount(own)
    below, above = np.bincount(own, candidate) / many, np.bincount(own, reference) / many
    value = float(above.sum() / below.sum())
    if many.size < FEWEST:
        return value, None, None
    weights = task_weights(many.size, DRAWS)
    return value, *ends_of_draws((weights @ above) / (weights @ below))


def by_task(kernels: SummedKernels) -> Table:
    """Each kernel's sums, and which rows it lacks."""
    return Table(
        name="paper_sums",
        title="Sums over the sizes of each task",
        about=(
            _KERNELS + "Milliseconds of the kernel and of eager, each summed over the sizes of the "
            "task, and their quotient; `ours` is the geometric mean over sizes. " + _REFERENCES
        ),
        columns=(
            *columns(("gpu", "GPU"), ("task", "task"), ("method", "method")),
            *aside(columns(("submission", "submission"))),
            *columns(("rows", "rows", "count"), ("of", "of", "count")),
            *columns(("candidate_ms", "kernel, ms", "number"), ("eager_ms", "eager, ms", "number")),
            *columns(("speedup", "speedup", "ratio"), ("ours", "ours", "ratio")),
            *columns(
                ("stored_ms", f"stored {GPUS[kernels.stored_gpu]}, ms", "number"),
                ("stored_speedup", "over every stored row", "ratio"),
                ("same_speedup", "over rows that both have", "ratio"),
            ),
            *columns(("filtered_out", "filtered out")),
            *aside(columns(("missing", "missing"))),
        ),
        rows=tuple(_task_rows(kernels)),
        notes=kernels.notes,
    )


def _task_rows(kernels: SummedKernels) -> Iterator[tuple[Value, ...]]:
    frame = kernels.frame
    groups = cross_columns(frame.card, frame.task, frame.author)
    for row in np.argsort(groups.codes, kind="stable").tolist():
        one, attempt = kernels.sums[row], frame.attempts[row]
        card, task, author = groups.labels[groups.codes[row]]
        over = one.stored_speedup or one.speedup
        yield (
            card,
            task,
            author,
            attempt.submission,
            one.rows,
            one.of,
            one.candidate_ms,
            one.eager_ms,
            one.speedup,
            attempt.eager.speedup if attempt.eager else None,
            one.stored_ms,
            one.stored_speedup,
            one.same_speedup,
            is_abnormal(one.candidate_ms, over),
            "; ".join(one.missing),
        )
