"""Keeps a run to one set of timed sizes: speeds at two sets are never pooled."""

from pathlib import Path

from kernelbenchx.catalog.published_sizes import SIZES
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import PUBLISHED, Settings
from kernelbenchx.store.database import Database


def keep_sizes(database: Database, settings: Settings, out: Path | None) -> None:
    """Note the set in a run that takes times; refuse a run that has times of the other set."""
    if settings.stage is not Stage.PERF:
        return
    kept = database.read_note("sizes")
    if kept and kept != settings.sizes:
        raise BadInput(f"the run {out} has times of the {kept} sizes, not {settings.sizes}")
    database.note("sizes", settings.sizes)


def require_sizes(settings: Settings, task: str) -> None:
    """Refuse a task that cannot be timed at the sizes of the run."""
    published = settings.stage is Stage.PERF and settings.sizes == PUBLISHED
    if published and task not in SIZES:
        raise BadInput(
            f"no published sizes are known for {task}: leave it out, or use `sizes='ours'`"
        )
