"""How submissions are written, measured by radon: complexity, maintainability, length, comments."""

import ast
import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import author_names
from kernelbenchx.analysis.intervals import cut, means
from kernelbenchx.analysis.table import Table, Value, columns

MOST, IN_ALL = 250, 600
"""Sources of one method, and of all methods, that are read: radon takes milliseconds for each."""

MISSING = "code quality needs radon: pip install 'kernelbenchx[metrics]'"
_MEASURES = {
    "complexity_mean": "cyclomatic complexity, mean over the functions of a source",
    "complexity_max": "cyclomatic complexity of its most complex function",
    "maintainability": "maintainability index, 0 to 100, documentation counted as comments",
    "lines": "lines",
    "code_lines": "lines of code",
    "comment_ratio": "lines of comments per line",
}


@dataclass(frozen=True, kw_only=True)
class Quality:
    """What radon says of one source."""

    complexity_mean: float
    complexity_max: float
    maintainability: float
    lines: float
    code_lines: float
    comment_ratio: float


def choose_digests(attempts: Sequence[Attempt]) -> list[str]:
    """Digests of the sources to read: for each method those with the smallest, which is chance."""
    return sorted({one.digest for one in _choose_sources(attempts)})


def tables(attempts: Sequence[Attempt], sources: Mapping[str, str]) -> list[Table]:
    """Means by method and by outcome; `sources` holds at least those that are wanted."""
    if find_spec("radon") is None:
        return [_table("method", (), (MISSING,)), _table("outcome", (), (MISSING,))]
    every = _choose_sources(attempts)
    chosen = [one for one in every if one.digest in sources]
    found = {digest: quality_of(sources[digest]) for digest in {one.digest for one in chosen}}
    read = [(one, said) for one in chosen if (said := found[one.digest]) is not None]
    most = most_of_a_method(len({one.method for one in every}))
    notes = (
        f"{len(found)} sources read, at most {most} of a method; "
        f"{sum(said is None for said in found.values())} of them are not Python and left out",
    )
    return [_table(by, tuple(_rows(by, read)), notes) for by in ("method", "outcome")]


def quality_of(source: str) -> Quality | None:
    """Of one source; None where it is not Python."""
    from radon.metrics import h_visit_ast, mi_compute
    from radon.raw import analyze
    from radon.visitors import ComplexityVisitor

    try:
        tree, raw = ast.parse(source), analyze(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    visited = ComplexityVisitor.from_ast(tree)
    each = [block.complexity for block in visited.blocks] or [1]
    comments = raw.comments + raw.multi
    volume = h_visit_ast(tree).total.volume
    share = 100 * comments / raw.sloc if raw.sloc else 0
    return Quality(
        complexity_mean=sum(each) / len(each),
        complexity_max=max(each),
        maintainability=mi_compute(volume, visited.total_complexity, raw.lloc, share),
        lines=raw.loc,
        code_lines=raw.sloc,
        comment_ratio=comments / raw.loc if raw.loc else 0.0,
    )


def _choose_sources(attempts: Sequence[Attempt]) -> list[Attempt]:
    """One attempt for each source of a method."""
    first: dict[str, dict[str, Attempt]] = {}
    for one in attempts:
        if one.counts:
            first.setdefault(one.method, {}).setdefault(one.digest, one)
    most = most_of_a_method(len(first))
    return [
        own[digest] for _, own in sorted(first.items()) for digest in heapq.nsmallest(most, own)
    ]


def most_of_a_method(methods: int) -> int:
    """Sources that are read where there are so many methods; at least one."""
    return min(MOST, max(1, IN_ALL // max(1, methods)))


def _rows(by: str, read: Sequence[tuple[Attempt, Quality]]) -> Iterator[tuple[Value, ...]]:
    if not read:
        return
    names = author_names(one for one, _ in read)
    labels = [names[one.method, one.model] if by == "method" else one.verdict for one, _ in read]
    named, groups = np.unique(labels, return_inverse=True)
    tasks = np.unique([one.task for one, _ in read], return_inverse=True)[1]
    for measure in _MEASURES:
        values = [getattr(said, measure) for _, said in read]
        found = cut(means(values, tasks, groups, named.size), math.inf)
        for at, name in enumerate(named):
            mean = found.at(at)
            yield (
                str(name) or "-",
                measure,
                mean.n,
                int(found.tasks[at]),
                mean.value,
                mean.low,
                mean.high,
            )


def _table(by: str, rows: tuple[tuple[Value, ...], ...], notes: tuple[str, ...]) -> Table:
    words = "; ".join(f"{name}: {meaning}" for name, meaning in _MEASURES.items())
    return Table(
        name=f"quality_by_{by}",
        title=f"Code quality by {by}",
        about="Mean over tasks of each task's mean over distinct sources, with Student's interval "
        f"over tasks, whether or not a source is correct. {words}.",
        columns=columns(
            (by, by),
            ("measure", "measure"),
            ("kernels", "sources", "count"),
            ("tasks", "tasks", "count"),
            ("mean", "mean", "number"),
            ("low", "low", "number"),
            ("high", "high", "number"),
        ),
        rows=rows,
        notes=notes,
    )
