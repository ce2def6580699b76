"""How much of success the task category explains, and how much the method."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernelbenchx.analysis import sensitivity
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.deviance_resampling import REPLICATES, permutation_p, spread
from kernelbenchx.analysis.explained_deviance import (
    ALONE,
    TERMS,
    Deviances,
    deviances_of,
    freedoms,
    penalised_deviances,
)
from kernelbenchx.analysis.glm import criterion_aic, criterion_bic, likelihood_ratio_p
from kernelbenchx.analysis.success_counts import Counts, count_successes
from kernelbenchx.analysis.table import Table, Value, columns

EQUATION = (
    "Model: logit P(success of attempt i) = a + b[category of its task] + c[method]; binomial"
    " family, logit link, maximum likelihood, no penalty, every attempt a trial of its own."
)
SHARE = (
    "Explained deviance is 1 - D(model) / D(null) with D = -2 log L; for single attempts it is"
    " McFadden's R2. Adjusted: 1 - (log L(model) - df) / log L(null)."
)
ATTEMPTS = (
    "Of several rounds or candidates the kernel that is kept counts; the same code judged on"
    " several machines counts once."
)
CORRECTION = (
    "The share of explained deviance is biased upward, the more so the more levels a factor has:"
    " levels fit noise. Corrected: minus the bias that leaving out each task in turn shows."
)


@dataclass(frozen=True, kw_only=True)
class FittedOutcome:
    """One outcome's counts and models."""

    outcome: str
    counts: Counts
    found: Deviances
    df: tuple[int, ...]

    @property
    def terms(self) -> list[tuple[int, str]]:
        """Those that can add something, with their places in `TERMS`."""
        return terms_of(self.df)


def terms_of(df: Sequence[int]) -> list[tuple[int, str]]:
    """Terms with degrees of freedom; with one factor nothing is given the other."""
    known = set(TERMS) if all(df[:2]) else set(ALONE)
    return [(at, name) for at, name in enumerate(TERMS) if df[at] and name in known]


def tables(
    attempts: Sequence[Attempt], *, replicates: int = REPLICATES, seed: int = 0
) -> list[Table]:
    """Models, terms with tests, intervals, the penalised fit and what the answer depends on."""
    given = outcomes(attempts)
    uncertified = sorted({one.task for one in attempts if not one.certified})
    fitted = [fitted_to(name, counts) for name, counts in given if can_be_fitted(counts)]
    notes = (*(_notes(given[0][1]) if fitted else ()), *_note_unfitted(given))
    return [
        _models(fitted, notes),
        _terms(fitted, replicates, seed),
        _intervals(fitted, replicates, seed),
        _tabulate_penalised(fitted),
        *_sensitivity(given, uncertified, replicates, seed),
    ]


def outcomes(attempts: Sequence[Attempt]) -> list[tuple[str, Counts]]:
    """Counts of both outcomes; an evaluation that stopped earlier on request has only the first."""
    judged = [one for one in attempts if one.outcome != "reached"]
    called = [one for one in attempts if one.outcome != "reached" or one.stage != "check"]
    return [
        ("correct", count_successes(judged, lambda one: one.correct)),
        ("compile", count_successes(called, lambda one: one.called)),
    ]


def can_be_fitted(counts: Counts) -> bool:
    """Some attempts succeed and some do not."""
    return bool(0.0 < counts.successes.sum() < counts.trials.sum())


def fitted_to(outcome: str, counts: Counts) -> FittedOutcome:
    """All models without penalty."""
    return FittedOutcome(
        outcome=outcome, counts=counts, found=deviances_of(counts), df=freedoms(counts)
    )


def _note_unfitted(given: Sequence[tuple[str, Counts]]) -> Iterator[str]:
    for name, counts in given:
        if not can_be_fitted(counts):
            why = "all attempts end alike" if counts.n else "there are no attempts"
            yield f"{name}: nothing to explain, {why}."


def _notes(counts: Counts) -> tuple[str, ...]:
    coding = (
        f"Coding: dummies for categories against {counts.categories[0]} (levels:"
        f" {len(counts.categories)}) and for methods against {counts.methods[0]} (levels:"
        f" {len(counts.methods)})."
    )
    return EQUATION, coding, SHARE, ATTEMPTS


def _models(fitted: Sequence[FittedOutcome], notes: tuple[str, ...]) -> Table:
    return Table(
        name="variance_models",
        title="Models of success",
        about=(
            "Binomial regressions on category and method. AIC and BIC: smaller is better; BIC"
            " charges every level more. With x, every pair has a rate of its own."
        ),
        columns=columns(
            ("outcome", "outcome"),
            ("model", "model"),
            ("n", "attempts", "count"),
            ("tasks", "tasks", "count"),
            ("df", "df", "count"),
            ("deviance", "deviance", "number"),
            ("explained", "explained", "percent"),
            ("adjusted", "adjusted", "percent"),
            ("aic", "AIC", "number"),
            ("bic", "BIC", "number"),
        ),
        rows=tuple(row for one in fitted for row in _model_rows(one)),
        notes=notes,
    )


def _model_rows(one: FittedOutcome) -> Iterator[tuple[Value, ...]]:
    found, n = one.found, one.counts.n
    null = float(found.null)
    models = {
        "category": (float(found.category), one.df[0]),
        "method": (float(found.method), one.df[1]),
        "category + method": (float(found.both), one.df[2]),
        "category x method": (float(found.cross), one.df[2] + one.df[5]),
    }
    known = [(name, *models[name]) for _, name in one.terms if name in models]
    for name, deviance, df in (("null", null, 0), *known):
        likelihood = deviance / -2.0
        yield (
            one.outcome,
            name,
            n,
            len(one.counts.tasks),
            df,
            deviance,
            1.0 - deviance / null,
            1.0 - (deviance + 2.0 * df) / null,
            criterion_aic(likelihood, df + 1),
            criterion_bic(likelihood, df + 1, n),
        )


def _terms(fitted: Sequence[FittedOutcome], replicates: int, seed: int) -> Table:
    rows = []
    for one in fitted:
        dealt = permutation_p(one.counts, rng=np.random.default_rng(seed), replicates=replicates)
        for at, term in one.terms:
            drop, df = float(one.found.drops[at]), one.df[at]
            per_df = drop / df
            share, test = float(one.found.shares[at]), likelihood_ratio_p(drop, df)
            rows.append((one.outcome, term, df, drop, per_df, share, test, float(dealt[at])))
    return Table(
        name="variance_terms",
        title="What each term adds",
        about=(
            "How far a term lowers the deviance, alone or given the other. The likelihood-ratio"
            " test takes attempts for independent, which attempts at one task are not; the"
            " permutation test deals out categories among whole tasks, methods within each task."
        ),
        columns=columns(
            ("outcome", "outcome"),
            ("term", "term"),
            ("df", "df", "count"),
            ("drop", "deviance drop", "number"),
            ("per_df", "per df", "number"),
            ("explained", "explained", "percent"),
            ("likelihood_ratio_p", "LR test p", "number"),
            ("permutation_p", "permutation p", "number"),
        ),
        rows=tuple(rows),
        notes=(f"{replicates} permutations; the smallest p they can show is 1 / {replicates + 1}.",)
        * bool(rows),
    )


def _intervals(fitted: Sequence[FittedOutcome], replicates: int, seed: int) -> Table:
    rows: list[tuple[Value, ...]] = []
    for one in fitted:
        counts = one.counts.pool_singletons()
        found = spread(counts, rng=np.random.default_rng(seed), replicates=replicates)
        parts = (
            found.raw, found.raw_low, found.raw_high, found.corrected, found.low, found.high,
        )  # fmt: skip
        sizes = (one.counts.n, len(one.counts.tasks))
        for at, term in terms_of(freedoms(counts)):
            rows.append((one.outcome, term, *sizes, *(float(part[at]) for part in parts)))
    return Table(
        name="variance_intervals",
        title="Explained deviance with intervals",
        about=(
            "95 % intervals for tasks like these in the same categories: whole tasks are drawn"
            " again within each category. The raw interval is even more biased than the raw share;"
            " use the corrected one."
        ),
        columns=columns(
            ("outcome", "outcome"),
            ("term", "term"),
            ("n", "attempts", "count"),
            ("tasks", "tasks", "count"),
            ("raw", "raw", "percent"),
            ("raw_low", "raw, from", "percent"),
            ("raw_high", "raw, to", "percent"),
            ("corrected", "corrected", "percent"),
            ("low", "from", "percent"),
            ("high", "to", "percent"),
        ),
        rows=tuple(rows),
        notes=(CORRECTION, *_alone(fitted), f"{replicates} draws of tasks; no interval: too few.")
        * bool(rows),
    )


def _alone(fitted: Sequence[FittedOutcome]) -> tuple[str, ...]:
    """A note on categories of one task."""
    for one in fitted:
        pairs = zip(one.counts.categories, one.counts.sizes, strict=True)
        alone = [name for name, size in pairs if size == 1]
        if len(alone) > 1:
            return (f"Of one task only, and pooled in this table: {', '.join(alone)}.",)
        if alone:
            return (f"Of one task only: {alone[0]}. Its spread is unknown and counts as none.",)
    return ()


def _tabulate_penalised(fitted: Sequence[FittedOutcome]) -> Table:
    rows = []
    for one in fitted:
        found = penalised_deviances(one.counts)
        for at, term in one.terms:
            drop, share = float(found.drops[0, at]), float(found.shares[0, at])
            rows.append((one.outcome, term, one.counts.n, drop, share))
    return Table(
        name="variance_penalised",
        title="Explained deviance of the penalised fit",
        about=(
            "Where a level has no success its coefficient runs off to minus infinity; a penalty"
            " holds it. Deviances are without the penalty, so a penalised fit explains less."
        ),
        columns=columns(
            ("outcome", "outcome"),
            ("term", "term"),
            ("n", "attempts", "count"),
            ("drop", "deviance drop", "number"),
            ("explained", "explained", "percent"),
        ),
        rows=tuple(rows),
        notes=(
            "Maximises log L - 1/2 sum of squared coefficients; a dummy for every level, none"
            " dropped; the intercept is not penalised (scikit-learn's LogisticRegression, C=1).",
        )
        * bool(rows),
    )


def _sensitivity(
    given: Sequence[tuple[str, Counts]], uncertified: Sequence[str], replicates: int, seed: int
) -> list[Table]:
    rows = [
        sensitivity.compare_shares(outcome, name, part, replicates=replicates, seed=seed)
        for outcome, counts in given
        for name, part in sensitivity.variants(counts, uncertified)
    ]
    title = "What the answer depends on"
    return sensitivity.as_tables("variance_sensitivity", title, rows, replicates=replicates)
