"""Provenance of the numbers of a report: runs, machines, isolation, kinds of verdicts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import astuple

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.attempt_filter import ALL, AttemptFilter
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.core.grades import Grade
from kernelbenchx.core.outcome import Reason
from kernelbenchx.store.attempts import VerdictProvenance
from kernelbenchx.store.corpus import corpus_notes
from kernelbenchx.store.query import ask

_RUN = """
SELECT count(*), count(distinct category || '/' || task),
       substr(min(created), 1, 10), substr(max(created), 1, 10),
       (SELECT value FROM meta WHERE key = 'seed'),
       (SELECT count(*) FROM not_judged WHERE why = 'unknown_task'),
       (SELECT count(*) FROM not_judged WHERE why = 'unreadable')
FROM evaluations
"""
MOST_NAMED = 20
"""So many tasks fit into a note."""


def runs(paths: Sequence[Path], wanted: AttemptFilter = ALL) -> Table:
    """One row per run that was given."""
    rows = [(str(path), *ask([path], _RUN).rows[0]) for path in paths]
    part = (f"This report is about a part of them: {wanted.words}.",) if wanted else ()
    return Table(
        name="runs",
        title="Runs",
        about="Inputs are drawn from the seed of a run. Rows and files that could not be judged "
        "are in no rate: their task is not in the catalogue, or they cannot be read.",
        columns=columns(
            ("run", "Run"),
            ("evaluations", "Evaluations", "count"),
            ("tasks", "Tasks", "count"),
            ("first", "First stored"),
            ("last", "Last stored"),
            ("seed", "Seed"),
            ("unknown_task", "Unknown task", "count"),
            ("unreadable", "Unreadable", "count"),
        ),
        rows=tuple(rows),
        notes=(*part, *corpus_notes(paths)),
    )


def tables(grounds: Mapping[VerdictProvenance, int], attempts: Sequence[Attempt]) -> list[Table]:
    """Machines, isolation, how verdicts and times were obtained, certificates."""
    machines: Counter[tuple[str, ...]] = Counter()
    isolation: Counter[tuple[Value, ...]] = Counter()
    for one, count in grounds.items():
        machines[one.device, *astuple(one.machine)] += count
        isolation[one.isolation, ", ".join(one.missing) or "nothing", one.checks] += count
    return [
        _machines(machines),
        _isolation(isolation),
        _verdicts(attempts),
        _certificates(attempts),
    ]


def _machines(found: Counter[tuple[str, ...]]) -> Table:
    return Table(
        name="machines",
        title="Machines and versions",
        about="The interpreter runs kernels on the CPU. It can tell whether they are correct, not "
        "how fast they are, and its verdicts are provisional until a GPU confirms them.",
        columns=columns(
            ("device", "Device"),
            ("gpu", "GPU"),
            ("machine", "Machine"),
            ("torch", "torch"),
            ("triton", "triton"),
            ("python", "Python"),
            ("harness", "kernelbenchx"),
            ("evaluations", "Evaluations", "count"),
        ),
        rows=tuple((*key, count) for key, count in found.most_common()),
    )


def _isolation(found: Counter[tuple[Value, ...]]) -> Table:
    return Table(
        name="isolation",
        title="Isolation",
        about="How submissions were kept apart from the judge. L3 is the strictest level; missing "
        "are protections that a machine does not offer. Without source checks, a forbidden "
        "shortcut is only found if it is caught at run time.",
        columns=columns(
            ("level", "Isolation"),
            ("missing", "Missing"),
            ("checks", "Source checks"),
            ("evaluations", "Evaluations", "count"),
        ),
        rows=tuple((*key, count) for key, count in found.most_common()),
    )


_SAID = {
    "replay": "replay: times of compiled kernels that a trusted process launched",
    "host": "host-timed: times by the host clock around the submission's process",
    "failed": "failed at scale: correct on the check cases, not at a timed size",
    "unmeasured": "correct, but no time could be trusted; has no speed",
    "provisional": "provisional verdicts of the interpreter",
    "void": "void: the evaluator failed, not the submission; in no rate",
    "unsupported": "void: written in a language that is not supported here; in no rate",
    "unsound": "on a problem that is unsound as published: a wrong kernel may pass; in no rate",
    "mixed": "correct, but torch does part of the work",
}


def _verdicts(attempts: Sequence[Attempt]) -> Table:
    found: Counter[str] = Counter()
    for one in attempts:
        found["provisional"] += one.provisional
        if one.void:
            found["unsupported" if one.reason == Reason.UNSUPPORTED else "void"] += 1
        found["unsound"] += one.unsound
        found["mixed"] += one.correct and one.composition == "mixed"
        if one.performance:
            found[_tier(one) if one.performance == "timed" else one.performance] += 1
    return Table(
        name="verdicts",
        title="How verdicts and times were obtained",
        about="Evaluations of each kind; one may be of several.",
        columns=columns(("kind", "Kind"), ("evaluations", "Evaluations", "count")),
        rows=tuple((said, found[kind]) for kind, said in _SAID.items() if found[kind]),
    )


def _tier(one: Attempt) -> str:
    """Of the two tiers, replay is the one that needs no trust in the submission's process."""
    return "replay" if one.tier == "replay" else "host"


def _certificates(attempts: Sequence[Attempt]) -> Table:
    tasks = {one.task: one.grade for one in attempts}
    grades = Counter(tasks.values())
    missing = [name for name, grade in sorted(tasks.items()) if not grade.certified]
    return Table(
        name="certificates",
        title="Certificates of the tasks",
        about="Certified: a kernel of this project solves the task as its file is now, and kernels "
        "with known mistakes fail it. Witnessed is the same for a KernelBench problem; "
        "discriminating: no kernel of this project, but wrong answers fail. Imported: not shown. "
        "Unsound as published: a wrong kernel may pass, so no rate counts the problem.",
        columns=columns(
            ("standing", "Grade"), ("tasks", "Tasks", "count"), ("share", "Share", "percent")
        ),
        rows=tuple(
            (grade.value, grades[grade], grades[grade] / len(tasks))
            for grade in Grade
            if grades[grade]
        ),
        notes=(f"Not certified: {', '.join(missing)}.",) if 0 < len(missing) <= MOST_NAMED else (),
    )
