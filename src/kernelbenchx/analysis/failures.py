"""Failures by stage and cause, over all attempts, by method and by category."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import author_names
from kernelbenchx.analysis.causes import DEFINITIONS, Cause, cause_of, stage_of
from kernelbenchx.analysis.interval_cells import ends
from kernelbenchx.analysis.intervals import Clusters, Codes, Intervals
from kernelbenchx.analysis.published_attempts import RUN as PUBLISHED
from kernelbenchx.analysis.table import Interval, Table, Value, columns
from kernelbenchx.core.outcome import Stage

_STAGES = (Stage.CHECK, Stage.CALL, Stage.EXE, Stage.PERF)
_EXAMPLES = 3
_WORDS = 160
_INTERVAL = (("share", "share", "percent"), ("low", "low", "percent"), ("high", "high", "percent"))
_COUNTS = (("attempts", "attempts", "count"), ("tasks", "tasks", "count"))
_SHARES = (
    "A share is the mean over tasks of each task's share of attempts; its interval is Wilson's "
    "with the tasks as draws."
)


_NONE = "No attempt failed."


@dataclass(frozen=True)
class _FailureColumns:
    """Attempts that count, each with its cause, as codes of arrays."""

    attempts: Sequence[Attempt]

    @cached_property
    def causes(self) -> list[Cause | None]:
        return [cause_of(one) for one in self.attempts]

    @cached_property
    def authors(self) -> list[str]:
        names = author_names(self.attempts)
        return [names[one.method, one.model] for one in self.attempts]

    def labels(self, by: str) -> list[str]:
        """The method or the category of each."""
        return self.authors if by == "method" else [one.category for one in self.attempts]

    @cached_property
    def tasks(self) -> Codes:
        return _codes([one.task for one in self.attempts])[1]

    @cached_property
    def together(self) -> Clusters:
        """All of them as one group."""
        return Clusters(self.tasks)

    @cached_property
    def _marks(self) -> dict[Cause, NDArray[np.bool_]]:
        order = {cause: at for at, cause in enumerate(Cause)}
        marks = np.array([-1 if one is None else order[one] for one in self.causes], np.int64)
        return {cause: marks == at for cause, at in order.items()}

    @cached_property
    def _stops(self) -> dict[Stage, NDArray[np.bool_]]:
        pairs = zip(self.causes, self.attempts, strict=True)
        ended = [None if found is None else stage_of(one) for found, one in pairs]
        return {stage: np.array([one is stage for one in ended], bool) for stage in _STAGES}

    def hits(self, cause: Cause) -> NDArray[np.bool_]:
        return self._marks[cause]

    @cached_property
    def _known(self) -> dict[Stage, NDArray[np.bool_]]:
        """Of which it is known whether they ended there. The paper counts what a check refused as
        not compiled; without times no timed size was tried."""
        took_times = {one.run for one in self.attempts if one.took_times}
        every = np.ones(len(self.attempts), bool)
        return dict.fromkeys(_STAGES, every) | {
            Stage.CHECK: np.array([one.run != PUBLISHED for one in self.attempts], bool),
            Stage.PERF: np.array([one.run in took_times for one in self.attempts], bool),
        }

    def known_at(self, stage: Stage) -> NDArray[np.bool_]:
        return self._known[stage]

    def at(self, stage: Stage) -> NDArray[np.bool_]:
        return self._stops[stage]


def tables(attempts: Sequence[Attempt]) -> list[Table]:
    """Causes over all, by method and by category, stages, rules, messages and definitions."""
    failures = _FailureColumns([one for one in attempts if one.counts])
    return [
        _causes(failures),
        _tabulate_causes(failures, "method"),
        _tabulate_causes(failures, "category"),
        _stages(failures),
        _rules(failures),
        _messages(failures),
        _definitions(failures),
    ]


def _definitions(failures: _FailureColumns) -> Table:
    """What each cause that occurred means and how it is recognized."""
    there = set(failures.causes)
    return Table(
        name="failures_definitions",
        title="Causes of failure",
        about="Each failed attempt has one cause, read from the outcome and reason of its "
        "evaluation and from what the judge saw in a wrong answer.",
        columns=columns(("cause", "cause"), ("meaning", "meaning"), ("evidence", "told by")),
        rows=tuple(
            (one.cause.value, one.meaning, one.evidence)
            for one in DEFINITIONS
            if one.cause in there
        ),
    )


def _causes(failures: _FailureColumns) -> Table:
    failed = sum(found is not None for found in failures.causes)
    rows = []
    for (cause, stage), count in sorted(_pairs(failures).items(), key=lambda item: -item[1]):
        hits = failures.hits(cause) & failures.at(stage)
        found = failures.together.shares(hits).at(0)
        rows.append((cause.value, stage.value, count, count / failed, *_ends(found)))
    return Table(
        name="failures",
        title="Failures by stage and cause",
        about=f"Of {len(failures.attempts)} attempts, of all rounds and GPUs, {failed} failed; "
        f"void evaluations are left out. {_SHARES}",
        columns=columns(
            ("cause", "cause"),
            ("stage", "stage"),
            ("failures", "failures", "count"),
            ("of_failures", "of all failures", "percent"),
            *_INTERVAL,
        ),
        rows=tuple(rows),
        notes=() if failed else (_NONE,),
    )


def _pairs(failures: _FailureColumns) -> Counter[tuple[Cause, Stage]]:
    pairs = zip(failures.causes, failures.attempts, strict=True)
    return Counter((found, stage_of(one)) for found, one in pairs if found is not None)


def _tabulate_causes(failures: _FailureColumns, name: str) -> Table:
    named, groups = _codes(failures.labels(name))
    clusters = Clusters(failures.tasks, groups, len(named))
    rows: list[tuple[str, str, int, int, int, float, float, float]] = []
    for cause in (one for one in Cause if one in failures.causes):
        hits = failures.hits(cause)
        found = clusters.shares(hits)
        counts = np.bincount(groups, weights=hits, minlength=len(named))
        rows += [
            (
                named[at] or "-",
                cause.value,
                int(counts[at]),
                *_sizes(found, at),
                *_ends(found.at(at)),
            )
            for at in range(len(named))
            if counts[at]
        ]
    rows.sort(key=lambda row: (row[0], -row[2]))
    return Table(
        name=f"failures_by_{name}",
        title=f"Causes of failure by {name}",
        about=f"Share of the attempts of a {name} that failed for each cause; a cause that did not "
        f"occur has no row. {_SHARES}",
        columns=columns(
            (name, name),
            ("cause", "cause"),
            ("failures", "failures", "count"),
            *_COUNTS,
            *_INTERVAL,
        ),
        rows=tuple(rows),
    )


def _stages(failures: _FailureColumns) -> Table:
    rows: list[tuple[Value, ...]] = []
    for by in ("method", "category"):
        named, groups = _codes(failures.labels(by))
        for stage in _STAGES:
            known = failures.known_at(stage)
            clusters = Clusters(failures.tasks[known], groups[known], len(named))
            found = clusters.shares(failures.at(stage)[known])
            rows += [
                (by, named[at] or "-", stage.value, *_sizes(found, at), *ends(found, at))
                for at in range(len(named))
            ]
    return Table(
        name="failures_stages",
        title="Where attempts end",
        about="Share of attempts that were rejected (check), did not load, compile, run or end "
        f"(call), gave a wrong answer (exe), or failed at a timed size (perf). {_SHARES} A dash: "
        "these attempts do not say, because no times were taken or nothing is published.",
        columns=columns(("by", "by"), ("group", "group"), ("stage", "stage"), *_COUNTS, *_INTERVAL),
        rows=tuple(sorted(rows, key=lambda row: (str(row[0]), str(row[1])))),
    )


def _rules(failures: _FailureColumns) -> Table:
    rules = [one.reason if one.outcome == "rejected" else None for one in failures.attempts]
    counts = Counter(rule for rule in rules if rule is not None)
    rows = []
    for rule, count in counts.most_common():
        hits = [found == rule for found in rules]
        rows.append((rule or "-", count, *_ends(failures.together.shares(hits).at(0))))
    return Table(
        name="failures_rules",
        title="Rules that rejected",
        about=f"The first fatal finding of each rejected attempt. {_SHARES}",
        columns=columns(("rule", "rule"), ("failures", "rejected", "count"), *_INTERVAL),
        rows=tuple(rows),
    )


def _messages(failures: _FailureColumns) -> Table:
    return Table(
        name="failures_messages",
        title="What was said most often",
        about=f"Up to {_EXAMPLES} messages of each cause, numbers replaced by N so that equal "
        "mistakes meet; a way to look whether a cause means what its definition says.",
        columns=columns(
            ("cause", "cause"), ("failures", "failures", "count"), ("message", "message")
        ),
        rows=tuple(_frequent(failures)),
    )


def _frequent(failures: _FailureColumns) -> Iterator[tuple[str, int, str]]:
    said: defaultdict[Cause, Counter[str]] = defaultdict(Counter)
    for found, one in zip(failures.causes, failures.attempts, strict=True):
        if found is not None:
            words = one.pattern or one.detail or one.reason
            if words:
                said[found][words] += 1
    for cause in (one for one in Cause if one in said):
        alike: Counter[str] = Counter()
        for words, count in said[cause].items():
            alike[_alike(words)] += count
        for words, count in alike.most_common(_EXAMPLES):
            yield cause.value, count, words


def _alike(words: str) -> str:
    line = words.partition("\n")[0]
    return re.sub(r"(?<![A-Za-z_\d.])-?\d+(\.\d+)?(e[+-]?\d+)?", "N", line)[:_WORDS]


def _codes(words: Sequence[str]) -> tuple[list[str], Codes]:
    """Distinct words in order, and which of them stands at each place."""
    named = sorted(set(words))
    at = {word: number for number, word in enumerate(named)}
    return named, np.array([at[word] for word in words], np.int64)


def _sizes(found: Intervals, at: int) -> tuple[int, int]:
    return int(found.n[at]), int(found.tasks[at])


def _ends(found: Interval) -> tuple[float, float, float]:
    return found.value, found.low, found.high
