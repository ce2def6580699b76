"""`kbx eval`: judge submissions and store the results."""

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.engine import engine_options, take_engine
from kernelbenchx.cli.folder_options import problems_option, tasks_option
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.cli.settings import evaluation_options, settings_of, sizes_option

if TYPE_CHECKING:
    from kernelbenchx.core.evaluation import Evaluation
    from kernelbenchx.core.performance import ReferenceCompilation
    from kernelbenchx.evaluate.intake import Intake

ROWS_PRINTED = 5000
"""After so many rows there is a line, where no terminal shows how far it is."""


@click.command("eval")
@click.argument("sources", nargs=-1, required=True, type=NamedPath(path_type=Path))
@click.option(
    "--out",
    type=NamedPath(path_type=Path),
    default=Path("runs/default"),
    show_default=True,
    help="Run folder; results are added, and finished ones are not repeated.",
)
@click.option("--task", help="The task of all sources, if file names do not contain it.")
@tasks_option
@problems_option
@evaluation_options
@sizes_option
@click.option(
    "--paper-rules",
    is_flag=True,
    help="Apply the papers' own rules, too. A finished run alone gets only these.",
)
@engine_options
@click.option("--all", "every", is_flag=True, help="Every row of the table, also of many.")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON document; raw samples stay in the run."
)
def command(
    sources: tuple[Path, ...], out: Path, every: bool, as_json: bool, **options: Any
) -> int:
    """Evaluate SOURCES: .py files, folders of them, .jsonl data sets, replies, runs.

    The same command again runs only what was not finished. What cannot be read is named, the
    rest is judged, and the exit code is 2.
    """
    from kernelbenchx.evaluate.dependencies import require_evaluation_extra

    if options["stage"] != "check":  # which reads sources and runs nothing
        require_evaluation_extra()
    quiet = as_json and not sys.stderr.isatty()
    if options["paper_rules"] and _is_finished_run(sources, out):
        _add_rules(sources[0], quiet=quiet, every=every, as_json=as_json, options=options)
        return 0
    found = _read(sources, options.pop("task"), quiet=quiet)
    if not as_json:
        from kernelbenchx.cli.not_judged import print_not_judged

        print_not_judged(found.not_judged, out, console(stderr=True))
    evaluations, compiled = _evaluate_submissions(found, out, quiet=quiet, options=options)
    if as_json:
        print_json(_document(out, found, evaluations, compiled))
        return _exit_code(found)
    from kernelbenchx.cli.evaluation_table import print_evaluations
    from kernelbenchx.cli.not_judged import judged_of
    from kernelbenchx.cli.speed_summary import compiling

    print_evaluations(evaluations, out, every=every)
    for line in judged_of(found):
        console().print(line)
    for line in compiling(compiled):
        console().print(line)
    return _exit_code(found)


def _exit_code(found: "Intake") -> int:
    """2 where something could not be read, however much else was judged."""
    return 2 if found.unread else 0


def _is_finished_run(sources: tuple[Path, ...], out: Path) -> bool:
    """Whether a run alone is named, and no other folder for its results."""
    from kernelbenchx.evaluate.run_submissions import is_run

    named = click.get_current_context().get_parameter_source("out")
    own = named is click.core.ParameterSource.DEFAULT or out.resolve() == sources[0].resolve()
    return len(sources) == 1 and own and is_run(sources[0])


def _add_rules(
    run: Path, *, quiet: bool, every: bool, as_json: bool, options: dict[str, Any]
) -> None:
    """Apply the papers' rules to stored evaluations; their verdicts stay as they are."""
    from kernelbenchx.cli.evaluation_json import result
    from kernelbenchx.cli.evaluation_table import print_evaluations
    from kernelbenchx.cli.progress import EvaluationProgress
    from kernelbenchx.evaluator import add_paper_rules

    with EvaluationProgress(quiet=quiet) as progress:
        settings, engine = settings_of(options), take_engine(options)
        found = add_paper_rules(run, settings, engine=engine, watcher=progress)
    if as_json:
        print_json({"run": str(run), "results": list(map(result, found))})
    else:
        print_evaluations(found, run, every=every)


def _read(sources: tuple[Path, ...], task: str | None, *, quiet: bool) -> "Intake":
    """Read the sources and report progress: a large data set takes seconds."""
    from kernelbenchx.evaluator import read_submissions

    shown = console(stderr=True)
    with shown.status("reading submissions") as status:

        def tell(rows: int) -> None:
            status.update(f"reading submissions: {rows:,}")
            if not quiet and not shown.is_terminal and rows % ROWS_PRINTED == 0:
                print(f"reading submissions: {rows:,} rows", file=sys.stderr)

        return read_submissions(*sources, task=task, tell=tell)


def _evaluate_submissions(
    found: "Intake", out: Path, *, quiet: bool, options: dict[str, Any]
) -> tuple[list["Evaluation"], list["ReferenceCompilation"]]:
    from kernelbenchx.cli.progress import EvaluationProgress
    from kernelbenchx.evaluator import Evaluator

    settings, engine = settings_of(options), take_engine(options)
    with (
        Evaluator(settings, out=out, engine=engine) as evaluator,
        EvaluationProgress(quiet=quiet) as progress,
    ):
        evaluations = list(evaluator.map(found, watcher=progress))
        return evaluations, evaluator.compiled


def _document(
    out: Path,
    found: "Intake",
    evaluations: list["Evaluation"],
    compiled: list["ReferenceCompilation"],
) -> dict[str, Any]:
    from kernelbenchx.cli.evaluation_json import result
    from kernelbenchx.core.record import to_plain

    results = [result(one) for one in evaluations]
    counts = Counter(one.verdict.replace(" ", "_") for one in evaluations)
    return {
        "run": str(out),
        "counts": dict(counts),
        "results": results,
        "judged": len(found.submissions),
        "total": found.total,
        "not_judged": dict(Counter(one.why.value for one in found.not_judged)),
        "unknown": found.unknown,
        "unread": found.unread,
        "compiled": to_plain(compiled),
    }
