"""The seed of a run, which decides all of its inputs."""

from pathlib import Path

from kernelbenchx.core import seeds
from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.database import Database


def keep_seed(database: Database, wanted: int | None, out: Path | None) -> int:
    """Draw it once: a resumed run has the inputs that it began with."""
    kept = database.read_note("seed")
    if kept and not kept.isdecimal():
        raise BadInput(f"the run {out} is damaged: its seed is {kept!r}")
    if kept and wanted and int(kept) != wanted:
        raise BadInput(
            f"the run {out} was started with seed {kept}, not {wanted}: leave `seed` out to go on "
            "with it, or choose another folder with `out`"
        )
    seed = int(kept) if kept else wanted or seeds.draw_seed()
    database.note("seed", str(seed))
    return seed
