"""`kbx query`: read-only SQL over everything recorded."""

import os
from pathlib import Path

import click

from kernelbenchx.cli.number_types import Finite
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.path_types import NamedPath
from kernelbenchx.core.errors import BadInput


@click.command("query")
@click.argument(
    "words", nargs=-1, required=True, type=NamedPath(readable=False), metavar="RUNS... SQL"
)
@click.option(
    "--time-limit",
    type=Finite(0.1, 86400),
    default=60.0,
    show_default=True,
    help="Time limit for the query, in seconds.",
)
@click.option("--json", "as_json", is_flag=True, help="Rows as a JSON list of objects.")
def command(words: tuple[str, ...], time_limit: float, as_json: bool) -> None:
    """Ask RUNS... in SQL; every table has a column `run`.

    \b
    evaluations   one row per submission
    timings       one row per timed case, baseline and clock
    samples       the raw samples of these times
    core_timings  times of submissions that are core correct but not correct
    basic_timings the same of those that are basic but not core correct
    scopes        passed cases by scope
    exchanges     one row per request to a model
    trials        one row per run of a model's own test
    feedback      evaluations that a method learned from
    others        not_judged, sources, statements, meta, pending_requests

    \b
    kbx query runs/demo "select outcome, count(*) from evaluations group by outcome"
    kbx query runs/demo "select submission, case_name, clock, t.speedup from timings t
                         join evaluations using (run, key)"
    kbx query runs/demo "select task, sum(prompt_tokens + completion_tokens) from exchanges
                         group by task"
    """
    from kernelbenchx.store.query import ask

    *runs, sql = words
    if os.path.exists(sql):  # noqa: PTH110 - a query may be longer than the name of any file
        raise BadInput(f"no SQL after {sql}: expected RUNS... SQL")
    if not runs:
        raise BadInput("no run: expected RUNS... SQL")
    answer = ask([Path(run) for run in runs], sql, time_limit)
    if as_json:
        print_json([dict(zip(answer.columns, row, strict=True)) for row in answer.rows])
        return
    from kernelbenchx.cli.query_table import print_rows

    print_rows(answer.columns, answer.rows, console())
