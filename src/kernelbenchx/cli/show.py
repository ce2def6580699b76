"""`kbx show`: one task as a model sees it; more of it for people."""

import click

from kernelbenchx.cli.output import print_json


@click.command("show")
@click.argument("task")
@click.option("--reference", is_flag=True, help="The task file's source, reference included.")
@click.option("--cases", is_flag=True, help="The cases (loads torch).")
@click.option("--witness", is_flag=True, help="Our own kernel as a submission (loads torch).")
@click.option("--json", "as_json", is_flag=True, help="The statement as JSON.")
def command(task: str, reference: bool, cases: bool, witness: bool, as_json: bool) -> None:
    """Show TASK: the statement, with no case and no answer in it."""
    from kernelbenchx import catalog
    from kernelbenchx.catalog.statement import statement
    from kernelbenchx.core.errors import BadInput
    from kernelbenchx.core.record import to_plain

    chosen = catalog.select(task)
    if len(chosen) != 1:
        raise BadInput(f"{task} names {len(chosen)} tasks, expected one")
    name = chosen[0]
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
