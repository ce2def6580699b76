"""Where submissions fail: on ordinary calls, or on layouts, dtypes, values and odd sizes."""

from collections.abc import Iterator, Sequence

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import AttemptAnswers, AttemptFrame, Flags, frame_of
from kernelbenchx.analysis.groupings import Grouping, groupings
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters
from kernelbenchx.analysis.table import Interval, Table, Value, columns, format_value
from kernelbenchx.core.scopes import Scope, sum_dtypes

_COLUMNS = (
    *columns(
        ("scope", "scope"),
        ("tasks", "tasks", "count"),
        ("judged", "judged", "count"),
        ("passed", "pass", "count"),
        ("failed", "fail", "count"),
        ("not_judged", "not judged", "count"),
    ),
    *interval("rate", "fail none", "percent"),
)
_ABOUT = (
    "For each scope, the share of submissions that fail none of the cases which ask for that scope "
    "alone, among those judged on such a case. `combined` holds the cases that ask for several. "
    "A submission that was rejected or did not load is not judged here; `rates` counts it as not "
    "core correct. Each task has the same weight, and the intervals are Wilson's with tasks for "
    "draws."
)
_NONE = "No scope was judged: no case was called."

_P = "percent"
_NAMED = 3
"""So many scopes that fail most are named in a sentence."""


def tables(attempts: Sequence[Attempt], frame: AttemptFrame | None = None) -> list[Table]:
    """Passing and failing submissions of each scope by method, category, difficulty, dtype and
    round."""
    every = frame or frame_of(attempts)
    return [_table(one) for one in groupings(every)]


def _table(by: Grouping) -> Table:
    judged = judged_scopes(by.frame)
    said = (findings(by.frame) or (_NONE,)) if by.by == "method" else ()
    return Table(
        name=f"scopes_by_{by.by}",
        title=f"Scopes by {by.by}",
        about=_ABOUT + by.about,
        columns=(*by.columns, *_COLUMNS),
        rows=tuple(_rows(by, judged)),
        notes=(*said, *by.notes),
    )


def judged_scopes(frame: AttemptFrame) -> dict[Scope, AttemptAnswers]:
    """For each scope, the attempts with a case of it and those that fail none of these."""
    judged: dict[Scope, Flags] = {scope: np.zeros(len(frame), bool) for scope in Scope}
    passed: dict[Scope, Flags] = {scope: np.zeros(len(frame), bool) for scope in Scope}
    for row, one in enumerate(frame.attempts):
        for count in sum_dtypes(one.scopes):
            judged[count.scope][row] = True
            passed[count.scope][row] = not count.failed
    return {scope: AttemptAnswers(judged[scope], passed[scope]) for scope in Scope}


def _rows(by: Grouping, judged: dict[Scope, AttemptAnswers]) -> Iterator[tuple[Value, ...]]:
    """A scope that no submission of a group was judged on has a row among the methods only."""
    every = np.bincount(by.groups.codes, minlength=by.count)
    found = {}
    for scope, asked in judged.items():
        there = asked.askable[by.rows]
        clusters = Clusters(by.tasks[there], by.groups.codes[there], by.count)
        hits = asked.yes[by.rows][there]
        found[scope] = clusters.shares(hits), clusters.totals(hits)
    for row, label in enumerate(by.groups.labels):
        for scope, (shares, totals) in found.items():
            n, passed = int(shares.n[row]), int(totals[row])
            if n or (by.by == "method" and scope is not Scope.COMBINED):
                counts = int(shares.tasks[row]), n, passed, n - passed, int(every[row]) - n
                yield (*label, scope.value, *counts, *ends(shares, row))


def findings(frame: AttemptFrame) -> tuple[str, ...]:
    """A sentence for each GPU: how often core is correct, and which scopes fail most."""
    judged, core = judged_scopes(frame), frame.stages["core"]
    said = []
    for code, card in enumerate(frame.card.labels):
        here = frame.card.codes == code
        if not any((asked.askable & here).any() for asked in judged.values()):
            continue
        asked = core.askable & here
        worst = failing_scopes(frame, here)
        named = ", ".join(
            f"{one.value} ({format_value(share, _P)})" for one, share in worst[:_NAMED]
        )
        said.append(
            f"On {card}, {int((core.yes & asked).sum())} of {int(asked.sum())} submissions are "
            "core correct. "
            + (
                f"Other scopes that fail most, as means over tasks: {named}."
                if named
                else "No other scope fails."
            )
        )
    return tuple(said)


def failing_scopes(frame: AttemptFrame, here: Flags) -> list[tuple[Scope, float]]:
    """Scopes beside core that some of these attempts fail, with the share; the worst first."""
    failing = {
        scope: 1 - _share(frame, asked, here).value
        for scope, asked in judged_scopes(frame).items()
        if scope not in (Scope.CORE, Scope.COMBINED) and (asked.askable & here).any()
    }
    worst = sorted((one for one in failing if failing[one]), key=failing.__getitem__)[::-1]
    return [(one, failing[one]) for one in worst]


def _share(frame: AttemptFrame, asked: AttemptAnswers, here: Flags) -> Interval:
    rows = asked.askable & here
    return Clusters(frame.task.codes[rows]).shares(asked.yes[rows]).at(0)
