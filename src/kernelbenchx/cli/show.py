"""`kbx show`: one task as a model sees it, or one kernel of a run with all that is known of it."""

from pathlib import Path

import click

from kernelbenchx.cli.output import print_json
from kernelbenchx.core.errors import BadInput


@click.command("show")
@click.argument("name", metavar="TASK|RUN")
@click.argument("submission", required=False)
@click.option("--reference", is_flag=True, help="The task file's source, reference included.")
@click.option("--cases", is_flag=True, help="The task's cases (loads torch).")
@click.option("--witness", is_flag=True, help="Our own kernel as a submission (loads torch).")
@click.option("--json", "as_json", is_flag=True, help="The statement or the result as JSON.")
def command(
    name: str, submission: str | None, reference: bool, cases: bool, witness: bool, as_json: bool
) -> None:
    """Show TASK, or what became of SUBMISSION in RUN.

    A task: the statement, with no case and no answer in it.

    A result: outcome, times by both clocks, distance to the limits of the card, findings.
    RUN is the folder of a run; SUBMISSION is a submission's name there or the beginning of its
    key, and can be left out where the run holds one. A lone name of a task means the task.

    \b
    kbx show gelu
    kbx show runs/demo gelu__always_tanh
    """
    tasks = _tasks(name) if submission is None else ()
    if tasks:
        if len(tasks) != 1:
            raise BadInput(f"{name} names {len(tasks)} tasks, expected one")
        _show_task(tasks[0], reference=reference, cases=cases, witness=witness, as_json=as_json)
        return
    if reference or cases or witness:
        raise BadInput("--reference, --cases and --witness are about a task, not about a result")
    _show_result(Path(name), submission, as_json=as_json)


def _tasks(name: str) -> tuple[str, ...]:
    """The tasks of that name; none where it is a run."""
    from kernelbenchx import catalog
    from kernelbenchx.store.layout import RunFolder

    try:
        return catalog.select(name)
    except BadInput as error:
        if Path(name).is_file() or RunFolder(Path(name)).database.is_file():
            return ()
        raise BadInput(f"{error}, and no run is there either") from error


def _show_result(run: Path, submission: str | None, *, as_json: bool) -> None:
    from kernelbenchx.store.reading import find

    kept = find(run, submission)
    if as_json:
        from kernelbenchx.cli.document import result

        named = {"run": str(kept.run), "key": kept.key, "created": kept.created}
        print_json(named | result(kept.evaluation))
        return
    from kernelbenchx.cli.result import print_result

    print_result(kept)


def _show_task(name: str, *, reference: bool, cases: bool, witness: bool, as_json: bool) -> None:
    from kernelbenchx import catalog
    from kernelbenchx.catalog.statement import statement
    from kernelbenchx.core.record import to_plain

    if as_json:
        print_json(to_plain(statement(name)))
        return
    if reference:
        print(catalog.path_of(name).read_text(encoding="utf-8"), end="")
    elif cases:
        loaded = catalog.load(name)
        for label, group in (("checks", loaded.checks), ("timings", loaded.timings)):
            print(f"{label}:")
            for case in group:
                print(f"  {case.name}")
    elif witness:
        from kernelbenchx.catalog.witness import witness_source

        print(witness_source(name), end="")
    else:
        print(statement(name).text(), end="")
