"""Packs the witnesses of a run on a card, so that its report can be made without one.

    kbx eval src/kernelbenchx/witnesses --out runs/h200     (on a machine with a GPU)
    python scripts/example_run.py runs/h200 examples/runs/h200_witnesses.sqlite.gz

Only kernels that are the witnesses of their tasks as they stand now and were timed are kept; the
name of their method becomes `witness`, and the serial number of the card is left out.
"""

import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import msgspec

from kernelbenchx import Evaluation, task
from kernelbenchx.core.performance import Timed
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.packed_run import DATABASE, pack

METHOD = "witness"


def main(run: Path, packed: Path) -> None:
    """Works on a copy: the run stays as it is."""
    packed.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / DATABASE
        shutil.copyfile(RunFolder.existing(run).database, database)
        with closing(sqlite3.connect(database)) as connection, connection:
            kept, left = _thinned(connection)
        pack(database, packed)
    size = packed.stat().st_size
    print(f"{kept} witnesses kept, {left} other evaluations left out, {size / 1e3:.0f} kB")


def _thinned(connection: sqlite3.Connection) -> tuple[int, int]:
    rows = connection.execute(
        "SELECT key, record, source FROM evaluations JOIN sources USING (digest)"
    )
    own: list[tuple[str, Evaluation]] = []
    others: list[tuple[str, Evaluation]] = []
    for key, record, source in rows.fetchall():
        one = from_json(record, Evaluation)
        kept = source == task(one.task).witness and isinstance(one.performance, Timed)
        (own if kept else others).append((key, one))
    for key, one in own:
        connection.execute("UPDATE evaluations SET record = ? WHERE key = ?", (_named(one), key))
    for table in ("evaluations", "timings", "samples"):
        connection.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key, _ in others])
    connection.execute("DELETE FROM sources WHERE digest NOT IN (SELECT digest FROM evaluations)")
    return len(own), len(others)


def _named(one: Evaluation) -> str:
    origin = msgspec.structs.replace(one.origin, method=METHOD)
    performance = one.performance
    if isinstance(performance, Timed):
        gpu = msgspec.structs.replace(performance.gpu, uuid="")
        performance = msgspec.structs.replace(performance, gpu=gpu)
    return to_json(msgspec.structs.replace(one, origin=origin, performance=performance)).decode()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
