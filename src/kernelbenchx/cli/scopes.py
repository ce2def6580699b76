"""Cases by scope, as a table for one evaluation."""

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from kernelbenchx.core.graded import not_reached
from kernelbenchx.core.scopes import Scope, ScopeCount

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.core.evaluation import Evaluation

_ALWAYS = tuple(one for one in Scope if one is not Scope.COMBINED)
"""Scopes that have a row though no case is there: they were not judged."""


def print_scopes(evaluation: "Evaluation", shown: "Console") -> None:
    """A row for every scope, also where no case of it was judged."""
    counts = {one.scope: one for one in evaluation.scopes}
    if not counts:
        return
    lost = not_reached(evaluation)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("scope", no_wrap=True)
    table.add_column("cases", justify="right")
    table.add_column("passed", justify="right")
    table.add_column("verdict", no_wrap=True)
    for scope in (*_ALWAYS, Scope.COMBINED):
        one = counts.get(scope)
        if one is not None:
            row = (scope.value, str(one.total), str(one.passed), _verdict(one, lost[scope]))
            table.add_row(*row)
        elif scope in _ALWAYS:
            table.add_row(scope.value, "", "", Text("not judged", "dim"))
    shown.print("", table)


def _verdict(one: ScopeCount, lost: int) -> Text:
    if not one.failed:
        return Text("passes", "green")
    words = [f"fails {one.failed - lost}"] if one.failed > lost else []
    words += [f"{lost} not reached"] if lost else []
    return Text(", ".join(words), "red" if one.failed > lost else "dim")
