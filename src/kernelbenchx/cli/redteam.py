"""`kbx redteam`: the attack suite against this installation."""

import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kernelbenchx.cli.engine import NodeNotes, engine_options, take_engine
from kernelbenchx.cli.output import console, print_json
from kernelbenchx.cli.settings import isolation_option
from kernelbenchx.core.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.attacks.attack import Attack, Control
    from kernelbenchx.attacks.results import RedteamReport, Result

T = TypeVar("T", "Attack", "Control")


@click.command("redteam")
@click.argument("names", nargs=-1)
@click.option(
    "--show", metavar="NAME", help="Print the source of one attack or control, and do nothing else."
)
@click.option(
    "--no-checks", is_flag=True, help="Switch off the source checks, to test the other defences."
)
@isolation_option("submissions")
@click.option(
    "--device",
    type=click.Choice(["auto", "cuda", "interpreter"]),
    default="auto",
    show_default=True,
    help="Where kernels run.",
)
@click.option(
    "--stage",
    type=click.Choice(["exe", "perf"]),
    default="exe",
    show_default=True,
    help="What is attacked: verdicts, or times (needs a GPU).",
)
@engine_options
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(
    names: tuple[str, ...],
    show: str | None,
    no_checks: bool,
    isolation: str,
    device: str,
    stage: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Run the attacks and controls NAMES (all without one); exit code 1 if anything gets through.

    NAMES are names, globs or classes: v1_prints_a_verdict, 'x5_*', N10.
    """
    from kernelbenchx.attacks.attack import attacks, controls, timing_attacks, timing_controls
    from kernelbenchx.core.outcome import Stage
    from kernelbenchx.evaluate.dependencies import require_evaluation_extra

    if show is not None:
        found: list[Attack | Control] = [*attacks(), *timing_attacks()]
        found += [*controls(), *timing_controls()]
        print(_source(found, show), end="")
        return 0
    require_evaluation_extra()
    tried, honest = _select_named(attacks(), names), _select_named(controls(), names)
    on_the_clock, timed = (
        _select_named(timing_attacks(), names),
        _select_named(timing_controls(), names),
    )
    left = [one.name for one in on_the_clock]
    if stage == "perf":
        tried, honest, left = on_the_clock, timed, []
    if not tried and not honest:
        raise BadInput(_nothing(names, left or timed))
    # Imported late: torch takes a second to load, and a misspelt name is an error before that.
    from kernelbenchx.attacks.suite_run import against

    report = against(
        attacks=tried,
        controls=honest,
        checks=not no_checks,
        isolation=isolation,
        device=device,
        stage=Stage(stage),
        tell=(lambda _: None) if as_json else _tell,
        engine=take_engine(options),
        listener=NodeNotes(),
    )
    if as_json:
        print_json({**_document(report), "stage": stage, "not_tried": left})
    else:
        _show(report)
        if left:
            print(f"{len(left)} attacks on times not tried: they need a GPU (--stage perf)")
    return 0 if report.held else 1


def _source(found: "Sequence[Attack | Control]", name: str) -> str:
    for one in found:
        if one.name == name:
            return one.source
    raise BadInput(f"unknown attack or control: {name}")


def _nothing(names: tuple[str, ...], timing: Sequence[object]) -> str:
    if timing:
        return f"{', '.join(names)}: attacks on times need a GPU (--stage perf --device cuda)"
    return f"unknown attack or control: {', '.join(names)}"


def _select_named(found: "tuple[T, ...]", names: tuple[str, ...]) -> "list[T]":
    return [one for one in found if not names or any(_means(name, one) for name in names)]


def _means(name: str, one: "Attack | Control") -> bool:
    return fnmatch(one.name, name) or getattr(one, "ident", "") == name


def _tell(result: "Result") -> None:
    state = "ok" if result.ok else ("not contained" if not result.contained else "THROUGH")
    print(f"  {result.name}: {_got(result)} ({state})", file=sys.stderr, flush=True)


def _document(report: "RedteamReport") -> dict[str, Any]:
    from kernelbenchx.core.record import to_plain

    return {
        "attacks": len(report.attacks),
        "stopped": len(report.stopped),
        "controls": len(report.controls),
        "passed": sum(one.ok for one in report.controls),
        "through": [one.name for one in report.through],
        "beyond": [one.name for one in report.beyond],
        "level": report.level,
        "missing": list(report.missing),
        "checks": report.checks,
        "environment": to_plain(report.environment),
        "results": [_row(one) for one in (*report.attacks, *report.controls)],
    }


def _row(one: "Result") -> dict[str, Any]:
    from dataclasses import asdict

    row = asdict(one)
    row["class"] = row.pop("ident")
    return row


def _show(report: "RedteamReport") -> None:
    from kernelbenchx.cli.provenance import setting

    shown = console()
    here = setting(report.environment, report.level, report.missing, checks=report.checks)
    shown.print(here, markup=False, soft_wrap=True)
    tried = [one for one in report.attacks if one.contained]
    _print_rows(shown, ("class", "attack", "got", "stopped by"), [*map(_attack, tried)])
    honest = [*map(_control, report.controls)]
    _print_rows(shown, ("control", "example of", "got", "time"), honest)
    passed = sum(one.ok for one in report.controls)
    shown.print(
        f"{len(report.stopped)} of {len(report.attacks)} attacks stopped at {report.level}; "
        f"{len(report.through)} got through; {passed} of {len(report.controls)} controls passed"
    )
    if report.beyond:
        named = ", ".join(one.name for one in report.beyond)
        shown.print(f"not contained at {report.level}: {named}", markup=False)


def _print_rows(
    shown: "Console", columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]
) -> None:
    """A table of the columns with anything in them; none where there are no rows."""
    from rich.table import Table
    from rich.text import Text

    filled = [at for at in range(len(columns)) if any(row[at] for row in rows)]
    table = Table()
    for at in filled:
        table.add_column(columns[at], overflow="fold")
    for row in rows:
        table.add_row(*(Text(row[at]) for at in filled))
    if rows:
        shown.print(table)


def _attack(one: "Result") -> tuple[str, ...]:
    by = one.stopped_by if one.ok else f"THROUGH: {'; '.join(one.problems)}"
    return one.ident, one.name, _got(one), by


def _control(one: "Result") -> tuple[str, ...]:
    """What it is an example of is the first line of its file, without the full stop."""
    timed = one.tier if one.speedup is None else f"{one.tier}, {one.speedup:.2f}x over eager"
    got = _got(one) if one.ok else f"FAILED: {'; '.join(one.problems)}"
    return one.name, one.what.removesuffix("."), got, timed


def _got(one: "Result") -> str:
    return f"{one.got or 'not tried'} {one.performance}".rstrip()
