"""A file per task: what it asks for, and a row for each attempt at it."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Raw
from msgspec.json import encode

from kernelbenchx.core.scopes import sum_dtypes
from kernelbenchx.report.packing import write
from kernelbenchx.report.site_layout import Site, SiteAttempt
from kernelbenchx.store.raw_records import reading

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
    "speed_class",
    "score",
    "digest",
    "core",
    "scopes",
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
        statement = Raw(said.get(task, "null"))
        # Infinities and NaN, which browsers cannot read, become null.
        file = encode({"task": task, "columns": COLUMNS, "rows": rows, "statement": statement})
        write(folder, f"tasks/{number}", file)


def _row(placed: SiteAttempt, methods: dict[str, int]) -> tuple[object, ...]:
    one = placed.attempt
    speed = one.eager
    return (
        placed.address,
        placed.chunk,
        one.submission,
        methods[one.method],
        one.round,
        one.sample,
        one.verdict,
        one.reason,
        one.composition,
        one.provisional,
        one.gpu,
        one.performance,
        one.tier,
        speed.speedup if speed else None,
        speed.low if speed else None,
        speed.high if speed else None,
        speed.speed_class if speed else "",
        one.score,
        one.digest,
        one.core,
        [(count.scope.value, count.passed, count.total) for count in sum_dtypes(one.scopes)],
    )
