"""A file per task: what it asks for, and a row for each attempt at it."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

from kernelbenchx.report.packing import write
from kernelbenchx.report.placing import Placed, Site
from kernelbenchx.store.raw import reading

COLUMNS = (
    "id",
    "chunk",
    "submission",
    "method",
    "round",
    "sample",
    "outcome",
    "reason",
    "composition",
    "provisional",
    "gpu",
    "performance",
    "tier",
    "speedup",
    "low",
    "high",
    "pace",
    "score",
    "digest",
)


def statements(paths: Sequence[Path]) -> dict[str, str]:
    """What each task said, as JSON; a later run's words count."""
    said: dict[str, str] = {}
    for path in paths:
        with reading(path) as run:
            said |= run.statements()
    return said


def write_tasks(folder: Path, site: Site, said: dict[str, str]) -> None:
    """A file per task: its statement and a row per attempt."""
    methods = {name: at for at, name in enumerate(site.methods)}
    for number, task in enumerate(site.tasks):
        rows = [_row(one, methods) for one in site.by_task[task]]
        head = json.dumps({"task": task, "columns": COLUMNS, "rows": rows}, allow_nan=False)
        text = f'{head[:-1]},"statement":{said.get(task, "null")}}}'
        write(folder, f"tasks/{number}", text.encode("utf-8", "replace"))


def _row(placed: Placed, methods: dict[str, int]) -> list[str | int | float | bool | None]:
    one = placed.attempt
    speed = one.eager
    return [
        placed.address,
        placed.chunk,
        one.submission,
        methods[one.method],
        one.round,
        one.sample,
        one.outcome,
        one.reason,
        one.composition,
        one.provisional,
        one.gpu,
        one.performance,
        one.tier,
        _finite(speed.speedup if speed else None),
        _finite(speed.low if speed else None),
        _finite(speed.high if speed else None),
        speed.pace if speed else "",
        _finite(one.score),
        one.digest,
    ]


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
