"""`kbx certify`: witnesses pass, mutants fail."""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.added import tasks_option
from kernelbenchx.cli.output import console, print_json

if TYPE_CHECKING:
    from kernelbenchx.certify.certificate import Certificate
    from kernelbenchx.certify.mutation.summary import MutationSummary
    from kernelbenchx.evaluate.pipeline import Pipeline


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
@click.option("--mutate", is_flag=True, help="Run automatic mutants of the witnesses.")
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="Seeds for each automatic mutant.",
)
@click.option("--write", is_flag=True, help="Save certificates and mutation results.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(
    tasks: tuple[str, ...],
    device: str,
    jobs: int,
    mutate: bool,
    seeds: int,
    write: bool,
    as_json: bool,
) -> int:
    """Certify TASKS (all without one): exit code 1 if one is not certified.

    Without --mutate the mutation results that are shipped with the catalogue count.
    """
    from kernelbenchx.evaluate.extra import require_evaluation_extra

    require_evaluation_extra()
    from kernelbenchx import catalog
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluator import Evaluator

    names = catalog.select(*tasks)
    settings = Settings(device=device, jobs=jobs)
    # Imported late: a misspelt name is refused before torch is loaded.
    from kernelbenchx.certify.certifying import certify_all
    from kernelbenchx.certify.mutation.results import FOLDER
    from kernelbenchx.certify.mutation.running import load_summary, run_mutants

    def tell(certificate: "Certificate") -> None:
        if not as_json:
            print(f"  {certificate.task}: {certificate.grade}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="kbx-certify-") as folder:
        results = FOLDER if write else Path(folder) / "results"
        if not write and FOLDER.is_dir():
            shutil.copytree(FOLDER, results)

        def mutation(name: str, pipeline: "Pipeline") -> "MutationSummary":
            if mutate:
                return run_mutants(name, pipeline, seeds, results)
            return load_summary(name, results)

        with Evaluator(settings) as evaluator:
            # The stages themselves: mutants run under many seeds, each until a case fails.
            found = certify_all(names, evaluator.session.pipeline, tell, mutation)
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
        "imported": sum(not one.certified for one in found),
        "mutants": sum(one.count("mutant", "patch") for one in found),
        "killed": sum(one.killed("mutant", "patch") for one in found),
        "sabotages": sum(one.count("sabotage") for one in found),
        "sabotages_killed": sum(one.killed("sabotage") for one in found),
        "failed": [{"task": one.task, "problems": list(one.problems)}
                   for one in found if not one.certified],
        "mutation": _mutation(found),
        "certificates": [to_plain(one) for one in found],
    }  # fmt: skip


def _mutation(found: list["Certificate"]) -> dict[str, Any]:
    """Automatic mutants of all tasks; `rate` is the share that one run kills."""
    from kernelbenchx.core.record import to_plain

    ran = [one.mutation for one in found if one.mutation is not None and one.mutation.mutants]
    mutants = sum(one.mutants for one in ran)
    killed = sum(one.rate * one.mutants for one in ran)
    return {
        "mutants": mutants,
        "killed": round(killed, 2),
        "rate": killed / mutants if mutants else None,
        "equivalent": sum(len(one.equivalents) for one in ran),
        "by_task": {one.task: to_plain(one) for one in ran},
    }


def _show(found: list["Certificate"]) -> None:
    from rich.table import Table

    table = Table()
    for column in ("task", "witness", "worst", "mutants", "sabotage", "automatic", "grade"):
        table.add_column(column)
    for one in found:
        table.add_row(
            one.task,
            one.witness,
            f"{one.worst:.2f}",
            f"{one.killed('mutant', 'patch')}/{one.count('mutant', 'patch')}",
            f"{one.killed('sabotage')}/{one.count('sabotage')}",
            f"{one.mutation.rate:.0%}" if one.mutation and one.mutation.mutants else "not run",
            one.grade if one.certified else f"[red]{one.grade}[/red]",
        )
    shown = console()
    shown.print(table)
    for one in found:
        for problem in one.problems:
            shown.print(f"{one.task}: {problem}", markup=False)
        for mutant in one.mutation.survivors if one.mutation else ():
            lived = f"lives in {mutant.seeds - mutant.killed} of {mutant.seeds} runs"
            shown.print(f"{one.task}: {lived}: {mutant.mutant}", markup=False)
