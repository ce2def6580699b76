"""Reads what `kbx eval --stage perf` left in a run folder: without a card, without torch."""

import math
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.performance import Failed, Timed, Unmeasured
from kernelbenchx.core.record import from_json
from kernelbenchx.store.layout import RunFolder


@dataclass(frozen=True)
class Run:
    """All evaluations of a run, by name."""

    evaluations: tuple[Evaluation, ...]
    seed: str

    @property
    def witnesses(self) -> tuple[Evaluation, ...]:
        """Those that came as files of their own."""
        return tuple(one for one in self.evaluations if not is_real(one))

    @property
    def real(self) -> tuple[Evaluation, ...]:
        """Those that came out of a data set."""
        return tuple(one for one in self.evaluations if is_real(one))


def read_run(path: Path) -> Run:
    """Everything but the raw samples; nothing is written, also where nothing may be."""
    database = RunFolder.existing(path).database
    # A database whose writer has gone needs no files beside it, which a reader would else make.
    finished = not database.with_name(database.name + "-wal").exists()
    options = "immutable=1" if finished else "mode=ro"
    address = f"file:{quote(str(database.resolve()))}?{options}"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        rows = connection.execute("SELECT record FROM evaluations ORDER BY submission").fetchall()
        seed = connection.execute("SELECT value FROM meta WHERE key = 'seed'").fetchone()
    return Run(tuple(from_json(row[0], Evaluation) for row in rows), str(seed[0]) if seed else "")


def is_real(one: Evaluation) -> bool:
    """Whether a model wrote it for somebody's data set."""
    return one.origin.file.endswith(".jsonl")


def became(one: Evaluation) -> tuple[str, str]:
    """What became of a submission in a word, and why."""
    performance = one.performance
    if isinstance(performance, Timed):
        return performance.tier.value, performance.not_replayed
    if isinstance(performance, Failed | Unmeasured):
        where = f" ({performance.case})" if performance.case else ""
        detail = " ".join(performance.detail.split())[:160]
        return type(performance).__name__.lower(), f"{performance.reason.value}: {detail}{where}"
    outcome = one.outcome
    findings = getattr(outcome, "findings", ())
    if findings:
        return type(outcome).__name__.lower(), ", ".join(sorted({f.rule for f in findings}))
    reason = getattr(outcome, "reason", "")
    detail = " ".join(str(getattr(outcome, "detail", "")).split())[:80]
    return type(outcome).__name__.lower(), f"{reason}: {detail}" if reason else ""


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that at least this share of them does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
