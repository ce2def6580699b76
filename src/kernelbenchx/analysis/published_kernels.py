"""GEAK's kernels one by one: how fast rescued and persistent ones are, with intervals."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import cut, geometric_means, means, wilson
from kernelbenchx.analysis.published_corpus import RESCUED, RISEN, RISEN_SAME_CODE
from kernelbenchx.analysis.published_data import ROUNDS_GPU, TRANSITIONS
from kernelbenchx.analysis.table import Table, Value, columns

SELECTED = (
    "The corpus lists a persistent kernel only if its speedup rose: 24 of 32 and 19 of 46. So the "
    "persistent means are as printed; they have no interval, and their ratio to the rescued has "
    "none."
)
CONSISTENTLY = (
    "The paper says that rescued kernels consistently underperform persistent ones. From what is "
    "published this cannot be told."
)
MEANS = (
    "The paper prints arithmetic means. A few fast kernels lift them: the geometric mean of the "
    "same rescued kernels is below 1."
)


def tabulate_rescued() -> Table:
    """Speed of kernels that became correct in a round, beside those that were correct before."""
    return Table(
        name="published_rescued",
        title="Speed of rescued and persistent kernels, kernel by kernel",
        about=(
            f"GEAK on an {ROUNDS_GPU}, from the public corpus of iterations: speedup over eager "
            "after the round. Rescued kernels became correct in it, persistent ones were correct "
            "before. Means over kernels with Student's interval, geometric ones of logarithms; "
            "shares with Wilson's."
        ),
        columns=(
            *columns(("rounds", "rounds"), ("group", "group")),
            *columns(("correct", "correct", "count"), ("kernels", "with a time", "count")),
            *interval("speedup", "geometric mean", "ratio"),
            *columns(("median", "median", "ratio")),
            *interval("mean", "arithmetic mean", "ratio"),
            *columns(("printed", "printed mean", "ratio")),
            *interval("slower", "slower than eager", "percent"),
        ),
        rows=tuple(row for rounds in TRANSITIONS for row in _rescued_rows(rounds)),
        notes=(SELECTED, CONSISTENTLY, MEANS),
    )


def _rescued_rows(rounds: str) -> Iterator[tuple[Value, ...]]:
    printed = TRANSITIONS[rounds]
    new = [one for one in RESCUED[rounds].values() if one is not None]
    correct, many = len(RESCUED[rounds]), printed.persistent
    yield (
        rounds,
        "rescued",
        correct,
        *_summarize_speedups(new),
        printed.rescued_speedup,
        *_share_slower(new),
    )
    # Of those listed every one gained, so their own mean would describe another group.
    unknown, blank = (None,) * 7, (None,) * 3
    listed, over = len(RISEN[rounds]), printed.persistent_speedup
    yield rounds, "persistent", many, listed, *unknown, over, *blank
    ratio = printed.rescued_speedup / over
    yield rounds, "rescued over persistent", None, None, *unknown, ratio, *blank


def _summarize_speedups(speedups: Sequence[float]) -> tuple[Value, ...]:
    kernels = np.arange(len(speedups))
    return (
        len(speedups),
        *ends(geometric_means(speedups, kernels), 0),
        float(np.median(speedups)),
        *ends(cut(means(speedups, kernels), math.inf), 0),
    )


def _share_slower(speedups: Sequence[float]) -> tuple[Value, ...]:
    found = wilson(sum(one < 1.0 for one in speedups), len(speedups))
    return found.value, found.low, found.high


def tabulate_gains() -> Table:
    """By how much persistent kernels became faster."""
    return Table(
        name="published_risen",
        title="Did persistent kernels become faster?",
        about=(
            f"GEAK on an {ROUNDS_GPU}: speedup after a round over the speedup before it, of the "
            "persistent kernels whose speedup rose; geometric mean with Student's interval. "
            "Kernels with the same code show what repeating a measurement gives."
        ),
        columns=(
            *columns(("rounds", "rounds"), ("persistent", "persistent", "count")),
            *columns(("risen", "risen", "count"), ("same_code", "of them same code", "count")),
            *interval("gain", "gain", "ratio"),
            *columns(("median", "median gain", "ratio"), ("most", "largest gain", "ratio")),
        ),
        rows=tuple(_risen_row(rounds) for rounds in TRANSITIONS),
        notes=(
            "Kernels whose speedup did not rise are not listed: over all, the gain is smaller.",
        ),
    )


def _risen_row(rounds: str) -> tuple[Value, ...]:
    gains = [after / before for before, after in RISEN[rounds].values()]
    return (
        rounds,
        TRANSITIONS[rounds].persistent,
        len(gains),
        RISEN_SAME_CODE[rounds],
        *ends(geometric_means(gains, np.arange(len(gains))), 0),
        float(np.median(gains)),
        max(gains),
    )
