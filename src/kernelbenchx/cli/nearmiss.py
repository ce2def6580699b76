"""`kbx nearmiss`: how often a run catches kernels that break one clause of a statement."""

import sys
from typing import TYPE_CHECKING, Any

import click

from kernelbenchx.cli.output import console, print_json

if TYPE_CHECKING:
    from kernelbenchx.nearmisses.running import NearMissResult


@click.command("nearmiss")
@click.argument("tasks", nargs=-1)
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="Seeds for each near miss.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(tasks: tuple[str, ...], seeds: int, as_json: bool) -> int:
    """Run kernels that break one clause of the statement of TASKS (all without one).

    They run in the interpreter. Exit code 1 if runs catch fewer than 95 % of them, as a mean over
    the seeds.
    """
    from kernelbenchx.evaluate.dependencies import require_evaluation_extra

    require_evaluation_extra()
    from kernelbenchx import catalog
    from kernelbenchx.core.settings import Settings
    from kernelbenchx.evaluator import Evaluator

    names = catalog.select(*tasks)
    settings = Settings(device="interpreter", jobs=1)
    # Imported late: torch takes a second to load, and a misspelt task name is an error before that.
    from kernelbenchx.nearmisses.running import LEAST_RATE, run_near_misses

    def tell(one: "NearMissResult") -> None:
        if not as_json:
            line = f"  {one.task}: caught in {one.caught} of {one.seeds}: {one.clause}"
            print(line, file=sys.stderr, flush=True)

    with Evaluator(settings) as evaluator:
        # The stages themselves: a near miss runs under many seeds, each until a case fails.
        found = run_near_misses(names, evaluator.session.pipeline, range(1, seeds + 1), tell)
    document = _document(found)
    if as_json:
        print_json(document)
    else:
        _show(document)
    return 0 if document["rate"] is None or document["rate"] >= LEAST_RATE else 1


def _document(found: list["NearMissResult"]) -> dict[str, Any]:
    from kernelbenchx.core.record import to_plain

    rates = [one.rate for one in found]
    return {
        "near_misses": len(found),
        "rate": sum(rates) / len(rates) if rates else None,
        "missing_axes": [to_plain(one) for one in found if one.is_missing_axis],
        "results": [to_plain(one) for one in found],
    }


def _show(document: dict[str, Any]) -> None:
    from rich.table import Table

    shown = console()
    if document["missing_axes"]:
        table = Table(title="Caught in fewer than half of the runs")
        for column in ("task", "clause", "caught"):
            table.add_column(column)
        for one in document["missing_axes"]:
            table.add_row(one["task"], one["clause"], f"{one['caught']}/{one['seeds']}")
        shown.print(table)
    rate = "none" if document["rate"] is None else f"{document['rate']:.1%}"
    shown.print(f"{document['near_misses']} near misses, caught: {rate}")
