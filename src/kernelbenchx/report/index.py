"""What every view needs at once: what was run, the tasks, the grid and which pages there are."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kernelbenchx import __version__
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.scopes import findings
from kernelbenchx.analysis.table import Table, Value
from kernelbenchx.report import trust
from kernelbenchx.report.grid import cards, cells
from kernelbenchx.report.placing import Site
from kernelbenchx.store.attempts import Ground

_SITE_KEYS = {"gpu": "card"}
"""Keys of columns, and what the site calls them."""
_KEPT = ("hardware_slower", "machines")
"""Tables whose columns the site knows by their own keys."""


def index(
    runs: Sequence[Path],
    grounds: Mapping[Ground, int],
    attempts: Sequence[Attempt],
    site: Site,
    pages: Collection[str],
) -> dict[str, Any]:
    """The document that is loaded with the app."""
    return {
        "version": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "runs": plain(trust.runs(runs)),
        "trust": [plain(one) for one in trust.tables(grounds, attempts)],
        "outcomes": dict(Counter(one.verdict for one in attempts)),
        "methods": site.methods,
        "cards": cards(site),
        "categories": sorted({one.category for one in attempts}),
        "tasks": [_task(site.by_task[name][0].attempt) for name in site.tasks],
        "cells": cells(site),
        "pages": sorted(pages),
        "scopes": findings(site.frame.last),
    }


def plain(table: Table) -> dict[str, Any]:
    """A table with rows as lists, which repeat no keys."""
    rows = [[finite(value) for value in row] for row in table.rows]
    made = table.to_plain()
    named = [one | {"key": _SITE_KEYS.get(one["key"], one["key"])} for one in made["columns"]]
    return made | {"rows": rows} | ({} if table.name in _KEPT else {"columns": named})


def finite(value: Value) -> Value:
    """Browsers read no infinities."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _task(one: Attempt) -> dict[str, Any]:
    return {
        "task": one.task,
        "category": one.category,
        "difficulty": one.difficulty,
        "dtypes": one.dtypes,
        "certified": one.certified,
    }
