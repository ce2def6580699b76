"""Steps of runs with both sources and outcomes, one after another: memory holds a few at a time.

Attempts are light and stay in memory, as for every analysis; sources and records come from disk.
"""

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import msgspec

from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.analysis.frame import gpu_of
from kernelbenchx.analysis.steps import CHANGES, Kind, Step, steps_of
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.same_code import same_code
from kernelbenchx.export.transition import BaselineSpeedup, KernelTransition, Remark, TransitionSide
from kernelbenchx.store.raw_records import RawRun, reading

AT_ONCE = 64
"""Steps whose sources are in memory together."""
MOST_REMARKS = 8
LONGEST_REMARK = 200


class _FindingFields(msgspec.Struct, frozen=True):
    rule: str
    line: int
    why: str
    fatal: bool = True


class _OutcomeFields(msgspec.Struct, frozen=True):
    findings: tuple[_FindingFields, ...] = ()
    case: str = ""
    line: int = 0


class _PerformanceFields(msgspec.Struct, frozen=True):
    case: str = ""


class _RecordFields(msgspec.Struct, frozen=True):
    """What an attempt leaves out of its record."""

    outcome: _OutcomeFields
    findings: tuple[_FindingFields, ...] = ()
    performance: _PerformanceFields | None = None

    @property
    def case(self) -> str:
        """The one that failed, among the check cases or the timed ones."""
        return self.outcome.case or (self.performance.case if self.performance else "")


_DECODER = msgspec.json.Decoder(_RecordFields, strict=False)


@dataclass
class CorpusCounts:
    """Counts of the steps, filled while the runs are read."""

    kinds: Counter[Kind] = field(default_factory=Counter)
    """Every step, also those that are left out."""
    authors: Counter[tuple[str, str, str, Kind]] = field(default_factory=Counter)
    """By GPU, method and model: the steps that are exported."""
    tasks: set[str] = field(default_factory=set)
    floors: dict[str, float | None] = field(default_factory=dict)
    """The noise floor of each GPU that has a step."""

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return sum(self.kinds[kind] for kind in CHANGES)

    def add(self, step: Step) -> None:
        """Count a step, and its author and task where it is exported."""
        card = gpu_of(step.after)
        self.kinds[step.kind] += 1
        self.floors[card] = step.floor
        if step.kind in CHANGES:
            self.authors[card, step.after.method, step.after.model, step.kind] += 1
            self.tasks.add(step.after.task)


def transitions(attempts: Sequence[Attempt], counts: CorpusCounts) -> Iterator[KernelTransition]:
    """Every step that changed something, by task, method and round."""
    with ExitStack() as stack:
        runs = _Runs(stack)
        changing = _changing(attempts, counts)
        while steps := list(islice(changing, AT_ONCE)):
            ends = [one for step in steps for one in (step.before, step.after)]
            sides = runs.sides(ends)
            for step in steps:
                before, after = sides[_place(step.before)], sides[_place(step.after)]
                if same_code(before.source, after.source):
                    counts.add(replace(step, kind=Kind.SAME_CODE))
                else:
                    counts.add(step)
                    yield _transition(step, before, after)


def _changing(attempts: Sequence[Attempt], counts: CorpusCounts) -> Iterator[Step]:
    """Steps that changed something, as far as it is known without the sources."""
    for step in steps_of(attempts):
        if step.kind in CHANGES:
            yield step
        else:
            counts.add(step)


class _Runs:
    """Runs that have been opened, and stay so."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._opened: dict[str, RawRun] = {}

    def sides(self, attempts: Iterable[Attempt]) -> dict[tuple[str, str], TransitionSide]:
        """By run and key."""
        by_run: dict[str, dict[str, Attempt]] = {}
        for one in attempts:
            by_run.setdefault(one.run, {})[one.key] = one
        found: dict[tuple[str, str], TransitionSide] = {}
        for name, own in by_run.items():
            run = self._run(name)
            records = run.records(list(own))
            sources = run.sources(sorted({one.digest for one in own.values()}))
            for key, one in own.items():
                if key not in records or one.digest not in sources:
                    raise BadInput(f"the run {name} changed while it was read: start again")
                found[name, key] = _side(one, _DECODER.decode(records[key]), sources[one.digest])
        return found

    def _run(self, name: str) -> RawRun:
        if name not in self._opened:
            self._opened[name] = self._stack.enter_context(reading(Path(name)))
        return self._opened[name]


def _place(one: Attempt) -> tuple[str, str]:
    return one.run, one.key


def _transition(step: Step, before: TransitionSide, after: TransitionSide) -> KernelTransition:
    one = step.after
    return KernelTransition(
        kind=step.kind.value,
        task=one.task,
        category=one.category,
        difficulty=one.difficulty,
        method=one.method,
        model=one.model,
        gpu=gpu_of(one),
        sample=one.sample,
        by_parent=step.by_parent,
        factor=_finite(step.factor),
        noise_floor=None if step.floor is None else math.expm1(step.floor),
        before=before,
        after=after,
        diff=diff_sources(before.source, after.source),
    )


def _side(one: Attempt, told: _RecordFields, source: str) -> TransitionSide:
    return TransitionSide(
        key=one.key,
        run=one.run,
        submission=one.submission,
        round=one.round,
        step=one.step,
        digest=one.digest,
        source=source,
        outcome=one.verdict,
        reason=one.reason,
        stage=one.stage,
        composition=one.composition,
        provisional=one.provisional,
        case=told.case,
        line=told.outcome.line,
        detail=one.detail,
        pattern=one.pattern,
        findings=_remarks((*told.outcome.findings, *told.findings)),
        performance=one.performance,
        tier=one.tier,
        speedups=tuple(_overs(one)),
        score=_finite(one.score),
    )


def _remarks(findings: Sequence[_FindingFields]) -> tuple[Remark, ...]:
    """Those that reject first."""
    order = sorted(findings, key=lambda one: not one.fatal)
    return tuple(
        Remark(rule=one.rule, line=one.line, why=one.why[:LONGEST_REMARK], fatal=one.fatal)
        for one in order[:MOST_REMARKS]
    )


def _overs(one: Attempt) -> Iterator[BaselineSpeedup]:
    named: tuple[tuple[str, Speed | None], ...]
    named = (("eager", one.eager), ("torch.compile", one.compiled))
    for baseline, speed in named:
        if speed is not None:
            yield BaselineSpeedup(
                baseline=baseline,
                speedup=_finite(speed.speedup),
                low=_finite(speed.low),
                high=_finite(speed.high),
                speed_class=speed.speed_class,
            )


def _finite(value: float | None) -> float | None:
    """Files of others know no infinities."""
    return value if value is not None and math.isfinite(value) else None


MOST_LINES = 2000
"""Longer sources count as replaced altogether: repeated lines cost the square of their number."""
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_NO_END = "\n\\ No newline at end of file\n"


def diff_sources(before: str, after: str) -> str:
    """As `diff -u` writes it; empty where nothing differs."""
    old, new = _LINES.findall(before), _LINES.findall(after)
    if before != after and max(len(old), len(new)) > MOST_LINES:
        found = _replace_all(old, new)
    else:
        found = list(difflib.unified_diff(old, new, "before", "after"))
    return "".join(line if line.endswith("\n") else line + _NO_END for line in found)


def _replace_all(old: list[str], new: list[str]) -> list[str]:
    place = f"@@ -{_span(old)} +{_span(new)} @@\n"
    gone, come = [f"-{line}" for line in old], [f"+{line}" for line in new]
    return ["--- before\n", "+++ after\n", place, *gone, *come]


def _span(lines: list[str]) -> str:
    return f"1,{len(lines)}" if lines else "0,0"
