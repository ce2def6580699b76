"""The data that every view needs: runs, tasks, the grid and the list of pages."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from kernelbenchx import __version__
from kernelbenchx.analysis.apply_standard import standard_notes
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.scopes import findings
from kernelbenchx.analysis.table import Table, Value
from kernelbenchx.core.standards import Standard
from kernelbenchx.report.grid import cells, gpus
from kernelbenchx.report.site_layout import Site


def index(
    about: Sequence[Table],
    attempts: Sequence[Attempt],
    site: Site,
    pages: Collection[str],
    standard: Standard = Standard.STRICT,
) -> dict[str, Any]:
    """The document that is loaded with the app; `about` says where its numbers come from."""
    return {
        "version": __version__,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "published": False,
        "study": len({one.run for one in attempts}) > 1,
        "about": [plain(one) for one in about],
        "outcomes": dict(Counter(one.verdict for one in attempts if not one.unsound)),
        "methods": site.methods,
        "gpus": gpus(site),
        "categories": sorted({one.category for one in attempts}),
        "tasks": [_task(site.by_task[name][0].attempt) for name in site.tasks],
        "cells": cells(site),
        "pages": sorted(pages),
        "scopes": findings(site.frame.last),
        "standard": " ".join(standard_notes(standard)).replace("`", ""),
    }


def plain(table: Table) -> dict[str, Any]:
    """A table with rows as lists, which repeat no keys."""
    rows = [[finite(value) for value in row] for row in table.rows]
    return table.to_plain() | {"rows": rows}


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
        "grade": one.grade,
    }
