"""Append evaluations, read them back; whatever is killed, what was appended stays."""

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.intake import NotJudged
from kernelbenchx.core.outcome import Broken, Rejected, Void, Wrong
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.transcript import Exchange, Usage
from kernelbenchx.core.trial import Trial
from kernelbenchx.store.exchanges import (
    add_exchange,
    arrived,
    find_exchange,
    lost_of,
    set_out,
    tokens_of,
)
from kernelbenchx.store.feedback import add_feedback, find_feedback
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.schema import prepare
from kernelbenchx.store.timings import (
    columns_of,
    core_columns_of,
    keep_timings,
    restored,
    without_samples,
)
from kernelbenchx.store.trials import KeptTrial, add_trial, find_trial

_APPEND = """
INSERT INTO evaluations (key, created, submission, task, category, digest, outcome, reason, stage,
                         composition, provisional, device, isolation, seconds, record,
                         performance, performance_reason, tier, speedup, speedup_low, speedup_high,
                         speed_class, score, core_correct, core_performance,
                         core_performance_reason, core_speedup, core_speedup_low, core_speedup_high,
                         core_speed_class)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    created = excluded.created, outcome = excluded.outcome, reason = excluded.reason,
    stage = excluded.stage, composition = excluded.composition, seconds = excluded.seconds,
    isolation = excluded.isolation, record = excluded.record,
    performance = excluded.performance, performance_reason = excluded.performance_reason,
    tier = excluded.tier, speedup = excluded.speedup, speedup_low = excluded.speedup_low,
    speedup_high = excluded.speedup_high, speed_class = excluded.speed_class,
    score = excluded.score,
    core_correct = excluded.core_correct, core_performance = excluded.core_performance,
    core_performance_reason = excluded.core_performance_reason,
    core_speedup = excluded.core_speedup, core_speedup_low = excluded.core_speedup_low,
    core_speedup_high = excluded.core_speedup_high, core_speed_class = excluded.core_speed_class
WHERE evaluations.outcome = 'void'
   OR ('unmeasured' IN (evaluations.performance, evaluations.core_performance)
       AND excluded.outcome <> 'void')
"""
_FINISHED = """
SELECT key FROM evaluations
WHERE outcome <> 'void' AND performance <> 'unmeasured'
  AND (core_performance <> 'unmeasured' OR core_performance_reason = 'unsupported')
"""


@dataclass(frozen=True)
class Database:
    """One run, open for writing by this process alone, from any of its threads."""

    connection: sqlite3.Connection
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)
    _sent: dict[tuple[str, str], list[int]] = field(default_factory=dict, repr=False, compare=False)
    """Numbers of this process's tries by task and step, until their exchange is kept."""

    def finished(self) -> set[str]:
        """Keys that need not run again: neither void nor with times that nobody can trust."""
        with self._lock:
            return {key for (key,) in self.connection.execute(_FINISHED)}

    def is_finished(self, key: str) -> bool:
        """Whether this one need not run again."""
        asked = f"{_FINISHED} AND key = ?"
        with self._lock:
            return self.connection.execute(asked, (key,)).fetchone() is not None

    def holds_evaluations(self) -> bool:
        """Whether anything was judged here, void or not."""
        with self._lock:
            return (
                self.connection.execute("SELECT 1 FROM evaluations LIMIT 1").fetchone() is not None
            )

    def holds_times(self) -> bool:
        """Whether times were asked for of anything that was judged here."""
        asked = "SELECT 1 FROM evaluations WHERE performance || core_performance <> '' LIMIT 1"
        with self._lock:
            return self.connection.execute(asked).fetchone() is not None

    def append(self, key: str, evaluation: Evaluation, source: str) -> None:
        """One transaction: after it returns, a power cut does not lose it."""
        with self._lock, self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO sources VALUES (?, ?)", (evaluation.digest, source)
            )
            kept = self.connection.execute(_APPEND, _row(key, evaluation))
            if kept.rowcount:
                keep_timings(self.connection, key, evaluation)
                keep_scopes(self.connection, key, evaluation)

    def keep_statements(self, statements: Iterable[tuple[str, str]]) -> None:
        """What each task said, so that old results stay readable when the catalogue moves on."""
        with self._lock, self.connection:
            self.connection.executemany(
                "INSERT OR REPLACE INTO statements VALUES (?, ?)", list(statements)
            )

    def keep_not_judged(self, sources: Iterable[str], found: Iterable[NotJudged]) -> None:
        """Replace the rows of these sources that were not judged."""
        with self._lock, self.connection:
            self.connection.executemany(
                "DELETE FROM not_judged WHERE source = ?", [(source,) for source in sources]
            )
            self.connection.executemany(
                "INSERT INTO not_judged VALUES (?, ?, ?, ?)",
                [(one.source, one.name, one.why.value, one.detail) for one in found],
            )

    def note(self, key: str, value: str) -> None:
        """A fact about the run."""
        with self._lock, self.connection:
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def noted(self, key: str) -> str:
        """A fact about the run, or nothing."""
        with self._lock:
            row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def read(self, keys: Iterable[str]) -> list[Evaluation]:
        """Evaluations in the order of the keys; unknown keys are left out."""
        found = (self._evaluation(key) for key in keys)
        return [one for one in found if one is not None]

    def _evaluation(self, key: str) -> Evaluation | None:
        with self._lock:
            row = self.connection.execute(
                "SELECT record FROM evaluations WHERE key = ?", (key,)
            ).fetchone()
            if row is None:
                return None
            return restored(self.connection, key, from_json(row[0], Evaluation))

    def feedback(self, key: str) -> Evaluation | None:
        """What a method learned from about the submission of this key, if it looked."""
        with self._lock:
            return find_feedback(self.connection, key)

    def keep_feedback(self, key: str, evaluation: Evaluation) -> None:
        """One transaction; the first stays, since later requests rest on it."""
        with self._lock, self.connection:
            add_feedback(self.connection, key, evaluation)

    def exchange(self, key: str) -> Exchange | None:
        """What was asked and said before, if it was."""
        with self._lock:
            return find_exchange(self.connection, key)

    def keep_exchange(self, exchange: Exchange, method: str) -> None:
        """One transaction; a reply stays as it is, only a failure to get one is overwritten."""
        with self._lock, self.connection:
            if add_exchange(self.connection, exchange, method):
                # Not sooner: what no exchange holds yet would be spent and not counted.
                arrived(self.connection, self._sent.pop((exchange.task, exchange.step), ()))

    def sent(self, usage: Usage, task: str, step: str) -> int:
        """A try that may take so much is about to be made; a number for it.

        It counts as spent until the step's exchange is kept, for ever if this process ends before.
        """
        with self._lock, self.connection:
            number = set_out(self.connection, usage)
            self._sent.setdefault((task, step), []).append(number)
            return number

    def free(self, number: int) -> None:
        """A try that took nothing."""
        with self._lock, self.connection:
            arrived(self.connection, [number])
            for numbers in self._sent.values():  # the number may be given to another
                if number in numbers:
                    numbers.remove(number)

    def spent(self) -> Usage:
        """The tokens of all exchanges, and the most of tries that are in none of them."""
        with self._lock:
            return tokens_of(self.connection)

    def lost(self) -> Usage:
        """The latter alone."""
        with self._lock:
            return lost_of(self.connection)

    def trial(self, key: str) -> Trial | None:
        """What became of a trial before, if it was made."""
        with self._lock:
            return find_trial(self.connection, key)

    def keep_trial(self, kept: KeptTrial) -> None:
        """One transaction; the first stays."""
        with self._lock, self.connection:
            add_trial(self.connection, kept)


@contextmanager
def in_memory() -> Iterator[Database]:
    """A run that leaves nothing on disk."""
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as connection:
        prepare(connection)
        yield Database(connection)


@contextmanager
def writing(folder: RunFolder) -> Iterator[Database]:
    """Open a run for writing, making it if need be; a second writer is refused."""
    try:
        folder.root.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder.lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadInput(f"cannot write the run {folder.root}: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise BadInput(f"the run {folder.root} is being written by another process") from error
    connection = sqlite3.connect(folder.database, check_same_thread=False)
    try:
        _prepared(connection, folder)
        yield Database(connection)
    finally:
        connection.close()
        os.close(lock)


def _prepared(connection: sqlite3.Connection, folder: RunFolder) -> None:
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        prepare(connection, folder.root)
    except sqlite3.OperationalError as error:  # such as a full disk
        raise BadInput(f"cannot write the run {folder.root}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise BadInput(f"{folder.database} is not a run: {error}") from error


def _row(key: str, evaluation: Evaluation) -> tuple[object, ...]:
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
        evaluation.core_correct,
        *core_columns_of(evaluation),
    )


def keep_scopes(connection: sqlite3.Connection, key: str, evaluation: Evaluation) -> None:
    """Replace the counts of one evaluation."""
    connection.execute("DELETE FROM scopes WHERE key = ?", (key,))
    connection.executemany(
        "INSERT INTO scopes VALUES (?, ?, ?, ?)",
        [(key, one.scope.value, one.passed, one.total) for one in evaluation.scopes],
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
