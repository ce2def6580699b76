"""Cases by scope, as a table for one evaluation."""

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.figures import counted, interval, short
from kernelbenchx.core.graded import not_reached
from kernelbenchx.core.performance import Failed, Timed, Unmeasured
from kernelbenchx.core.scopes import Scope, ScopeCount, sum_dtypes

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.core.evaluation import Evaluation

_ALWAYS = tuple(one for one in Scope if one is not Scope.COMBINED)
"""Scopes that have a row though no case is there: they were not judged."""


def core_times(evaluation: "Evaluation") -> str:
    """`core times: 1.2x [1.1, 1.3] over eager (faster), 2 core cases, 1 left out`, or empty.

    For submissions that are core correct and not correct: nowhere beside times of correct ones.
    """
    found = evaluation.core_performance
    if isinstance(found, Timed):
        said = [
            f"{interval(one.speedup, one.low, one.high)} over {one.baseline} "
            f"({one.speed_class.value})"
            for one in found.speedups
        ]
        said.append(counted(len(found.cases), "core case"))
        said += [f"{len(found.left_out)} left out"] if found.left_out else []
        return f"core times: {', '.join(said)}"
    if isinstance(found, Failed | Unmeasured):
        kind = "failed" if isinstance(found, Failed) else "unmeasured"
        return f"core times: {kind}, {found.reason.value}: {short(found.detail)}"
    return ""


def print_scopes(evaluation: "Evaluation", shown: "Console") -> None:
    """A row for every scope, also where no case of it was judged."""
    counts = {one.scope: one for one in sum_dtypes(evaluation.scopes)}
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
