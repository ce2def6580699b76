"""The paper's headline result as printed, then what its words and its counts mean."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import shares, wilson
from kernelbenchx.analysis.published_attempts import attempts, count_of, successes
from kernelbenchx.analysis.published_data import (
    CORRECT_DEVIANCE,
    FUSION_FAILING_EVERYWHERE,
    METHODS,
    NEAR_ZERO,
    SOLVED_CONSISTENTLY,
    TABLE_3,
    TASKS,
)
from kernelbenchx.analysis.published_models import FOUR, PENALISED, fits, is_correct, share_pair
from kernelbenchx.analysis.sensitivity import ahead_of
from kernelbenchx.analysis.table import Table, Value, columns

FUSION = "Fusion"


def headline() -> Table:
    """Category and method, with the paper's four methods and with all five."""
    four, five = f"{len(FOUR)} methods", f"{len(METHODS)} methods"
    printed = (CORRECT_DEVIANCE.category / 100.0, CORRECT_DEVIANCE.method / 100.0)
    rows: list[tuple[Value, ...]] = [(four, "as printed", None, *printed, ahead_of(printed))]
    for named, left_out in ((four, (NEAR_ZERO,)), (five, ())):
        counts = successes(is_correct, without=left_out)
        for model, found in fits(counts):
            pair = share_pair(found)
            said = "the paper's model, penalised" if model == PENALISED else "without penalty"
            rows.append((named, said, counts.n, *pair, ahead_of(pair)))
    return Table(
        name="published_headline",
        title="The paper's headline: is it the task or the method?",
        about=(
            "Explained deviance of correctness by category and by method. With the paper's four"
            " methods category is ahead; with the fifth, which has no correct kernel, method is."
        ),
        columns=columns(
            ("methods", "methods"),
            ("model", "model"),
            ("n", "attempts", "count"),
            ("category", "category", "percent"),
            ("method", "method", "percent"),
            ("ahead", "ahead"),
        ),
        rows=tuple(rows),
        notes=(
            f"The fifth method has two names: {NEAR_ZERO} in the tables, DeepSeek-Coder in the"
            " text. Which of them was run is not known.",
            "Intervals by task are in `kbx analyze variance published`: they depend on which tasks"
            " a method solved, which is not published.",
        ),
    )


def wording() -> Table:
    """What shares of Fusion and Math stand for."""
    return Table(
        name="published_wording",
        title="What the paper's words about Fusion and Math stand for",
        about=(
            "Solved by at least one method is a share of tasks; a mean rate is a share of attempts."
            " Intervals are Wilson's with tasks as draws, for means as if all methods solved the"
            " same tasks, which makes them widest."
        ),
        columns=(
            *columns(("category", "category"), ("said", "the paper says"), ("share", "share of")),
            *columns(("hits", "of them", "count"), ("n", "n", "count")),
            *interval("value", "value", "percent"),
        ),
        rows=tuple(_wording_rows()),
        notes=("Of the joint outcomes only the 72 % are published: 43 of 60 tasks.",),
    )


def _wording_rows() -> Iterator[tuple[Value, ...]]:
    n = TASKS[FUSION]
    failing = round(FUSION_FAILING_EVERYWHERE * n / 100.0)
    for said, share, hits in (
        ("72 % fail everywhere", "tasks that no method solves", failing),
        ("28 % are solved", "tasks that at least one method solves", n - failing),
    ):
        found = wilson(hits, n)
        yield (FUSION, said, share, hits, n, found.value, found.low, found.high)
    for methods in (FOUR, METHODS):
        yield (FUSION, "", *_mean(FUSION, methods))
    rates = TABLE_3[SOLVED_CONSISTENTLY][: len(FOUR)]
    for word, rate in (("least", min(rates)), ("most", max(rates))):
        tasks = TASKS[SOLVED_CONSISTENTLY]
        found = wilson(count_of(rate, tasks), tasks)
        share = f"tasks that the {word} successful of {len(FOUR)} methods solves"
        hits = count_of(rate, tasks)
        ends_of = (found.value, found.low, found.high)
        yield (SOLVED_CONSISTENTLY, "solved consistently", share, hits, tasks, *ends_of)
    for methods in (FOUR, METHODS):
        yield (SOLVED_CONSISTENTLY, "solved consistently", *_mean(SOLVED_CONSISTENTLY, methods))


def _mean(category: str, methods: Sequence[str]) -> tuple[Value, ...]:
    """Over attempts of these methods."""
    own = [one for one in attempts() if one.category == category and one.method in methods]
    tasks = np.unique([one.task for one in own], return_inverse=True)[1]
    hits = [one.correct for one in own]
    share = f"attempts of {len(methods)} methods, the mean rate"
    return (share, sum(hits), len(own), *ends(shares(hits, tasks), 0))
