"""`kbx study`: a whole experiment from one file."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.engine import engine_options, take_engine
from kernelbenchx.cli.model_options import in_flight_option, timeout_option
from kernelbenchx.cli.number_format import format_count, one_line
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.cli.settings import isolation_option, jobs_option

if TYPE_CHECKING:
    from kernelbenchx.cli.study_summary import CellEnd
    from kernelbenchx.study.checking import CheckedStudy
    from kernelbenchx.study.running import CellRunner, StudyMachine


@click.command("study")
@click.argument("file", metavar="FILE")
@click.option("--out", type=NamedPath(path_type=Path), help="Folder of the study.")
@click.option("--check", is_flag=True, help="Check FILE, say what it costs, and stop.")
@click.option("--print", "shown", is_flag=True, help="Print FILE and stop.")
@click.option("--model", "models", multiple=True, help="Instead of the models of FILE.")
@click.option("--tasks", help="Instead of the tasks of FILE; names or globs, with commas.")
@jobs_option("Submissions")
@isolation_option("submissions")
@engine_options
@in_flight_option
@timeout_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(file: str, out: Path | None, as_json: bool, **options: Any) -> int:
    """Run the experiment of FILE: every method with every model, then tables and a report.

    FILE is a TOML file, or the name of a study that comes with kbx: feedback, five_methods,
    kernelbench. All of it is checked before the first request; every mistake is one line.
    Repeat the command to resume: nothing that was answered is asked again.

    \b
    kbx study feedback --check
    kbx study feedback --print > feedback.toml
    kbx study feedback.toml --out studies/feedback
    """
    from kernelbenchx.study.checking import BadStudy
    from kernelbenchx.study.read_study import find_file, read_table

    path = find_file(file)
    if options["shown"]:
        read_table(path)
        print(path.read_text(encoding="utf-8"), end="")
        return 0
    try:
        checked = _check_file(path, options)
    except BadStudy as error:
        for mistake in error.mistakes:
            print(f"kbx: {one_line(mistake)}", file=sys.stderr)
        return 2
    if options["check"]:
        _announce(checked, as_json=as_json)
        return 0
    if out is None:
        raise click.UsageError("Missing option '--out': the folder of the study.")
    return _run_with_engine(checked, out, options, as_json=as_json)


def _check_file(path: Path, options: dict[str, Any]) -> "CheckedStudy":
    from kernelbenchx.cli.task_choice import chosen_tasks
    from kernelbenchx.study.checking import check_study

    instead: dict[str, Any] = {}
    if options["models"]:
        instead["models"] = list(options["models"])
    if options["tasks"]:
        instead["tasks"] = [options["tasks"]]
    return check_study(path, chosen_tasks, instead)


def _announce(checked: "CheckedStudy", *, as_json: bool) -> None:
    from kernelbenchx.cli import study_summary
    from kernelbenchx.study.checking import missing_keys

    needs = missing_keys(checked.cells, os.environ)
    if as_json:
        print_json(study_summary.plan_document(checked, needs))
    else:
        study_summary.print_plan(checked, console())
        for line in needs:
            print(f"needs a key: {line}")


def _run_with_engine(
    checked: "CheckedStudy", out: Path, options: dict[str, Any], *, as_json: bool
) -> int:
    """All cells on the same machines, whose workers stay warm between them."""
    from kernelbenchx.cluster.engine import open_engine
    from kernelbenchx.core.errors import BadInput
    from kernelbenchx.evaluate.dependencies import require_evaluation_extra
    from kernelbenchx.study.checking import missing_keys
    from kernelbenchx.study.running import StudyMachine, wanted_settings

    require_evaluation_extra()
    if missing := missing_keys(checked.cells, os.environ):
        raise BadInput("; ".join(missing))
    machine = StudyMachine(
        jobs=options["jobs"],
        isolation=options["isolation"],
        in_flight=options["in_flight"],
        timeout_s=options["timeout"],
        environment=os.environ,
    )
    with open_engine(take_engine(options), wanted_settings(checked, machine)) as engine:
        return _run(checked, out, replace(machine, engine=engine), as_json=as_json)


def _run(checked: "CheckedStudy", out: Path, machine: "StudyMachine", *, as_json: bool) -> int:
    from kernelbenchx.cli import study_summary
    from kernelbenchx.cli.study_tables import write_tables
    from kernelbenchx.core.errors import BadInput
    from kernelbenchx.core.standards import Standard
    from kernelbenchx.report.build import build
    from kernelbenchx.study.folder import StudyFolder
    from kernelbenchx.study.running import CellRunner, settings_for

    settings, folder = settings_for(checked, machine), StudyFolder(out)
    seed = folder.begin(checked.study)
    runner = CellRunner(
        checked=checked, folder=folder, settings=settings, machine=machine, seed=seed
    )
    told = console(stderr=True)
    study_summary.print_plan(checked, told)
    ends = [_one(runner, number, as_json=as_json) for number in range(len(checked.cells))]
    runs = [folder.run(cell) for cell in checked.cells]
    if not any(one.judged for one in ends):
        raise BadInput(f"nothing was judged: {study_summary.reason(ends)}; repeat the command")
    with told.status("analysing"):
        standard = Standard(checked.study.correct)
        summary = write_tables(runs, folder.tables, standard)
        built = build(runs, folder.report, standard=standard)
    if as_json:
        print_json(study_summary.document(checked, folder, ends, seed))
    else:
        study_summary.print_ends(ends, console())
        study_summary.print_summary(summary, console())
        print(f"tables in {folder.tables}; open {built.page}")
    return int(any(one.incomplete for one in ends))


def _one(runner: "CellRunner", number: int, *, as_json: bool) -> "CellEnd":
    """One cell, with its own view of how far it is."""
    from kernelbenchx.cli.generation_progress import GenerationProgress
    from kernelbenchx.cli.study_summary import CellEnd
    from kernelbenchx.core.standards import Standard

    cells, standard = runner.checked.cells, Standard(runner.checked.study.correct)
    cell, quiet = cells[number], as_json and not sys.stderr.isatty()
    if not quiet:
        place = f"[{number + 1}/{len(cells)}]"
        print(f"{place} {cell.words}: {format_count(len(runner.checked.study.tasks), 'task')}",
              file=sys.stderr)  # fmt: skip
    with GenerationProgress(quiet=quiet, standard=standard) as progress:
        lost = runner.run(cell, progress, progress.watch_model)
    meter = replace(progress.read_meter(), lost=lost)
    return CellEnd(cell, progress.tally, meter, runner.folder.run(cell))
