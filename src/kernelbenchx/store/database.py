"""Append evaluations and read them back; a killed process loses nothing that was appended."""

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.not_judged import NotJudged
from kernelbenchx.core.rules import Rules
from kernelbenchx.core.transcript import Exchange, Usage
from kernelbenchx.core.trial import Trial
from kernelbenchx.store.damaged_runs import RunLock, read_record
from kernelbenchx.store.evaluation_rows import (
    APPEND,
    add_rules,
    find_rules,
    keep_scopes,
    row_of,
)
from kernelbenchx.store.exchanges import (
    add_exchange,
    add_pending,
    find_exchange,
    lost_of,
    remove_pending,
    tokens_of,
)
from kernelbenchx.store.feedback import add_feedback, find_feedback, find_feedback_on
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.schema import prepare
from kernelbenchx.store.timings import keep_timings, restore_samples
from kernelbenchx.store.trials import KeptTrial, add_trial, find_trial

_FINISHED = """
SELECT key FROM evaluations
WHERE outcome <> 'void' AND performance <> 'unmeasured'
  AND (core_performance <> 'unmeasured' OR core_performance_reason = 'unsupported')
  AND (basic_performance <> 'unmeasured' OR basic_performance_reason = 'unsupported')
"""


_KILLED_S = 2.0


@dataclass(frozen=True)
class Database:
    """One run, open for writing by this process alone, from any of its threads."""

    connection: sqlite3.Connection
    _lock: RunLock = field(repr=False, compare=False)
    _sent: dict[tuple[str, str], list[int]] = field(default_factory=dict, repr=False, compare=False)
    """Numbers of this process's tries by task and step, until their exchange is kept."""

    def is_finished(self, key: str) -> bool:
        """Whether it need not run again: neither void nor with times that cannot be trusted."""
        asked = f"{_FINISHED} AND key = ?"
        with self._lock:
            return self.connection.execute(asked, (key,)).fetchone() is not None

    def holds_evaluations(self) -> bool:
        """Whether anything was judged here, void or not."""
        with self._lock:
            return (
                self.connection.execute("SELECT 1 FROM evaluations LIMIT 1").fetchone() is not None
            )

    def append(
        self, key: str, evaluation: Evaluation, source: str, *, content_key: str = ""
    ) -> None:
        """One transaction: after it returns, a power cut does not lose it.

        `content_key` says what was judged, whatever it is called; `key` names the row.
        """
        with self._lock, self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO sources VALUES (?, ?)", (evaluation.digest, source)
            )
            kept = self.connection.execute(APPEND, row_of(key, evaluation, content_key))
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

    def read_note(self, key: str) -> str:
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
            return restore_samples(self.connection, key, read_record(row[0], Evaluation))

    def judged_before(self, content_key: str) -> Evaluation | None:
        """A finished evaluation of this content, under whatever name, without its samples."""
        asked = _FINISHED.replace("key", "record", 1) + " AND content_key = ? LIMIT 1"
        with self._lock:
            row = self.connection.execute(asked, (content_key,)).fetchone()
        return read_record(row[0], Evaluation) if row else None

    def rules(self, key: str) -> Rules | None:
        """What the papers' rules say of the submission of a row, if they were applied."""
        with self._lock:
            return find_rules(self.connection, key)

    def keep_rules(self, key: str, rules: Rules) -> None:
        """Write them into the record of a row; nothing else of it changes."""
        with self._lock, self.connection:
            add_rules(self.connection, key, rules)

    def feedback(self, key: str) -> Evaluation | None:
        """What a method learned from about the submission of this key, if it looked."""
        with self._lock:
            return find_feedback(self.connection, key)

    def feedback_on(self, content_key: str) -> Evaluation | None:
        """The same about any submission of this content."""
        with self._lock:
            return find_feedback_on(self.connection, content_key)

    def keep_feedback(self, key: str, evaluation: Evaluation) -> None:
        """One transaction; the first stays, since later requests rest on it."""
        with self._lock, self.connection:
            add_feedback(self.connection, key, evaluation)

    def exchange(self, key: str) -> Exchange | None:
        """The stored exchange, if it was made."""
        with self._lock:
            return find_exchange(self.connection, key)

    def keep_exchange(self, exchange: Exchange, method: str) -> None:
        """One transaction; a reply stays as it is, only a failure to get one is overwritten."""
        with self._lock, self.connection:
            if add_exchange(self.connection, exchange, method):
                # Not sooner: what no exchange holds yet would be spent and not counted.
                remove_pending(self.connection, self._sent.pop((exchange.task, exchange.step), ()))

    def record_send(self, usage: Usage, task: str, step: str) -> int:
        """A try that may take so much is about to be made; a number for it.

        It counts as spent until the step's exchange is kept, for ever if this process ends before.
        """
        with self._lock, self.connection:
            number = add_pending(self.connection, usage)
            self._sent.setdefault((task, step), []).append(number)
            return number

    def free(self, number: int) -> None:
        """A try that took nothing."""
        with self._lock, self.connection:
            remove_pending(self.connection, [number])
            for numbers in self._sent.values():  # the number may be given to another
                if number in numbers:
                    numbers.remove(number)

    def sum_usage(self) -> Usage:
        """The tokens of all exchanges, and the most of tries that are in none of them."""
        with self._lock:
            return tokens_of(self.connection)

    def sum_lost_usage(self) -> Usage:
        """The latter alone."""
        with self._lock:
            return lost_of(self.connection)

    def trial(self, key: str) -> Trial | None:
        """The stored result of a trial, if it was made."""
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
        yield Database(connection, RunLock(Path(":memory:")))


@contextmanager
def writing(folder: RunFolder) -> Iterator[Database]:
    """Open a run for writing, making it if need be; a second writer is refused."""
    try:
        folder.root.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder.lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadInput(f"cannot write the run {folder.root}: {error.strerror}") from error
    if not _take(lock):
        os.close(lock)
        raise BadInput(f"the run {folder.root} is being written by another process")
    connection = sqlite3.connect(folder.database, check_same_thread=False)
    try:
        _prepare_connection(connection, folder)
        yield Database(connection, RunLock(folder.database))
    finally:
        connection.close()
        os.close(lock)


def _take(lock: int) -> bool:
    """Take the lock; a process that was killed holds it for another moment."""
    deadline = time.monotonic() + _KILLED_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        else:
            return True


def _prepare_connection(connection: sqlite3.Connection, folder: RunFolder) -> None:
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        prepare(connection, folder.root)
    except sqlite3.OperationalError as error:  # such as a full disk
        raise BadInput(f"cannot write the run {folder.root}: {error}") from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise BadInput(f"{folder.database} is not a run: {error}") from error
