"""An evaluation as a row of its table."""

import sqlite3
from datetime import UTC, datetime

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Rejected, Void, Wrong
from kernelbenchx.core.record import to_json
from kernelbenchx.core.rules import Rules
from kernelbenchx.store.damaged_runs import read_record
from kernelbenchx.store.timings import columns_of, weaker_columns_of, without_samples

APPEND = """
INSERT INTO evaluations (key, created, submission, task, category, digest, outcome, reason, stage,
                         composition, provisional, device, isolation, seconds, record,
                         performance, performance_reason, tier, speedup, speedup_low, speedup_high,
                         speed_class, score, basic_correct, core_correct, core_performance,
                         core_performance_reason, core_speedup, core_speedup_low, core_speedup_high,
                         core_speed_class, basic_performance, basic_performance_reason,
                         basic_speedup, basic_speedup_low, basic_speedup_high, basic_speed_class,
                         content_key)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    created = excluded.created, outcome = excluded.outcome, reason = excluded.reason,
    stage = excluded.stage, composition = excluded.composition, seconds = excluded.seconds,
    isolation = excluded.isolation, record = excluded.record,
    performance = excluded.performance, performance_reason = excluded.performance_reason,
    tier = excluded.tier, speedup = excluded.speedup, speedup_low = excluded.speedup_low,
    speedup_high = excluded.speedup_high, speed_class = excluded.speed_class,
    score = excluded.score,
    basic_correct = excluded.basic_correct, core_correct = excluded.core_correct,
    core_performance = excluded.core_performance,
    core_performance_reason = excluded.core_performance_reason,
    core_speedup = excluded.core_speedup, core_speedup_low = excluded.core_speedup_low,
    core_speedup_high = excluded.core_speedup_high, core_speed_class = excluded.core_speed_class,
    basic_performance = excluded.basic_performance,
    basic_performance_reason = excluded.basic_performance_reason,
    basic_speedup = excluded.basic_speedup, basic_speedup_low = excluded.basic_speedup_low,
    basic_speedup_high = excluded.basic_speedup_high,
    basic_speed_class = excluded.basic_speed_class,
    content_key = excluded.content_key
WHERE evaluations.outcome = 'void'
   OR ('unmeasured' IN (evaluations.performance, evaluations.core_performance,
                         evaluations.basic_performance)
       AND excluded.outcome <> 'void')
"""


def row_of(key: str, evaluation: Evaluation, content: str) -> tuple[object, ...]:
    """The values of `APPEND`."""
    outcome = evaluation.outcome
    return (
        key,
        datetime.now(UTC).isoformat(timespec="microseconds"),  # tells which of two is newer
        evaluation.submission,
        evaluation.task.partition("/")[2],
        evaluation.task.partition("/")[0],
        evaluation.digest,
        type(outcome).__name__.lower(),
        reason_of(evaluation),
        evaluation.stage.value,
        evaluation.composition.value,
        int(evaluation.provisional),
        evaluation.device,
        evaluation.isolation.level,
        evaluation.seconds,
        to_json(without_samples(evaluation)).decode(),
        *columns_of(evaluation),
        evaluation.basic_correct,
        evaluation.core_correct,
        *weaker_columns_of(evaluation.core_performance),
        *weaker_columns_of(evaluation.basic_performance),
        content,
    )


def keep_scopes(connection: sqlite3.Connection, key: str, evaluation: Evaluation) -> None:
    """Replace the counts of one evaluation."""
    connection.execute("DELETE FROM scopes WHERE key = ?", (key,))
    connection.executemany(
        "INSERT INTO scopes VALUES (?, ?, ?, ?, ?)",
        [(key, one.scope.value, one.dtype, one.passed, one.total) for one in evaluation.scopes],
    )


def find_rules(connection: sqlite3.Connection, key: str) -> Rules | None:
    """Of one evaluation, if the papers' rules were applied."""
    row = connection.execute(
        "SELECT json_extract(record, '$.rules') FROM evaluations WHERE key = ?", (key,)
    ).fetchone()
    return read_record(row[0], Rules) if row and row[0] else None


def add_rules(connection: sqlite3.Connection, key: str, rules: Rules) -> None:
    """Into the record of one evaluation."""
    connection.execute(
        "UPDATE evaluations SET record = json_set(record, '$.rules', json(?)) WHERE key = ?",
        (to_json(rules).decode(), key),
    )


def reason_of(evaluation: Evaluation) -> str:
    """One word for why an outcome is not correct: a rule's name or a reason."""
    outcome = evaluation.outcome
    if isinstance(outcome, Rejected):
        fatal = [finding.rule for finding in outcome.findings if finding.fatal]
        return fatal[0] if fatal else ""
    if isinstance(outcome, Broken | Wrong | Void):
        return outcome.reason.value
    return ""
