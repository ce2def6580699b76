"""`kbx certify`: witnesses pass, mutants fail."""

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.added import tasks_option
from kernelbenchx.cli.output import console, print_json

if TYPE_CHECKING:
    from kernelbenchx.certify.certificate import Certificate


@click.command("certify")
@click.argument("tasks", nargs=-1)
@tasks_option
@click.option(
    "--device",
    type=click.Choice(["auto", "cuda", "interpreter"]),
    default="auto",
    show_default=True,
    help="Where kernels run.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=os.cpu_count() or 1,
    help="Tasks at once.  [default: cores]",
)
@click.option("--write", is_flag=True, help="Keep the certificates with the catalogue.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(tasks: tuple[str, ...], device: str, jobs: int, write: bool, as_json: bool) -> int:
    """Certify TASKS (all without one): exit code 1 if a witness fails or a mutant lives."""
    from kernelbenchx.evaluate.extra import require_evaluation_extra

    require_evaluation_extra()
    from kernelbenchx import catalog
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluate.session import Session, resolved

    names = catalog.select(*tasks)
    settings = resolved(Settings(device=device, jobs=jobs))
    # With torch, which nobody should wait for who misspelt a name.
    from kernelbenchx.certify.certifying import certify_all

    def tell(certificate: "Certificate") -> None:
        if not as_json:
            state = "certified" if certificate.certified else "NOT certified"
            print(f"  {certificate.task}: {state}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="kbx-certify-") as folder:
        with Session(settings, Path(folder)) as session:
            found = certify_all(names, session.pipeline, tell)
    if write:
        from kernelbenchx.catalog.certificates import kept_at
        from kernelbenchx.store.certificates import keep

        for path in {kept_at(one.task) for one in found}:
            keep(path, [one for one in found if kept_at(one.task) == path])
    if as_json:
        print_json(_document(found))
    else:
        _show(found)
    return 0 if all(one.certified for one in found) else 1


def _document(found: list["Certificate"]) -> dict[str, Any]:
    from kernelbenchx.core.record import to_plain

    return {
        "tasks": len(found),
        "certified": sum(one.certified for one in found),
        "mutants": sum(one.count("mutant", "patch") for one in found),
        "killed": sum(one.killed("mutant", "patch") for one in found),
        "sabotages": sum(one.count("sabotage") for one in found),
        "sabotages_killed": sum(one.killed("sabotage") for one in found),
        "failed": [{"task": one.task, "problems": list(one.problems)}
                   for one in found if not one.certified],
        "certificates": [to_plain(one) for one in found],
    }  # fmt: skip


def _show(found: list["Certificate"]) -> None:
    from rich.table import Table

    table = Table()
    for column in ("task", "witness", "worst", "mutants", "sabotage", "certified"):
        table.add_column(column)
    for one in found:
        table.add_row(
            one.task,
            one.witness,
            f"{one.worst:.2f}",
            f"{one.killed('mutant', 'patch')}/{one.count('mutant', 'patch')}",
            f"{one.killed('sabotage')}/{one.count('sabotage')}",
            "yes" if one.certified else "[red]no[/red]",
        )
    shown = console()
    shown.print(table)
    for one in found:
        for problem in one.problems:
            shown.print(f"{one.task}: {problem}", markup=False)
