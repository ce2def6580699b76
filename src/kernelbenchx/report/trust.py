"""What was run, on what, and what the verdicts rest on."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import astuple

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.core.outcome import Reason
from kernelbenchx.store.attempts import Ground
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


def runs(paths: Sequence[Path]) -> Table:
    """One row per run that was given."""
    rows = [(str(path), *ask([path], _RUN).rows[0]) for path in paths]
    return Table(
        name="runs",
        title="Runs",
        about="Where the numbers come from. Inputs are drawn from the seed of a run. Rows and "
        "files that were handed in and not judged are in no rate: their task is not in the "
        "catalogue, or they cannot be read.",
        columns=columns(
            ("run", "Run"),
            ("evaluations", "Evaluations", "count"),
            ("tasks", "Tasks", "count"),
            ("first", "First kept"),
            ("last", "Last kept"),
            ("seed", "Seed"),
            ("unknown_task", "Not judged: no such task", "count"),
            ("unreadable", "Not judged: unreadable", "count"),
        ),
        rows=tuple(rows),
    )


def tables(grounds: Mapping[Ground, int], attempts: Sequence[Attempt]) -> list[Table]:
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
        title="On what",
        about="The interpreter runs kernels on the host: right or wrong, never how fast, and "
        "provisional until a card has judged.",
        columns=columns(
            ("device", "Device"),
            ("gpu", "Card"),
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
        title="What stood between submissions and the judge",
        about="L3 is the strictest level. A protection that a machine could not give is missing; "
        "without source checks, a forbidden shortcut shows only where it is caught at run time.",
        columns=columns(
            ("level", "Isolation"),
            ("missing", "Missing"),
            ("checks", "Source checks"),
            ("evaluations", "Evaluations", "count"),
        ),
        rows=tuple((*key, count) for key, count in found.most_common()),
    )


_SAID = {
    "replay": "times of tier replay: compiled kernels launched by a trusted process",
    "host_timed": "host-timed: the judge's host clock around the submission's process",
    "failed": "failed at scale: right on the check cases, not at a timed size; not correct",
    "unmeasured": "correct, but no time could be trusted: never scored",
    "provisional": "provisional verdicts of the interpreter",
    "void": "void: the evaluator failed, not the submission; in no rate",
    "unsupported": "void: in a language that the task or this machine does not take; in no rate",
    "mixed": "correct, but torch does part of the work",
}


def _verdicts(attempts: Sequence[Attempt]) -> Table:
    found: Counter[str] = Counter()
    for one in attempts:
        found["provisional"] += one.provisional
        if not one.counts:
            found["unsupported" if one.reason == Reason.UNSUPPORTED else "void"] += 1
        found["mixed"] += one.correct and one.composition == "mixed"
        if one.performance:
            found[one.tier if one.performance == "timed" else one.performance] += 1
    return Table(
        name="verdicts",
        title="How verdicts and times were obtained",
        about="Evaluations of each kind; one may be of several.",
        columns=columns(("kind", "Kind"), ("evaluations", "Evaluations", "count")),
        rows=tuple((said, found[kind]) for kind, said in _SAID.items() if found[kind]),
    )


def _certificates(attempts: Sequence[Attempt]) -> Table:
    tasks = {one.task: one.certified for one in attempts}
    certified = sum(tasks.values())
    standing = (("certified", certified), ("not certified", len(tasks) - certified))
    missing = [name for name, good in sorted(tasks.items()) if not good]
    return Table(
        name="certificates",
        title="Certificates of the tasks",
        about="A certified task was shown to be solvable by our own kernel and to fail known "
        "mistakes, as its file stands now.",
        columns=columns(
            ("standing", "Standing"), ("tasks", "Tasks", "count"), ("share", "Share", "percent")
        ),
        rows=tuple((said, many, many / len(tasks)) for said, many in standing if many),
        notes=(f"Not certified: {', '.join(missing)}.",) if 0 < len(missing) <= MOST_NAMED else (),
    )
