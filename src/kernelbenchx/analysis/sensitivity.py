"""Does the answer hold? Explained deviance with methods, categories or tasks left out or pooled."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.counts import Counts
from kernelbenchx.analysis.explained import TERMS, deviances_of, freedoms
from kernelbenchx.analysis.glm import criterion_aic, criterion_bic
from kernelbenchx.analysis.table import Value, columns
from kernelbenchx.analysis.task_redraws import jackknife_bias

SMALL = 3
"""Categories of at most so many tasks are pooled."""

CATEGORY, METHOD = TERMS.index("category"), TERMS.index("method")

COLUMNS = columns(
    ("outcome", "outcome"),
    ("data", "data"),
    ("n", "attempts", "count"),
    ("tasks", "tasks", "count"),
    ("categories", "categories", "count"),
    ("methods", "methods", "count"),
    ("category", "category", "percent"),
    ("method", "method", "percent"),
    ("category_corrected", "category, corrected", "percent"),
    ("method_corrected", "method, corrected", "percent"),
    ("category_per_df", "category, drop per df", "number"),
    ("method_per_df", "method, drop per df", "number"),
    ("more", "explains more"),
    ("more_corrected", "corrected"),
    ("more_per_df", "per df"),
    ("aic", "by AIC"),
    ("bic", "by BIC"),
)

ABOUT = (
    "Explained deviance of category alone and of method alone on parts of the data, and which of"
    " the two is ahead by each measure: raw, corrected for bias, per degree of freedom, AIC, BIC."
    " A conclusion that changes with a method left out is one about that method."
)


def variants(counts: Counts, uncertified: Sequence[str] | None) -> Iterator[tuple[str, Counts]]:
    """The data and its parts, each with its name; None: certificates are not known."""
    yield "all", counts
    for method in counts.methods:
        yield f"without method {method}", counts.without_method(method)
    for category in counts.categories:
        yield f"without category {category}", counts.without_category(category)
    yield f"categories of at most {SMALL} tasks pooled", counts.pooled(SMALL)
    if uncertified is None:
        return
    yield f"without uncertified tasks ({len(uncertified)})", counts.without_tasks(uncertified)


def compared(outcome: str, data: str, counts: Counts) -> tuple[Value, ...]:
    """A row: both factors by every measure; None where a factor has one level or nobody failed."""
    sizes = (counts.n, len(counts.tasks), len(counts.categories), len(counts.methods))
    blank = (outcome, data, *sizes, *(None,) * (len(COLUMNS) - 6))
    if min(sizes) < 1 or min(sizes[2:]) < 2:
        return blank
    found = deviances_of(counts)
    if not found.null > 0.0:
        return blank
    shares = found.shares
    corrected = shares - jackknife_bias(counts)
    df = freedoms(counts)
    per_df = [float(found.drops[term]) / df[term] for term in (CATEGORY, METHOD)]
    likelihoods = (float(found.category) / -2.0, float(found.method) / -2.0)
    parameters = (df[CATEGORY] + 1, df[METHOD] + 1)
    pairs = list(zip(likelihoods, parameters, strict=True))
    aic = [-criterion_aic(*pair) for pair in pairs]
    bic = [-criterion_bic(*pair, counts.n) for pair in pairs]
    raw = (float(shares[CATEGORY]), float(shares[METHOD]))
    held = (float(corrected[CATEGORY]), float(corrected[METHOD]))
    ahead = [ahead_of(pair) for pair in (raw, held, per_df, aic, bic)]
    return (outcome, data, *sizes, *raw, *held, *per_df, *ahead)


def ahead_of(pair: Sequence[float]) -> str:
    """Which of the two is larger."""
    if np.isclose(pair[0], pair[1], rtol=1e-9, atol=0.0):
        return "equal"
    return "category" if pair[0] > pair[1] else "method"
