"""Which analyses there are, and how each gets what it needs; none is imported before it is used."""

import difflib
import importlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelbenchx.analysis.attempt_filter import ALL, AttemptFilter
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.standards import Standard

if TYPE_CHECKING:
    from kernelbenchx.analysis.attempt import Attempt
    from kernelbenchx.analysis.table import Table

ANALYSES = {
    "rates": ("rates", "standards", "disagreements"),
    "scopes": ("scopes",),
    "speed": ("speed",),
    "variance": ("variance", "run_factors", "cause_models", "fact_models", "fact_rates"),
    "iterations": ("iterations",),
    "hardware": ("hardware",),
    "failures": ("failures", "unsolved", "cause_permutations", "structure", "quality"),
    "categories": ("relabelling",),
    "levels": ("levels",),
    "papers": ("papers",),
    "claims": ("claims",),
    "cost": ("cost",),
    "compare": ("comparison",),
}
"""In the order of output; each consists of `tables` of these files of `analysis/`."""

COST, LEVELS, COMPARE, VARIANCE = "cost", "levels", "compare", "variance"
CATEGORIES = "categories"
ONLY_IF_KNOWN = (LEVELS, COST, COMPARE)
"""Not spoken of, unless asked for, where runs hold nothing of the kind."""

PUBLISHED = "published"
"""In place of a run: the results of the paper. Also the name of what is said only of them."""
KERNELBENCH = "published:kernelbench"
"""In place of a run: what the KernelBench paper prints. It names no attempt."""
_ABOVE = "What the paper prints stands above; it does not publish its kernels one by one."
_NO_WORD = "The paper prints nothing that this needs."
ARRANGED = (
    "published: only counts are known, not which tasks a method solved; comparisons by "
    "task hold for one possible assignment"
)


@dataclass(frozen=True, kw_only=True)
class AnalyzeRequest:
    """What was asked for."""

    names: tuple[str, ...]
    runs: tuple[Path, ...]
    published: bool
    kernelbench: bool = False
    thresholds: tuple[float, ...] = ()
    wanted: AttemptFilter = ALL
    ratio: float = 1.5
    by: tuple[str, ...] = ()
    """Facts of tasks for `variance`; all where none is named."""
    gpu: str = ""
    """Its data sheet says what bounds a task."""
    eager_of: str = ""
    """The GPU whose published eager times `papers` takes."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Own categories of tasks, for `categories`."""
    standard: Standard = Standard.STRICT
    """What counts as correct."""
    named: tuple[str, ...] = ()
    """Analyses that were asked for by name."""

    @property
    def words(self) -> tuple[str, ...]:
        """Runs, and what stands in place of one, as they were given."""
        printed = ((PUBLISHED, self.published), (KERNELBENCH, self.kernelbench))
        return (*map(str, self.runs), *(word for word, there in printed if there))

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of everything that follows."""
        from kernelbenchx.analysis.apply_standard import standard_notes
        from kernelbenchx.store.corpus import corpus_notes

        by_standard = standard_notes(self.standard, published=self.published)
        printed = (ARRANGED,) if self.published else ()
        return (*by_standard, *printed, *corpus_notes(self.runs))


def parse_request(
    words: Sequence[str],
    thresholds: Sequence[float],
    wanted: AttemptFilter = ALL,
    ratio: float = 1.5,
    by: Sequence[str] = (),
    gpu: str = "",
    eager_of: str = "",
    labels: Path | None = None,
    standard: Standard = Standard.STRICT,
) -> AnalyzeRequest:
    """Names of analyses come first, runs behind them; without a name it is all of them."""
    names: list[str] = []
    for word in words:
        if word not in ANALYSES:
            break
        names.append(word)
    rest = words[len(names) :]
    if not rest:
        raise BadInput(
            f"name a run, or {PUBLISHED!r}: kbx analyze {' '.join(names)} RUN{_folder(names)}"
        )
    runs = tuple(Path(word) for word in rest if word not in (PUBLISHED, KERNELBENCH))
    for run in runs:
        if not run.exists():
            raise BadInput(f"{run} is not a run: no such file or folder{_near(str(run))}")
    if not all(map(math.isfinite, thresholds)):
        raise BadInput("--p takes numbers from 0 on")
    return AnalyzeRequest(
        names=tuple(name for name in ANALYSES if name in names or not names),
        runs=runs,
        published=PUBLISHED in rest,
        kernelbench=KERNELBENCH in rest,
        thresholds=tuple(thresholds),
        wanted=wanted,
        ratio=ratio,
        by=_chosen_facts(by, names),
        gpu=gpu,
        eager_of=eager_of,
        labels=_own_labels(labels, names),
        standard=standard,
        named=tuple(names),
    )


def _chosen_facts(by: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    if not by:
        return ()
    if names and VARIANCE not in names:
        raise BadInput(f"--by is for {VARIANCE}: kbx analyze {VARIANCE} RUN --by cooperation")
    from kernelbenchx.analysis.fact_groups import chosen_facts

    return chosen_facts(by)


def _own_labels(labels: Path | None, names: Sequence[str]) -> Mapping[str, str]:
    if labels is None:
        return {}
    if names and CATEGORIES not in names:
        raise BadInput(f"--labels is for {CATEGORIES}: kbx analyze {CATEGORIES} RUN --labels FILE")
    from kernelbenchx.cli.labels import read_labels

    return read_labels(labels)


def _folder(names: Sequence[str]) -> str:
    """A run may bear the name of an analysis."""
    here = [name for name in names if Path(name).exists()]
    return f"; ./{here[-1]} is the folder of that name" if here else ""


def _near(word: str) -> str:
    if word in ANALYSES:
        return "; name analyses first, then runs"
    close = difflib.get_close_matches(word, [*ANALYSES, PUBLISHED, KERNELBENCH], n=1)
    return f"; did you mean {close[0]}?" if close else f"; analyses are {', '.join(ANALYSES)}"


def read(asked: AnalyzeRequest) -> "list[Attempt]":
    """The attempts of all runs, and the published ones where they are asked for."""
    from kernelbenchx.analysis.apply_standard import judge_by
    from kernelbenchx.store.attempts import read_attempts

    found = judge_by(read_attempts(asked.runs), asked.standard) if asked.runs else []
    if asked.published:
        from kernelbenchx.analysis import published

        found = [*found, *published.attempts()]
    return asked.wanted.pick(found)


def without_evaluations(asked: AnalyzeRequest) -> AnalyzeRequest:
    """What is left to say of runs that judged nothing: what was asked of models, if anything."""
    if COST not in asked.names or not _spending(asked, [])["spending"]:
        raise BadInput("these runs hold no evaluation: nothing to analyse")
    return replace(asked, names=(COST,), named=(COST,))


def run_analyses(
    asked: AnalyzeRequest, attempts: "list[Attempt]"
) -> "Iterator[tuple[str, list[Table]]]":
    """The tables of each analysis, one after another; what a paper prints opens where it is alone,
    and stands behind runs."""
    printed = list(_load_published_tables(asked))
    if not asked.runs:
        yield from printed
    if attempts or asked.runs or asked.published:
        yield from _of_attempts(asked, attempts)
    if asked.runs:
        yield from printed


def _load_published_tables(asked: AnalyzeRequest) -> "Iterator[tuple[str, list[Table]]]":
    from kernelbenchx.analysis import published, published_kernelbench

    about = asked.names if asked.named else None
    if asked.published and (tables := published.tables(about)):
        yield PUBLISHED, tables
    if asked.kernelbench and (tables := published_kernelbench.tables(about)):
        yield KERNELBENCH, tables
    elif asked.words == (KERNELBENCH,):
        named, known = " ".join(asked.named), ", ".join(published_kernelbench.ANALYSES)
        raise BadInput(f"{KERNELBENCH} says nothing about {named}: name {known}, or nothing")


def _of_attempts(
    asked: AnalyzeRequest, attempts: "list[Attempt]"
) -> "Iterator[tuple[str, list[Table]]]":
    for name in asked.names:
        tables: list[Table] = []
        for file in ANALYSES[name]:
            module = importlib.import_module(f"kernelbenchx.analysis.{file}")
            tables += module.tables(attempts, **_WITH.get(file, _nothing)(asked, attempts))
        there = any(one.rows for one in tables)
        if name not in ONLY_IF_KNOWN or name in asked.named or there:
            yield name, tables if there or asked.runs else _not_printed(name, tables)


def _not_printed(name: str, tables: "list[Table]") -> "list[Table]":
    """Of the paper alone: what runs would lack is not what the paper lacks."""
    from kernelbenchx.analysis import published

    note = _ABOVE if published.tables((name,)) else _NO_WORD
    return [replace(one, notes=(note,)) for one in tables]


def _nothing(_asked: AnalyzeRequest, _attempts: "list[Attempt]") -> dict[str, Any]:
    return {}


def _thresholds(asked: AnalyzeRequest, _attempts: "list[Attempt]") -> dict[str, Any]:
    return {"thresholds": asked.thresholds} if asked.thresholds else {}


def _pass_published(asked: AnalyzeRequest, _attempts: "list[Attempt]") -> dict[str, Any]:
    return {"published": asked.published}


def _sources(asked: AnalyzeRequest, attempts: "list[Attempt]") -> dict[str, Any]:
    from kernelbenchx.analysis import quality
    from kernelbenchx.store.sources import read_sources

    return {"sources": read_sources(asked.runs, quality.choose_digests(attempts))}


def _spending(asked: AnalyzeRequest, attempts: "list[Attempt]") -> dict[str, Any]:
    from kernelbenchx.store.spending import read_spending

    return {"spending": read_spending(asked.runs, attempts, asked.wanted, asked.standard)}


def _task_facts(asked: AnalyzeRequest, attempts: "list[Attempt]") -> dict[str, Any]:
    from kernelbenchx.analysis.fact_groups import FACTS
    from kernelbenchx.measure.task_bounds import bounds, gpu_of_runs

    gpu = asked.gpu or gpu_of_runs(one.gpu for one in attempts)
    known = bounds({one.task for one in attempts}, gpu)
    return {"by": asked.by or FACTS, "bounds": known, "gpu": gpu}


def _labels(asked: AnalyzeRequest, _attempts: "list[Attempt]") -> dict[str, Any]:
    return {"labels": asked.labels}


def _stored_gpu(asked: AnalyzeRequest, _attempts: "list[Attempt]") -> dict[str, Any]:
    return {"stored_gpu": asked.eager_of}


def _sides(asked: AnalyzeRequest, _attempts: "list[Attempt]") -> dict[str, Any]:
    """Two runs are compared with each other; otherwise methods are."""
    by_run = len(asked.runs) == 2 and not asked.published
    return {"ratio": asked.ratio, "by_run": by_run}


_WITH: dict[str, "Callable[[AnalyzeRequest, list[Attempt]], dict[str, Any]]"] = {
    "speed": _thresholds,
    "iterations": _thresholds,
    "levels": _thresholds,
    "claims": _pass_published,
    "papers": _stored_gpu,
    "relabelling": _labels,
    "quality": _sources,
    "cost": _spending,
    "comparison": _sides,
    "fact_models": _task_facts,
    "fact_rates": _task_facts,
}
