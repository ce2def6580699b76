"""KernelBench's published results, as tables with the counts and intervals that follow from them.

Percentages of 100 or 50 problems are counts. Which problems are behind them is not published.
"""

from collections.abc import Callable, Collection, Iterator

from kernelbenchx.analysis.interval_cells import interval
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.published_kernelbench_data import (
    BY_GPU,
    GPU,
    KINDS,
    LEVELS,
    OVER_COMPILE,
    SAMPLED_AT_10,
    SAMPLED_AT_100,
    TABLE_1,
    TABLE_2,
    TURNS,
)
from kernelbenchx.analysis.table import Column, Table, Value, columns

_SHARE = (
    *columns(("beaten", "beaten", "count"), ("problems", "problems", "count")),
    *interval("share", "fast_1", "percent"),
)
_FAST = "fast_1 is the share of all problems with a correct kernel that is faster than eager. "
_WILSON = "Intervals are Wilson's with problems as draws; the paper prints none."
_WHOLE = (
    "A percentage of level 3 that is no whole number of its 50 problems has no count here, and no "
    "interval."
)


def tables(about: Collection[str] | None = None) -> list[Table]:
    """What the paper prints about these analyses; all of it where none is named."""
    return [make() for name, make in _ABOUT if about is None or name in about]


def count_from_percent(percent: float, level: int) -> int | None:
    """The whole number of problems that a printed percentage stands for; None where it is none."""
    count = percent * LEVELS[level] / 100.0
    return round(count) if count == round(count) else None


def one_attempt() -> Table:
    """Table 1."""
    return _table(
        "kernelbench_one_attempt",
        "Table 1: fast_1 in one attempt, by model and level",
        f"{_FAST}On an {GPU}, one attempt for each problem. {_WILSON}",
        columns(("model", "model"), ("level", "level", "count")),
        (
            ((model, level), percent, level)
            for model, percents in TABLE_1.items()
            for level, percent in zip(LEVELS, percents, strict=True)
        ),
        (f"Over torch.compile, {OVER_COMPILE[0]} is printed with {OVER_COMPILE[2]} % on level 2.",),
    )


def feedback() -> Table:
    """Table 2."""
    return _table(
        "kernelbench_feedback",
        f"Table 2: fast_1 within {TURNS} turns, by what a turn is told",
        f"{_FAST}G: the previous kernel; E: execution results; P: the profile. {_WILSON} The same "
        "problems are behind all three, and which of them changed is not published.",
        columns(("model", "model"), ("level", "level", "count"), ("feedback", "feedback")),
        (
            ((model, level, kind), percent, level)
            for model, by_level in TABLE_2.items()
            for level, percents in by_level.items()
            for kind, percent in zip(KINDS, percents, strict=True)
        ),
    )


def sampling() -> Table:
    """One sample, the best of ten, the best of a hundred."""
    model, level, once, hundred = SAMPLED_AT_100
    ten = (
        ((name, at, 10), percent, at)
        for name, percents in SAMPLED_AT_10.items()
        for at, percent in zip(LEVELS, percents, strict=True)
    )
    ends = (((model, level, 1), once, level), ((model, level, 100), hundred, level))
    return _table(
        "kernelbench_sampling",
        "fast_1 of the best of k samples",
        f"{_FAST}{_WILSON} Values for other k are only in a figure.",
        columns(("model", "model"), ("level", "level", "count"), ("k", "k", "count")),
        (*ends, *ten),
        (_WHOLE,),
    )


def gpus() -> Table:
    """The same kernels on two GPUs."""
    model, level, by_gpu = BY_GPU
    return _table(
        "kernelbench_gpus",
        "fast_1 of the same kernels on two GPUs",
        f"{_FAST}Each over eager on its own GPU. {_WILSON}",
        columns(("model", "model"), ("level", "level", "count"), ("on", "GPU")),
        (((model, level, gpu), percent, level) for gpu, percent in by_gpu.items()),
        ("Other GPUs and levels are only in a figure.",),
    )


_Printed = tuple[tuple[Value, ...], float, int]
"""What a row is named by, its percentage and its level."""


def _table(
    name: str,
    title: str,
    about: str,
    named: tuple[Column, ...],
    printed: "Iterator[_Printed] | tuple[_Printed, ...]",
    notes: tuple[str, ...] = (),
) -> Table:
    rows = []
    for words, percent, level in printed:
        n, hits = LEVELS[level], count_from_percent(percent, level)
        found = wilson(hits, n) if hits is not None else None
        ends = (found.value, found.low, found.high) if found else (None, None, None)
        rows.append((*words, percent / 100.0, hits, n, *ends))
    as_printed = columns(("printed", "printed", "percent"))
    return Table(
        name=name,
        title=title,
        about=about,
        columns=(*named, *as_printed, *_SHARE),
        rows=tuple(rows),
        notes=notes,
    )


_ABOUT: tuple[tuple[str, Callable[[], Table]], ...] = (
    ("levels", one_attempt),
    ("iterations", feedback),
    ("iterations", sampling),
    ("hardware", gpus),
)
"""By the analysis that asks the same of a run."""
ANALYSES = tuple(dict.fromkeys(name for name, _ in _ABOUT))
