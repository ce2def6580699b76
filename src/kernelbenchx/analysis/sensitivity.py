"""Explained deviance with methods, categories or tasks left out or pooled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis.deviance_resampling import REPLICATES, spread
from kernelbenchx.analysis.explained_deviance import ALONE, deviances_of, freedoms, shares_alone
from kernelbenchx.analysis.glm import criterion_aic, criterion_bic
from kernelbenchx.analysis.success_counts import Counts
from kernelbenchx.analysis.table import Table, Value, aside, columns

SMALL = 3
"""Categories of at most so many tasks are pooled."""

CATEGORY, METHOD = ALONE.index("category"), ALONE.index("method")

SHARES = (
    *columns(("outcome", "outcome"), ("data", "data"), ("n", "attempts", "count")),
    *aside(
        columns(
            ("tasks", "tasks", "count"),
            ("categories", "categories", "count"),
            ("methods", "methods", "count"),
        )
    ),
    *columns(
        ("category", "category", "percent"),
        ("category_corrected", "corrected", "percent"),
        ("category_corrected_low", "from", "percent"),
        ("category_corrected_high", "to", "percent"),
    ),
    *aside(columns(("category_per_df", "per df", "number"))),
    *columns(
        ("method", "method", "percent"),
        ("method_corrected", "corrected", "percent"),
        ("method_corrected_low", "from", "percent"),
        ("method_corrected_high", "to", "percent"),
    ),
    *aside(columns(("method_per_df", "per df", "number"))),
)
AHEAD = columns(
    ("outcome", "outcome"),
    ("data", "data"),
    ("raw", "raw"),
    ("corrected", "corrected"),
    ("per_df", "per df"),
    ("aic", "AIC"),
    ("bic", "BIC"),
)

ABOUT = (
    "Explained deviance of category alone and of method alone on parts of the data: raw, corrected"
    " for bias with a 95 % interval, and the drop per degree of freedom."
)
ABOUT_AHEAD = (
    "Which of the two is ahead by each measure. A conclusion that changes with a method or a"
    " category left out is one about that method or category."
)


DRAWN = (
    "Intervals: {} draws of tasks for each row; categories of one task are pooled for corrected"
    " shares and their intervals. No interval: too few tasks."
)
NOTHING = "Of two factors at least two levels each are needed, and attempts that end differently."


@dataclass(frozen=True)
class ShareComparison:
    """Both factors on one part of the data: a row of either table."""

    shares: tuple[Value, ...]
    ahead: tuple[Value, ...]


def as_tables(
    name: str,
    title: str,
    rows: Sequence[ShareComparison],
    notes: tuple[str, ...] = (),
    replicates: int = REPLICATES,
) -> list[Table]:
    """The shares, and who is ahead; nothing where there is nothing to compare."""
    if any(cell is not None for row in rows for cell in row.ahead[2:]):
        notes = (*notes, DRAWN.format(replicates))
    else:
        rows, notes = (), (*notes, NOTHING)
    return [
        Table(
            name=name,
            title=title,
            about=ABOUT,
            columns=SHARES,
            rows=tuple(row.shares for row in rows),
            notes=notes,
        ),
        Table(
            name=f"{name}_ahead",
            title=f"{title}: who is ahead",
            about=ABOUT_AHEAD,
            columns=AHEAD,
            rows=tuple(row.ahead for row in rows),
        ),
    ]


def variants(counts: Counts, uncertified: Sequence[str] | None) -> Iterator[tuple[str, Counts]]:
    """The data and its parts, each with its name; None: certificates are not known. Without one
    certified task there is no part without the others."""
    yield "all", counts
    for method in counts.methods:
        yield f"without method {method}", counts.without_method(method)
    for category in counts.categories:
        yield f"without category {category}", counts.without_category(category)
    yield f"categories of at most {SMALL} tasks pooled", counts.pool_small(SMALL)
    rest = counts.without_tasks(uncertified or ())
    if uncertified is not None and rest.tasks:
        yield f"without uncertified tasks ({len(uncertified)})", rest


def compare_shares(
    outcome: str, data: str, counts: Counts, *, replicates: int = REPLICATES, seed: int = 0
) -> ShareComparison:
    """Both factors by every measure; None where a factor has one level or all end alike."""
    head = (outcome, data)
    sizes = (counts.n, len(counts.tasks), len(counts.categories), len(counts.methods))
    nothing = ShareComparison((*head, *sizes, *(None,) * (len(SHARES) - 6)), (*head, *(None,) * 5))
    if min(sizes) < 1 or min(sizes[2:]) < 2:
        return nothing
    found = deviances_of(counts)
    if not found.null > 0.0:
        return nothing
    both, df = (CATEGORY, METHOD), freedoms(counts)
    raw = [float(found.shares[term]) for term in both]
    corrected, low, high = _correct_shares(counts.pool_singletons(), replicates, seed)
    per_df = [float(found.drops[term]) / df[term] for term in both]
    fits = ((float(found.category) / -2.0, df[0] + 1), (float(found.method) / -2.0, df[1] + 1))
    aic = [-criterion_aic(*fit) for fit in fits]
    bic = [-criterion_bic(*fit, counts.n) for fit in fits]
    cells = [cell for pair in zip(raw, corrected, low, high, per_df, strict=True) for cell in pair]
    ahead = [ahead_of(pair) for pair in (raw, corrected, per_df, aic, bic)]
    return ShareComparison((*head, *sizes, *cells), (*head, *ahead))


def _correct_shares(counts: Counts, replicates: int, seed: int) -> list[list[float]]:
    """Shares of both factors and the ends of their intervals; NaN for one that has one level."""
    rng = np.random.default_rng(seed)
    drawn = spread(counts, rng=rng, replicates=replicates, sharing=shares_alone)
    several = np.array([len(counts.categories) > 1, len(counts.methods) > 1])
    parts = np.stack((drawn.corrected, drawn.low, drawn.high))
    return [list(map(float, row)) for row in np.where(several, parts, np.nan)]


def ahead_of(pair: Sequence[float]) -> str | None:
    """Which of the two is larger; None where one is not known."""
    if not np.isfinite(pair).all():
        return None
    if np.isclose(pair[0], pair[1], rtol=1e-9, atol=0.0):
        return "equal"
    return "category" if pair[0] > pair[1] else "method"
