"""The tables of a run, and how an older run is brought up to date."""

import sqlite3

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store import renames

OUTCOMES = """
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
"""

TIMING_COLUMNS = """\
    key TEXT NOT NULL,
    case_name TEXT NOT NULL,
    baseline TEXT NOT NULL,
    clock TEXT NOT NULL,
    tier TEXT NOT NULL,
    candidate_us REAL,
    baseline_us REAL,
    speedup REAL,
    speedup_low REAL,
    speedup_high REAL,
    pace TEXT NOT NULL,
    overhead_bound INTEGER NOT NULL,
    gb_per_s REAL,
    tflops REAL,
    iou REAL,
    mfu REAL,
    score REAL,
    score_spec REAL,
    limit_us REAL,
    judged INTEGER NOT NULL,
    flags TEXT NOT NULL
"""

TIMES = f"""
ALTER TABLE evaluations ADD COLUMN performance TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluations ADD COLUMN performance_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluations ADD COLUMN tier TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluations ADD COLUMN speedup REAL;
ALTER TABLE evaluations ADD COLUMN speedup_low REAL;
ALTER TABLE evaluations ADD COLUMN speedup_high REAL;
ALTER TABLE evaluations ADD COLUMN pace TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluations ADD COLUMN score REAL;
CREATE TABLE timings (
{TIMING_COLUMNS});
CREATE INDEX timings_by_key ON timings (key);
CREATE TABLE samples (
    key TEXT NOT NULL,
    case_name TEXT NOT NULL,
    baseline TEXT NOT NULL,
    clock TEXT NOT NULL,
    tier TEXT NOT NULL,
    pair INTEGER NOT NULL,
    block INTEGER NOT NULL,
    candidate_us REAL,
    baseline_us REAL
);
CREATE INDEX samples_by_key ON samples (key);
"""

TRANSCRIPT = """
CREATE TABLE exchanges (
    key TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    task TEXT NOT NULL,
    category TEXT NOT NULL,
    method TEXT NOT NULL,
    model TEXT NOT NULL,
    step TEXT NOT NULL,
    finish TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    cost REAL,
    seconds REAL NOT NULL,
    tries INTEGER NOT NULL,
    record TEXT NOT NULL
);
CREATE INDEX exchanges_by_task ON exchanges (category, task);
CREATE TABLE under_way (
    number INTEGER PRIMARY KEY,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL
);
CREATE TABLE trials (
    key TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    task TEXT NOT NULL,
    category TEXT NOT NULL,
    method TEXT NOT NULL,
    step TEXT NOT NULL,
    passed INTEGER NOT NULL,
    test TEXT NOT NULL,
    record TEXT NOT NULL
);
"""

DERIVED = {
    "scale": """
        CASE WHEN outcome <> 'correct' THEN '' WHEN performance = 'failed' THEN 'failed'
             WHEN performance = 'timed' THEN 'passed' ELSE 'not_judged' END
    """,
    "solved": "outcome = 'correct' AND performance <> 'failed'",
    "weights": "coalesce(json_extract(record, '$.weights'), '')",
    "node": "coalesce(json_extract(record, '$.placement.node'), '')",
    "node_gpu": "coalesce(json_extract(record, '$.placement.gpu'), '')",
    "node_attempt": "coalesce(json_extract(record, '$.placement.attempt'), 0)",
}
"""Columns of evaluations that follow from others, so that no row can contradict itself."""

SCALE = f"""
ALTER TABLE evaluations ADD COLUMN scale TEXT GENERATED ALWAYS AS ({DERIVED["scale"]}) VIRTUAL;
ALTER TABLE evaluations ADD COLUMN solved INTEGER GENERATED ALWAYS AS ({DERIVED["solved"]}) VIRTUAL;
CREATE TABLE not_judged (
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    why TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX not_judged_by_source ON not_judged (source);
"""

SCOPES = """
ALTER TABLE evaluations ADD COLUMN core_correct INTEGER;
CREATE TABLE scopes (
    key TEXT NOT NULL,
    scope TEXT NOT NULL,
    passed INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (key, scope)
) WITHOUT ROWID;
"""

CORE_TIMES = f"""
ALTER TABLE evaluations ADD COLUMN core_performance TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluations ADD COLUMN core_performance_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE evaluations ADD COLUMN core_speedup REAL;
ALTER TABLE evaluations ADD COLUMN core_speedup_low REAL;
ALTER TABLE evaluations ADD COLUMN core_speedup_high REAL;
ALTER TABLE evaluations ADD COLUMN core_pace TEXT NOT NULL DEFAULT '';
CREATE TABLE core_timings (
{TIMING_COLUMNS});
CREATE INDEX core_timings_by_key ON core_timings (key);
"""
"""Of submissions that are core correct and not correct: apart, so that no query adds them up with
those of correct ones."""

FEEDBACK = """
CREATE TABLE feedback (
    key TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    submission TEXT NOT NULL,
    task TEXT NOT NULL,
    category TEXT NOT NULL,
    outcome TEXT NOT NULL,
    core_correct INTEGER,
    seed INTEGER NOT NULL,
    record TEXT NOT NULL
) WITHOUT ROWID;
"""

WEIGHTS = f"""
ALTER TABLE evaluations ADD COLUMN weights TEXT GENERATED ALWAYS AS ({DERIVED["weights"]}) VIRTUAL;
"""

SAME_CONTENT = """
ALTER TABLE evaluations ADD COLUMN content_key TEXT NOT NULL DEFAULT '';
CREATE INDEX evaluations_by_content ON evaluations (content_key);
"""
"""Rows with one content key were judged once. Earlier every row was judged for itself."""

NODES = f"""
ALTER TABLE evaluations ADD COLUMN node TEXT GENERATED ALWAYS AS ({DERIVED["node"]}) VIRTUAL;
ALTER TABLE evaluations ADD COLUMN node_gpu TEXT
    GENERATED ALWAYS AS ({DERIVED["node_gpu"]}) VIRTUAL;
ALTER TABLE evaluations ADD COLUMN node_attempt INTEGER
    GENERATED ALWAYS AS ({DERIVED["node_attempt"]}) VIRTUAL;
"""

STEPS = (
    *(OUTCOMES, TIMES, TRANSCRIPT, SCALE, SCOPES, CORE_TIMES, FEEDBACK, renames.MIGRATION),
    *(WEIGHTS, SAME_CONTENT, NODES),
)
"""From version n to n + 1; only ever appended to. A new run takes all of them."""

VERSION = len(STEPS)


def prepare(connection: sqlite3.Connection, run: object = "the run") -> None:
    """Create the tables, or migrate them; a run of a newer version is refused."""
    version = refuse_newer(connection, run)
    for step in range(version, VERSION):
        connection.executescript(f"BEGIN;{STEPS[step]}PRAGMA user_version = {step + 1};COMMIT;")


def refuse_newer(connection: sqlite3.Connection, run: object, schema: str = "main") -> int:
    """The version of a run's tables; one line, the same everywhere, if this program is older."""
    (version,) = connection.execute(f"PRAGMA {schema}.user_version").fetchone()
    if version > VERSION:
        raise BadInput(
            f"{run} has schema {version}, this kbx reads up to {VERSION}: install a newer kbx"
        )
    return int(version)
