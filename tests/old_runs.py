"""Runs as earlier versions wrote them."""

import sqlite3
from pathlib import Path

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.record import to_json
from kernelbenchx.core.trial import Trial
from kernelbenchx.store.schema import STEPS
from kernelbenchx.store.timings import without_samples
from samples import evaluation, timed

VERSION_1 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sources (digest TEXT PRIMARY KEY, source TEXT NOT NULL);
CREATE TABLE statements (task TEXT PRIMARY KEY, statement TEXT NOT NULL);
CREATE TABLE evaluations (
    key TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    submission TEXT NOT NULL,
    task TEXT NOT NULL,
    category TEXT NOT NULL,
    digest TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    stage TEXT NOT NULL,
    composition TEXT NOT NULL,
    provisional INTEGER NOT NULL,
    device TEXT NOT NULL,
    isolation TEXT NOT NULL,
    seconds REAL NOT NULL,
    record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX evaluations_by_task ON evaluations (task, outcome);
PRAGMA user_version = 1;
"""


def write_version_1(folder: Path, key: str = "k1") -> None:
    """A run without times, with one correct submission called `earlier`."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / "run.sqlite")
    connection.executescript(VERSION_1)
    row = (key, "2026-01-01T00:00:00+00:00", "earlier", "relu", "activation", "d" * 64, "correct",
           "", "exe", "pure", 1, "interpreter", "L3", 0.25,
           to_json(evaluation("earlier")).decode())  # fmt: skip
    connection.execute(f"INSERT INTO evaluations VALUES ({', '.join('?' * len(row))})", row)
    connection.commit()
    connection.close()


OLD_KEYS = {
    "speed_class": "pace",
    "roofline_us": "limit_us",
    "judged_outputs": "judged",
    "waits_for_host": "waits",
    "kernel_shares": "parts",
    "other_processes": "strangers",
    "error_map": "picture",
    "detail": "said",
    "time_limit_s": "wall_s",
}
EARLIER = evaluation("earlier", performance=timed())
"""What `write_version_7` keeps under the key `k1`."""


def write_version_7(folder: Path) -> None:
    """A run with times, feedback, a trial and an open request, all under their old names."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / "run.sqlite")
    for step in STEPS[:7]:
        connection.executescript(step)
    row = {
        "key": "k1", "created": "2026-01-01T00:00:00+00:00", "submission": "earlier",
        "task": "relu", "category": "activation", "digest": EARLIER.digest, "outcome": "correct",
        "reason": "", "stage": "perf", "composition": "pure", "provisional": 0, "device": "cuda",
        "isolation": "L3", "seconds": 0.25, "record": old_record(EARLIER),
        "performance": "timed", "tier": "wall", "speedup": 1.5, "pace": "faster",
        "core_pace": "tie",
    }  # fmt: skip
    _insert(connection, "evaluations", row)
    named = {"key": "k1", "case_name": "n=1", "baseline": "eager", "clock": "call", "tier": "wall"}
    measured = {"pace": "tie", "overhead_bound": 0, "limit_us": 80.0, "judged": 8, "flags": ""}
    _insert(connection, "timings", named | measured)
    _insert(connection, "core_timings", named | measured)
    _insert(connection, "samples", named | {"pair": 0, "block": 1})
    _insert(connection, "under_way", {"prompt_tokens": 5, "completion_tokens": 7})
    kept = {name: row[name] for name in ("key", "created", "submission", "task", "category")}
    told = {"outcome": "correct", "seed": 1, "record": old_record(EARLIER)}
    _insert(connection, "feedback", kept | told)
    trial = _with_old_keys(to_json(Trial(passed=False, detail="no", output='"detail":')).decode())
    made = {name: row[name] for name in ("key", "created", "task", "category")}
    made |= {"method": "m", "step": "s", "passed": 0, "test": "t", "record": trial}
    _insert(connection, "trials", made)
    noted = _with_old_keys('{"evaluation":{"time_limit_s":9.0}}')
    _insert(connection, "meta", {"key": "generation", "value": noted})
    connection.execute("PRAGMA user_version = 7")
    connection.commit()
    connection.close()


def old_record(given: Evaluation) -> str:
    """A record as version 7 wrote it."""
    record = _with_old_keys(to_json(without_samples(given)).decode())
    return record.replace('"gpu":{', '"card":{').replace('"host_timed"', '"wall"')


def _with_old_keys(record: str) -> str:
    for name, old in OLD_KEYS.items():
        record = record.replace(f'"{name}":', f'"{old}":')
    return record


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    places = ", ".join("?" * len(row))
    connection.execute(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", list(row.values())
    )
