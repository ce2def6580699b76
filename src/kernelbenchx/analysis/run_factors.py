"""Factors of a kernel's run: the model, whether it reasons, and the choices of its prompt.

Choices are those that differ between runs of one method; such runs are called by them, as in
`one_shot examples=4`. A factor exists where attempts have two or more of its levels.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.claim_choices import chosen_as
from kernelbenchx.analysis.deviance_resampling import REPLICATES, permutation_p
from kernelbenchx.analysis.explained_deviance import deviances_of, freedoms
from kernelbenchx.analysis.published_attempts import RUN as PUBLISHED
from kernelbenchx.analysis.success_counts import Counts, count_successes
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.analysis.variance import can_be_fitted

MODEL, REASONING = "model", "reasoning"
METHOD, METHOD_GIVEN = 1, 4
"""Places in the terms of `explained`: the factor stands where methods stand."""
_NOTHING = "These runs have one model and one prompt for each method, or all attempts end alike."

Level = Callable[[Attempt], str]
"""Of an attempt; empty where it has none."""


def factors_of(attempts: Sequence[Attempt]) -> dict[str, Level]:
    """Model and reasoning first, then choices in order of name."""
    found: dict[str, Level] = {MODEL: lambda one: one.model, REASONING: lambda one: one.reasoning}
    for name in sorted({name for one in attempts for name in choices_of(one)}):
        found[name] = lambda one, name=name: choices_of(one).get(name, "")  # type: ignore[misc]
    asked = [one for one in attempts if one.run != PUBLISHED]
    return {
        name: level
        for name, level in found.items()
        if len({level(one) for one in asked} - {""}) > 1
    }


def choices_of(one: Attempt) -> dict[str, str]:
    """As the name of its method says them."""
    return chosen_as("", one.method, one.model).choices if "=" in one.method else {}


def tables(
    attempts: Sequence[Attempt], *, replicates: int = REPLICATES, seed: int = 0
) -> list[Table]:
    """One row for each factor and outcome."""
    rows = tuple(_rows(attempts, replicates, seed))
    return [
        Table(
            name="variance_factors",
            title="Success explained by model, reasoning and prompt",
            about=(
                "Explained deviance of success by what a kernel was written with, alone and beside "
                "category; p deals the levels out within each task. Each factor is over the "
                "attempts that have a level of it. Factors are not told apart: models that were "
                "run with other methods or prompts carry those differences too."
            ),
            columns=columns(
                ("outcome", "outcome"),
                ("factor", "factor"),
                ("levels", "levels", "count"),
                ("n", "attempts", "count"),
                ("tasks", "tasks", "count"),
                ("df", "df", "count"),
                ("drop", "deviance drop", "number"),
                ("explained", "explained", "percent"),
                ("given_category", "given category", "percent"),
                ("permutation_p", "permutation p", "number"),
            ),
            rows=rows,
            notes=(f"{replicates} permutations.",) if rows else (_NOTHING,),
        )
    ]


def _rows(attempts: Sequence[Attempt], replicates: int, seed: int) -> Iterator[tuple[Value, ...]]:
    for name, level in factors_of(attempts).items():
        own = [one for one in attempts if one.run != PUBLISHED and level(one)]
        for outcome, counts in _outcomes(own, level):
            if can_be_fitted(counts):
                found, df = deviances_of(counts), freedoms(counts)[METHOD]
                p = permutation_p(counts, rng=np.random.default_rng(seed), replicates=replicates)[
                    METHOD
                ]
                sizes = (len(counts.methods), counts.n, len(counts.tasks), df)
                drop, shares = float(found.drops[METHOD]), found.shares
                parts = float(shares[METHOD]), float(shares[METHOD_GIVEN])
                yield outcome, name, *sizes, drop, *parts, float(p)


def _outcomes(own: Sequence[Attempt], level: Level) -> Iterator[tuple[str, Counts]]:
    """As of `variance`, with levels in place of methods."""
    judged = [one for one in own if one.outcome != "reached"]
    called = [one for one in own if one.outcome != "reached" or one.stage != "check"]
    yield "correct", count_successes(judged, lambda one: one.correct, level)
    yield "compile", count_successes(called, lambda one: one.called, level)
