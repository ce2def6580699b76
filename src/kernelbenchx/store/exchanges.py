"""The transcript of a run: every request with its reply, and what they took."""

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from kernelbenchx.analysis.model_request import ModelRequest
from kernelbenchx.core.record import to_json
from kernelbenchx.core.transcript import Exchange, Usage
from kernelbenchx.store.damaged_runs import read_record
from kernelbenchx.store.opening import open_run

_ADD = """
INSERT INTO exchanges (key, created, task, category, method, model, step, finish, prompt_tokens,
                       completion_tokens, cached_tokens, cost, seconds, tries, record)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    created = excluded.created, finish = excluded.finish,
    prompt_tokens = exchanges.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = exchanges.completion_tokens + excluded.completion_tokens,
    cached_tokens = exchanges.cached_tokens + excluded.cached_tokens,
    cost = exchanges.cost + excluded.cost, seconds = excluded.seconds, tries = excluded.tries,
    record = excluded.record
WHERE exchanges.finish = 'error'
"""
_ASKED = """
SELECT key, created, category || '/' || task, method, model, step, finish, prompt_tokens,
       completion_tokens, cached_tokens, cost, seconds, tries
FROM exchanges ORDER BY category, task, created, key
"""
_TOKENS = """
SELECT coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0),
       coalesce(sum(cached_tokens), 0)
FROM (SELECT prompt_tokens, completion_tokens, cached_tokens FROM exchanges
      UNION ALL SELECT prompt_tokens, completion_tokens, 0 FROM pending_requests)
"""

_LOST = """
SELECT coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0) FROM pending_requests
"""


def add_exchange(connection: sqlite3.Connection, exchange: Exchange, method: str) -> bool:
    """The first reply of a key stays; in place of an error, both are counted. Whether it was."""
    reply, usage = exchange.reply, exchange.reply.usage
    row = (
        exchange.key,
        datetime.now(UTC).isoformat(timespec="milliseconds"),
        exchange.task.partition("/")[2],
        exchange.task.partition("/")[0],
        method,
        exchange.request.model,
        exchange.step,
        reply.finish,
        usage.prompt,
        usage.completion,
        usage.cached,
        exchange.cost,
        reply.seconds,
        reply.tries,
        to_json(exchange).decode(),
    )
    return connection.execute(_ADD, row).rowcount > 0


def find_exchange(connection: sqlite3.Connection, key: str) -> Exchange | None:
    """By its key."""
    row = connection.execute("SELECT record FROM exchanges WHERE key = ?", (key,)).fetchone()
    return read_record(row[0], Exchange) if row else None


def tokens_of(connection: sqlite3.Connection) -> Usage:
    """Of all exchanges, and the most that requests without a recorded end can have taken."""
    prompt, completion, cached = connection.execute(_TOKENS).fetchone()
    return Usage(prompt=prompt, completion=completion, cached=cached)


def lost_of(connection: sqlite3.Connection) -> Usage:
    """Of the latter alone."""
    prompt, completion = connection.execute(_LOST).fetchone()
    return Usage(prompt=prompt, completion=completion)


def add_pending(connection: sqlite3.Connection, usage: Usage) -> int:
    """A request that may take so much is about to be sent; a number for it."""
    made = connection.execute(
        "INSERT INTO pending_requests (prompt_tokens, completion_tokens) VALUES (?, ?)",
        (usage.prompt, usage.completion),
    )
    assert made.lastrowid is not None
    return made.lastrowid


def remove_pending(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Remove requests with a known end: they are counted elsewhere, or took nothing."""
    rows = [(number,) for number in numbers]
    connection.executemany("DELETE FROM pending_requests WHERE number = ?", rows)


def read_asked(run: Path) -> list[ModelRequest]:
    """The cost of every exchange, by task and time; empty where no model was asked."""
    with open_run(run) as connection:
        return [ModelRequest(*row) for row in connection.execute(_ASKED)]


def read_lost(run: Path) -> int:
    """The most tokens that requests without a recorded end can have taken."""
    with open_run(run) as connection:
        lost = lost_of(connection)
        return lost.prompt + lost.completion


def each_exchange(run: Path, task: str = "") -> Iterator[Exchange]:
    """Whole exchanges, by task and time; of one task (`category/name`) if asked.

    One by one: a transcript may be larger than memory.
    """
    with open_run(run) as connection:
        category, _, name = task.partition("/")
        where = "WHERE category = ? AND task = ?" if task else ""
        rows = connection.execute(
            f"SELECT record FROM exchanges {where} ORDER BY category, task, created, key",
            (category, name) if task else (),
        )
        for (record,) in rows:
            yield read_record(record, Exchange)


def read_reasoning(connection: sqlite3.Connection) -> dict[str, str]:
    """By model: whether any of its replies holds reasoning, `yes` or `no`."""
    rows = connection.execute(
        "SELECT model, max(coalesce(json_extract(record, '$.reply.reasoning'), '') != '') "
        "FROM exchanges GROUP BY model"
    )
    return {model: "yes" if told else "no" for model, told in rows}
