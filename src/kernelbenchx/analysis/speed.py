"""How fast correct kernels are: over eager and torch.compile, and as a share of the peak."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.fast_p import fast_tables
from kernelbenchx.analysis.frame import AttemptFrame, CodedColumn, cross_columns, frame_of
from kernelbenchx.analysis.groupings import with_all_methods
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import FEWEST, Clusters, Floats, Intervals, cut
from kernelbenchx.analysis.method_pairs import RATIOS, note_unpaired, ratio_rows
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.timed_kernels import EAGER, TimedPart, over, timed_parts

THRESHOLDS = (0.0, 0.5, 1.0, 1.5, 2.0)
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
_OVER = columns(("gpu", "GPU"), ("baseline", "over"), ("composition", "composition"))
_WHO = (*_OVER, *columns(("method", "method")))
_COUNTS = columns(("tasks", "tasks", "count"), ("kernels", "kernels", "count"))
_MEANS = (
    *interval("speedup", "speedup", "ratio"),
    *interval("arithmetic", "arithmetic mean", "ratio"),
)
_TIMED = (
    "Correct kernels of those kept at the end, with times that can be trusted, by device time. "
)
_UNTIMED = "No correct kernel has times that can be trusted."
_MEAN = (
    "Geometric mean over tasks of the geometric mean of each task's kernels, with Student's "
    f"interval over tasks where there are {FEWEST} or more: fewer say nothing of others. Beside it "
    "the arithmetic mean over tasks, as the papers report it: a few fast kernels lift it. "
)
_BELOW = (
    "`below 1` is the share whose speedup is under 1, as others report it; `slower` and `faster` "
    "are verdicts: the whole interval of the kernel lies beyond one percent."
)


def tables(
    attempts: Sequence[Attempt],
    thresholds: Sequence[float] = THRESHOLDS,
    frame: AttemptFrame | None = None,
) -> list[Table]:
    """Means, shares, distribution, efficiency, fast_p and its curve, methods compared by task."""
    frame = (frame or frame_of(attempts)).last
    parts = list(timed_parts(frame))
    return [
        _by_method(frame, parts),
        _by_category(frame, parts),
        _distribution(frame, parts),
        _efficiency(frame, parts),
        *fast_tables(frame, thresholds),
        _tabulate_pairs(frame, parts),
    ]


def by_method(last: AttemptFrame) -> Table:
    """The first of the tables alone."""
    return _by_method(last, list(timed_parts(last)))


def _by_method(frame: AttemptFrame, parts: Sequence[TimedPart]) -> Table:
    return Table(
        name="by_method",
        title="Speedup by method",
        about=_TIMED + _MEAN + _BELOW,
        columns=(
            *_WHO,
            *_COUNTS,
            *_MEANS,
            *interval("below_1", "below 1", "percent"),
            *interval("slower", "slower", "percent"),
            *interval("faster", "faster", "percent"),
        ),
        rows=tuple(row for part in parts for row in _method_rows(part)),
        notes=frame.notes if parts else (*frame.notes, _UNTIMED),
    )


def _method_rows(part: TimedPart) -> Iterator[tuple[Value, ...]]:
    groups = cross_columns(part.frame.card, part.frame.author)
    clusters = Clusters(part.frame.task.codes, groups.codes, len(groups.labels))
    speed_class = part.frame.encode_by(
        lambda one: getattr(over(one, part.baseline), "speed_class", "")
    )
    verdict = {word: _is(speed_class, word) for word in ("slower", "faster")}
    mean, below = clusters.geometric_means(part.speedup), clusters.shares(part.speedup < 1)
    arithmetic = _arithmetic(clusters, part.speedup)
    slower, faster = (clusters.shares(verdict[word]) for word in ("slower", "faster"))
    for row, (card, author) in enumerate(groups.labels):
        yield (
            card,
            *part.words,
            author,
            int(mean.tasks[row]),
            int(mean.n[row]),
            *ends(mean, row),
            *ends(arithmetic, row),
            *ends(below, row),
            *ends(slower, row),
            *ends(faster, row),
        )


def _by_category(frame: AttemptFrame, parts: Sequence[TimedPart]) -> Table:
    return Table(
        name="by_category",
        title="Speedup by category",
        about=_TIMED + _MEAN,
        columns=(
            *_WHO,
            *columns(("category", "category")),
            *_COUNTS,
            *_MEANS,
            *interval("below_1", "below 1", "percent"),
        ),
        rows=tuple(row for part in parts for row in _category_rows(part)),
        notes=frame.notes,
    )


def _category_rows(part: TimedPart) -> Iterator[tuple[Value, ...]]:
    factor = part.frame.encode_by(lambda one: one.category)
    rows, groups = with_all_methods(part.frame, np.arange(len(part.frame)), factor)
    clusters = Clusters(part.frame.task.codes[rows], groups.codes, len(groups.labels))
    speedup = part.speedup[rows]
    mean, below = clusters.geometric_means(speedup), clusters.shares(speedup < 1)
    arithmetic = _arithmetic(clusters, speedup)
    for row, (card, author, category) in enumerate(groups.labels):
        counts = int(mean.tasks[row]), int(mean.n[row])
        named = card, *part.words, author, category
        yield *named, *counts, *ends(mean, row), *ends(arithmetic, row), *ends(below, row)


def _arithmetic(clusters: Clusters, speedup: Floats) -> Intervals:
    """No speedup is negative, so no end is."""
    return cut(clusters.means(speedup), np.inf)


def _distribution(frame: AttemptFrame, parts: Sequence[TimedPart]) -> Table:
    rows: list[tuple[Value, ...]] = []
    for part in parts:
        groups = cross_columns(part.frame.card, part.frame.author)
        order = np.argsort(groups.codes, kind="stable")
        ordered, codes = part.speedup[order], groups.codes[order]
        starts = np.searchsorted(codes, np.arange(1, len(groups.labels)))
        for (card, author), own in zip(groups.labels, np.split(ordered, starts), strict=True):
            found = np.quantile(own, QUANTILES).tolist()
            rows.append((card, *part.words, author, own.size, *found))
    return Table(
        name="distribution",
        title="How speedups are spread",
        about=_TIMED + "Quantiles over kernels, as they were measured: every kernel counts once.",
        columns=(
            *_WHO,
            *columns(("kernels", "kernels", "count")),
            *columns(*((f"q{round(100 * q)}", _quantile(q), "ratio") for q in QUANTILES)),
        ),
        rows=tuple(rows),
        notes=frame.notes,
    )


def _quantile(share: float) -> str:
    named = {0.0: "least", 0.5: "median", 1.0: "most"}
    return named.get(share, f"{round(100 * share)} %")


def _efficiency(frame: AttemptFrame, parts: Sequence[TimedPart]) -> Table:
    rows: list[tuple[Value, ...]] = []
    for part in (one for one in parts if one.baseline == EAGER):
        known = part.frame.pick(part.frame.flags(lambda one: one.score is not None))
        groups = cross_columns(known.card, known.author)
        clusters = Clusters(known.task.codes, groups.codes, len(groups.labels))
        found = [
            cut(clusters.means(known.numbers(lambda one, key=key: getattr(one, key))))  # type: ignore[misc]
            for key in ("score", "iou", "mfu")
        ]
        rows += [
            (card, part.composition, author, int(found[0].tasks[row]), int(found[0].n[row]),
             *(cell for one in found for cell in ends(one, row)))
            for row, (card, author) in enumerate(groups.labels)
        ]  # fmt: skip
    return Table(
        name="efficiency",
        title="Score, IOU and MFU",
        about=(
            _TIMED + "IOU is the share of the GPU's measured bandwidth, MFU that of its measured "
            "arithmetic rate, Score the larger of both in each case; arithmetic mean over tasks "
            f"with Student's interval where there are {FEWEST} or more."
        ),
        columns=(
            *columns(("gpu", "GPU"), ("composition", "composition"), ("method", "method")),
            *_COUNTS,
            *interval("score", "Score", "percent"),
            *interval("iou", "IOU", "percent"),
            *interval("mfu", "MFU", "percent"),
        ),
        rows=tuple(rows),
        notes=frame.notes,
    )


def _tabulate_pairs(frame: AttemptFrame, parts: Sequence[TimedPart]) -> Table:
    rows = [
        (card, *part.words, *rest)
        for part in parts
        for card, *rest in ratio_rows(part.frame, part.speedup)
    ]
    return Table(
        name="paired",
        title="Methods compared by task: speed",
        about=(
            _TIMED + "Geometric means of two methods over the tasks for which both have a kernel, "
            f"and their ratio with Student's interval over those tasks ({FEWEST} or more); p is "
            "the sign test over tasks. What only one of them solved is not in it: look at the "
            "rates too."
        ),
        columns=(*_OVER, *RATIOS[1:]),
        rows=tuple(rows),
        notes=(*frame.notes, *note_unpaired(frame)),
    )


def _is(column: CodedColumn, word: str) -> np.ndarray:
    code = column.labels.index(word) if word in column.labels else -1
    return np.asarray(column.codes == code)
