"""`kbx report`: a static site from runs."""

from pathlib import Path

import click

from kernelbenchx.cli.figures import counted
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.paths import NamedPath


@click.command("report")
@click.argument("runs", nargs=-1, required=True, type=NamedPath(path_type=Path))
@click.option("--out", required=True, type=NamedPath(path_type=Path), help="Folder of the site.")
@click.option("--json", "as_json", is_flag=True, help="What was written, as JSON.")
def command(runs: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Write a site about RUNS... that opens from disk: SITE/index.html.

    It needs no server, no network and no installation where it is read; the folder can be copied
    or put on any web server. Several runs, also of several machines, become one report.

    \b
    kbx report runs/demo --out site
    """
    from kernelbenchx.report.build import build

    said = console(stderr=True)
    with said.status("reading runs") as status:
        built = build(runs, out, tell=status.update)
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
        f"{counted(built.evaluations, 'evaluation')}, {counted(built.tasks, 'task')}, "
        f"methods: {built.methods}, data files: {built.files}",
        markup=False,
    )
    console().print(f"open {built.page}", markup=False)
