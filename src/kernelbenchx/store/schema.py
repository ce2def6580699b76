"""The tables of a run."""

import sqlite3

from kernelbenchx.core.errors import BadInput

VERSION = 1
"""Of these tables. A run of another version is refused."""

_DERIVED = """
    scale TEXT GENERATED ALWAYS AS (
        CASE WHEN outcome <> 'correct' THEN '' WHEN performance = 'failed' THEN 'failed'
             WHEN performance = 'timed' THEN 'passed' ELSE 'not_judged' END) VIRTUAL,
    solved INTEGER GENERATED ALWAYS AS (
        outcome = 'correct' AND performance <> 'failed') VIRTUAL,
    weights TEXT GENERATED ALWAYS AS (coalesce(json_extract(record, '$.weights'), '')) VIRTUAL,
    node TEXT GENERATED ALWAYS AS (coalesce(json_extract(record, '$.placement.node'), '')) VIRTUAL,
    node_gpu TEXT GENERATED ALWAYS AS (
        coalesce(json_extract(record, '$.placement.gpu'), '')) VIRTUAL,
    node_attempt INTEGER GENERATED ALWAYS AS (
        coalesce(json_extract(record, '$.placement.attempt'), 0)) VIRTUAL,
    paper_called INTEGER GENERATED ALWAYS AS (
        json_extract(record, '$.rules.kernelbenchx.called')) VIRTUAL,
    paper_correct INTEGER GENERATED ALWAYS AS (
        coalesce(json_extract(record, '$.rules.kernelbenchx.correct'),
                 json_extract(record, '$.rules.kernelbench.passes_1e_2'))) VIRTUAL
"""
"""Columns of evaluations that follow from others, so that no row can contradict itself."""

_TIMING_COLUMNS = """
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
    speed_class TEXT NOT NULL,
    overhead_bound INTEGER NOT NULL,
    gb_per_s REAL,
    tflops REAL,
    iou REAL,
    mfu REAL,
    score REAL,
    score_spec REAL,
    roofline_us REAL,
    judged_outputs INTEGER NOT NULL,
    flags TEXT NOT NULL
"""

_EVALUATIONS = f"""
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
    record TEXT NOT NULL,
    performance TEXT NOT NULL,
    performance_reason TEXT NOT NULL,
    tier TEXT NOT NULL,
    speedup REAL,
    speedup_low REAL,
    speedup_high REAL,
    speed_class TEXT NOT NULL,
    score REAL,
    basic_correct INTEGER,
    core_correct INTEGER,
    core_performance TEXT NOT NULL,
    core_performance_reason TEXT NOT NULL,
    core_speedup REAL,
    core_speedup_low REAL,
    core_speedup_high REAL,
    core_speed_class TEXT NOT NULL,
    basic_performance TEXT NOT NULL,
    basic_performance_reason TEXT NOT NULL,
    basic_speedup REAL,
    basic_speedup_low REAL,
    basic_speedup_high REAL,
    basic_speed_class TEXT NOT NULL,
    content_key TEXT NOT NULL,
{_DERIVED.strip(chr(10))}
) WITHOUT ROWID;
CREATE INDEX evaluations_by_task ON evaluations (task, outcome);
CREATE INDEX evaluations_by_content ON evaluations (content_key);
CREATE TABLE scopes (
    key TEXT NOT NULL,
    scope TEXT NOT NULL,
    dtype TEXT NOT NULL,
    passed INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (key, scope, dtype)
) WITHOUT ROWID;
CREATE TABLE feedback (
    key TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    submission TEXT NOT NULL,
    task TEXT NOT NULL,
    category TEXT NOT NULL,
    outcome TEXT NOT NULL,
    basic_correct INTEGER,
    core_correct INTEGER,
    seed INTEGER NOT NULL,
    record TEXT NOT NULL
) WITHOUT ROWID;
"""

_TIMES = f"""
CREATE TABLE timings ({_TIMING_COLUMNS});
CREATE INDEX timings_by_key ON timings (key);
CREATE TABLE core_timings ({_TIMING_COLUMNS});
CREATE INDEX core_timings_by_key ON core_timings (key);
CREATE TABLE basic_timings ({_TIMING_COLUMNS});
CREATE INDEX basic_timings_by_key ON basic_timings (key);
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
"""Times of submissions that are core correct and not correct lie in `core_timings`, those of
submissions that are basic and not core correct in `basic_timings`: no query adds them up with
others."""

_SOURCES = """
CREATE TABLE sources (digest TEXT PRIMARY KEY, source TEXT NOT NULL);
CREATE TABLE statements (task TEXT PRIMARY KEY, statement TEXT NOT NULL);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE not_judged (
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    why TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX not_judged_by_source ON not_judged (source);
"""

_TRANSCRIPT = """
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
CREATE TABLE pending_requests (
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

TABLES = (
    "evaluations",
    "timings",
    "core_timings",
    "basic_timings",
    "samples",
    "sources",
    "statements",
    "meta",
    "exchanges",
    "trials",
    "pending_requests",
    "not_judged",
    "scopes",
    "feedback",
)


def prepare(connection: sqlite3.Connection, run: object = "the run") -> None:
    """Create the tables of a new run; a run of another version is refused."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        tables = _EVALUATIONS + _TIMES + _SOURCES + _TRANSCRIPT
        connection.executescript(f"BEGIN;{tables}PRAGMA user_version = {VERSION};COMMIT;")
    else:
        refuse_other_schema(connection, run)


def refuse_other_schema(
    connection: sqlite3.Connection, run: object, database: str = "main"
) -> None:
    """One line, the same everywhere, for a run with tables of another version."""
    (version,) = connection.execute(f"PRAGMA {database}.user_version").fetchone()
    if version == 0:
        raise BadInput(f"{run} is not a run: it has none of its tables")
    if version != VERSION:
        raise BadInput(f"{run} has schema {version}; this kbx reads only schema {VERSION}")
