"""What runs show at a glance: a row for each method, why attempts fail, and which scopes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelbenchx.analysis import rates, speed
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.causes import cause_of
from kernelbenchx.analysis.frame import AttemptFrame, frame_of
from kernelbenchx.analysis.scopes import failing_scopes
from kernelbenchx.analysis.table import Interval


@dataclass(frozen=True, kw_only=True)
class MethodSummary:
    """One method on one GPU."""

    gpu: str
    method: str
    tasks: int
    solved: Interval
    core: float | None
    """Shares of kernels kept at the end."""
    correct: float | None
    speedup: Interval | None
    """Geometric mean over eager of pure kernels, or of mixed ones where no other has a time."""


@dataclass(frozen=True, kw_only=True)
class FailureSummary:
    """Why kernels that are kept at the end fail, on one GPU."""

    gpu: str
    attempts: int
    causes: tuple[tuple[str, int], ...]
    """The most frequent first."""
    scopes: tuple[tuple[str, float], ...]
    """Scopes beside core, with the share of attempts that fail them, the worst first."""

    @property
    def failed(self) -> int:
        """How many attempts have a cause of failure."""
        return sum(count for _, count in self.causes)


@dataclass(frozen=True)
class Summary:
    """Methods by what they solve, and what fails."""

    methods: tuple[MethodSummary, ...]
    failures: FailureSummary

    @property
    def gpus(self) -> tuple[str, ...]:
        """Where attempts ran."""
        return tuple(dict.fromkeys(one.gpu for one in self.methods))


def summarize(attempts: Sequence[Attempt]) -> Summary:
    """Of all attempts that count; rates are those of `rates`, times those of `speed`."""
    every = frame_of(attempts)
    last = every.last
    speeds = _speeds(last)
    rows: list[dict[str, Any]] = [dict(row) for row in rates.by_method(every).records()]
    found = [_method(row, speeds.get((row["gpu"], row["method"]))) for row in rows]
    found.sort(key=lambda one: (one.gpu, -one.solved.value, one.method))
    return Summary(tuple(found), _failures(last))


def _failures(last: AttemptFrame) -> FailureSummary:
    """On the GPU with the most attempts: verdicts of several are never mixed."""
    most = int(np.bincount(last.card.codes).argmax())
    here = last.card.codes == most
    judged = last.pick(here).attempts
    causes = Counter(str(cause) for one in judged if (cause := cause_of(one)) is not None)
    return FailureSummary(
        gpu=str(last.card.labels[most]),
        attempts=len(judged),
        causes=tuple(causes.most_common()),
        scopes=tuple((scope.value, share) for scope, share in failing_scopes(last, here)),
    )


def _method(row: dict[str, Any], over_eager: Interval | None) -> MethodSummary:
    solved = Interval(
        value=_number(row["solved"]),
        low=_number(row["solved_low"]),
        high=_number(row["solved_high"]),
        n=row["tasks"],
    )
    return MethodSummary(
        gpu=row["gpu"],
        method=row["method"],
        tasks=row["tasks"],
        solved=solved,
        core=row["core"],
        correct=row["correct"],
        speedup=over_eager,
    )


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _speeds(last: AttemptFrame) -> dict[tuple[str, str], Interval]:
    found: dict[tuple[str, str], Interval] = {}
    for row in speed.by_method(last).records():
        values: dict[str, Any] = dict(row)
        who = values["gpu"], values["method"]
        if values["baseline"] == "eager" and (values["composition"] == "pure" or who not in found):
            found[who] = Interval(
                value=values["speedup"],
                low=_number(values["speedup_low"]),
                high=_number(values["speedup_high"]),
                n=values["tasks"],
            )
    return found
