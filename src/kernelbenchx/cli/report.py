"""`kbx report`: a static site from runs."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kernelbenchx.cli.filter_options import wanted_options
from kernelbenchx.cli.number_format import format_count
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.cli.standard_option import COUNTS_AS_CORRECT, standard_option
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from kernelbenchx.analysis.attempt_filter import AttemptFilter
    from kernelbenchx.core.standards import Standard
    from kernelbenchx.report.build import SiteSummary


@click.command("report")
@click.argument("runs", nargs=-1, required=True, type=NamedPath(readable=False))
@click.option("--out", required=True, type=NamedPath(path_type=Path), help="Folder of the site.")
@click.option("--json", "as_json", is_flag=True, help="What was written, as JSON.")
@standard_option(COUNTS_AS_CORRECT)
@wanted_options
def command(
    runs: tuple[str, ...], out: Path, as_json: bool, standard: "Standard", wanted: "AttemptFilter"
) -> None:
    """Write a site about RUNS... that opens from disk: SITE/index.html.

    It needs no server, no network and no installation where it is read; the folder can be copied
    or put on any web server. Several runs, also of several machines, become one report. The word
    `published` in place of runs stands for the results of the paper.

    \b
    kbx report runs/demo --out site
    kbx report published --out paper
    kbx report runs/demo --correct core --out core
    kbx report runs/demo --category Activation --out activation
    """
    built = _build(runs, out, standard, wanted)
    if as_json:
        print_json(
            {
                "site": str(out),
                "page": str(built.page),
                "evaluations": built.evaluations,
                "tasks": built.tasks,
                "methods": built.methods,
                "files": built.files,
            }
        )
        return
    console().print(
        f"{format_count(built.evaluations, 'evaluation')}, {format_count(built.tasks, 'task')}, "
        f"methods: {built.methods}, data files: {built.files}",
        markup=False,
    )
    console().print(f"open {built.page}", markup=False)


def _build(
    runs: tuple[str, ...], out: Path, standard: "Standard", wanted: "AttemptFilter"
) -> "SiteSummary":
    from kernelbenchx.report.build import build
    from kernelbenchx.report.published import WORD, build_published

    with console(stderr=True).status("reading runs") as status:
        if WORD not in runs:
            return build([Path(run) for run in runs], out, status.update, wanted, standard)
        if len(set(runs)) > 1:
            raise BadInput(
                f"{WORD!r} cannot be combined with runs: the paper names no tasks to compare by; "
                f"./{WORD} is the folder of that name"
            )
        if wanted:
            raise BadInput(f"{WORD!r} names no tasks: leave out {wanted.words}")
        return build_published(out)
