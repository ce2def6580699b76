"""`kbx analyze`: from runs to tables with definitions, counts and intervals."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kernelbenchx.catalog.published_times import GPUS
from kernelbenchx.cli.filter_options import wanted_options
from kernelbenchx.cli.number_format import format_count
from kernelbenchx.cli.number_types import Finite
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.cli.standard_option import COUNTS_AS_CORRECT, standard_option

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.analysis.attempt import Attempt
    from kernelbenchx.analysis.attempt_filter import AttemptFilter
    from kernelbenchx.analysis.table import Table
    from kernelbenchx.cli.analysis_registry import AnalyzeRequest
    from kernelbenchx.core.standards import Standard


@click.command("analyze")
@click.argument(
    "words", nargs=-1, required=True, type=NamedPath(readable=False), metavar="[ANALYSIS]... RUN..."
)
@click.option("--all", "every", is_flag=True, help="Every table of every analysis.")
@click.option("--json", "as_json", is_flag=True, help="Every table in full, as one JSON document.")
@click.option(
    "--csv",
    "folder",
    type=NamedPath(path_type=Path, file_okay=False),
    help="Write every table in full into this folder, one CSV file each.",
)
@click.option(
    "--p",
    "thresholds",
    multiple=True,
    type=Finite(min=0),
    help="A threshold for fast_p; may be given several times.",
)
@click.option(
    "--ratio",
    type=Finite(min=1),
    default=1.5,
    show_default=True,
    help="compare: list tasks where one is at least so many times as fast.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="FACT,...",
    help="variance: facts of tasks to fit beside category, such as cooperation,bound.  [all]",
)
@click.option(
    "--gpu",
    default="",
    metavar="NAME",
    help="variance: the GPU whose data sheet says what bounds a task.  [that of the runs, or H200]",
)
@click.option(
    "--eager-of",
    type=click.Choice(list(GPUS)),
    default=None,
    help="papers: the GPU whose published eager times are taken.  [that of the runs, or 5090]",
)
@click.option(
    "--labels",
    type=NamedPath(path_type=Path, dir_okay=False, exists=True),
    help="categories: your own labels, a CSV file with a task and its category in each line.",
)
@standard_option(COUNTS_AS_CORRECT)
@wanted_options
def command(
    words: tuple[str, ...],
    every: bool,
    as_json: bool,
    folder: Path | None,
    thresholds: tuple[float, ...],
    ratio: float,
    by: tuple[str, ...],
    gpu: str,
    eager_of: str | None,
    labels: Path | None,
    standard: "Standard",
    wanted: "AttemptFilter",
) -> None:
    """Say what RUNS... show: a summary, or tables with counts and intervals.

    Without the name of an analysis there is a summary of ten lines; --all adds every table.
    Analyses are rates, scopes, speed, variance, iterations, hardware, failures, categories,
    levels, papers, claims, cost and compare. Several runs, also of several machines, are taken
    together. The word `published` in place of a run stands for the results of the
    KernelBench-X paper, `published:kernelbench` for those of the KernelBench paper. The folder
    of the public corpus of iterations is read as a run. --json and --csv have every table.

    \b
    kbx analyze runs/demo
    kbx analyze runs/demo --all
    kbx analyze rates speed runs/a runs/b --p 1 --p 1.5
    kbx analyze variance published --json
    kbx analyze claims runs/a runs/b published
    kbx analyze published:kernelbench
    kbx analyze rates runs/demo --category Activation
    kbx analyze compare runs/a runs/b --ratio 2
    kbx analyze variance runs/demo --by cooperation,passes
    kbx analyze categories runs/demo --labels labels.csv
    kbx analyze rates runs/demo --correct core
    kbx analyze papers runs/published_sizes --eager-of h800
    """
    from kernelbenchx.cli.analysis_registry import (
        parse_request,
        read,
        run_analyses,
        without_evaluations,
    )

    asked = parse_request(
        words, thresholds, wanted, ratio, by, gpu, eager_of or "", labels, standard
    )
    waiting = console(stderr=True)
    with waiting.status("reading runs") as status:
        attempts = read(asked)
        if not attempts and not asked.kernelbench:
            asked = without_evaluations(asked)
        found: dict[str, list[Table]] = {}
        status.update("analysing")
        if every or asked.named or as_json or folder is not None or not _any_judged(attempts):
            for name, tables in run_analyses(asked, attempts):
                found[name] = tables
                status.update(f"analysing: {name} done")
    if folder is not None:
        _write(folder, found)
    if as_json:
        print_json(_document(asked, attempts, found))
    elif folder is None:
        _print(asked, attempts, found)


def _any_judged(attempts: "list[Attempt]") -> bool:
    return any(one.counts for one in attempts)


def _why_nothing(attempts: "list[Attempt]") -> str:
    if not attempts:
        return ""
    return ", all void" if all(one.void for one in attempts) else ", all void or unsound"


def _document(
    asked: "AnalyzeRequest", attempts: "list[Attempt]", found: "dict[str, list[Table]]"
) -> dict[str, object]:
    return {
        "runs": list(asked.words),
        "evaluations": len(attempts),
        "correct": asked.standard.value,
        "void": sum(one.void for one in attempts),
        "unsound": sum(one.unsound for one in attempts),
        "notes": list(asked.notes),
        "analyses": {name: [one.to_plain() for one in tables] for name, tables in found.items()},
    }


def _print(
    asked: "AnalyzeRequest", attempts: "list[Attempt]", found: "dict[str, list[Table]]"
) -> None:
    to = console()
    if attempts or not asked.kernelbench:
        found = _print_attempts(asked, attempts, found, to)
    _print_found(asked, found, to)


def _print_attempts(
    asked: "AnalyzeRequest",
    attempts: "list[Attempt]",
    found: "dict[str, list[Table]]",
    to: "Console",
) -> "dict[str, list[Table]]":
    """How many there are, and the summary; returns the tables that are still to be printed."""
    void = sum(one.void for one in attempts)
    tasks = format_count(len({one.task for one in attempts}), "task")
    head = f"{format_count(len(attempts), 'evaluation')} of {tasks}"
    if not _any_judged(attempts):
        found = _keep_cost_tables(attempts, found)
        rest = "only requests are counted" if found else "nothing to analyse"
        why = _why_nothing(attempts)
        to.print(f"{head}{why}: nothing was judged, {rest}", markup=False)
    else:
        unsound = sum(one.unsound and not one.void for one in attempts)
        left_out = (f", {void:,} void, not counted" if void else "") + (
            f", {unsound:,} on problems unsound as published, not counted" if unsound else ""
        )
        to.print(head + left_out, markup=False, soft_wrap=True)
        if not asked.named:
            _print_summary(asked, attempts, to, more=not found)
    return found


def _print_found(asked: "AnalyzeRequest", found: "dict[str, list[Table]]", to: "Console") -> None:
    from kernelbenchx.analysis.intervals import FEWEST
    from kernelbenchx.cli.tables import print_tables

    if not found:
        return
    for note in asked.notes:
        to.print(note, markup=False)
    ends = "[low, high] are the ends of a 95 % interval"
    to.print(f"{ends}; a mean over fewer than {FEWEST} tasks has none", markup=False)
    said: set[str] = set()
    for name, tables in found.items():
        to.print()
        to.rule(name, align="left")
        print_tables(tables, to, said)


def _print_summary(
    asked: "AnalyzeRequest", attempts: "list[Attempt]", to: "Console", *, more: bool
) -> None:
    from kernelbenchx.analysis.apply_standard import standard_notes
    from kernelbenchx.analysis.summary import summarize
    from kernelbenchx.cli.analysis_registry import ANALYSES
    from kernelbenchx.cli.analyze_overview import print_at_a_glance

    if more and asked.published and not asked.runs:
        _print_opening(to)
    for note in standard_notes(asked.standard, published=asked.published):
        to.print(note, markup=False)
    print_at_a_glance(summarize(attempts), to)
    if more:
        named, first = " ".join(asked.words), next(iter(ANALYSES))
        said = f"details: --all, or name an analysis, such as kbx analyze {first} {named}"
        to.print(said, markup=False, soft_wrap=True)
    else:
        to.print()


def _print_opening(to: "Console") -> None:
    """Print the paper's headline result before any rate."""
    from kernelbenchx.analysis.published import opening
    from kernelbenchx.cli.tables import print_tables

    print_tables(opening(), to, set())


def _keep_cost_tables(
    attempts: "list[Attempt]", found: "dict[str, list[Table]]"
) -> "dict[str, list[Table]]":
    """Keep only the cost tables where nothing was judged."""
    from kernelbenchx.cli.analysis_registry import COST

    known = COST in found and (not attempts or any(one.rows for one in found[COST]))
    return {COST: found[COST]} if known else {}


def _write(folder: Path, found: "dict[str, list[Table]]") -> None:
    from kernelbenchx.core.errors import BadInput

    try:
        folder.mkdir(parents=True, exist_ok=True)
        count = 0
        for name, tables in found.items():
            for table in tables:
                (folder / f"{_file(name, table.name)}.csv").write_text(
                    table.to_csv(), encoding="utf-8"
                )
                count += 1
    except OSError as error:
        raise BadInput(f"cannot write into {folder}: {error.strerror}") from error
    console(stderr=True).print(f"{count} tables in {folder}", markup=False)


def _file(analysis: str, table: str) -> str:
    """The name of a table, behind that of its analysis unless it begins with it."""
    return table if f"{table}_".startswith(f"{analysis}_") else f"{analysis}_{table}"
