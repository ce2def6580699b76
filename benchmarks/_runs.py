"""Reads what `kbx eval --stage perf` left in a run folder: without a card, without torch."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kernelbenchx import Evaluation, load_run
from kernelbenchx.core.performance import Failed, Timed, Unmeasured


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
    """Everything but the raw samples."""
    run = load_run(path)
    evaluations = sorted(run.results, key=lambda one: one.submission)
    seeds = run.query("SELECT value FROM meta WHERE key = 'seed'")
    return Run(tuple(evaluations), str(seeds[0]["value"]) if seeds else "")


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
