"""Cases by scope and dtype, as a table for one evaluation."""

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.number_format import format_count, interval, short
from kernelbenchx.core.failed_scopes import count_not_reached
from kernelbenchx.core.performance import Failed, Timed, Unmeasured
from kernelbenchx.core.scopes import Scope, ScopeCount, sum_dtypes
from kernelbenchx.core.standards import Standard

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.core.evaluation import Evaluation

_ALWAYS = tuple(one for one in Scope if one is not Scope.COMBINED)
"""Scopes that always have a row: without a case they were not judged."""
_MET = {True: "yes", False: "no", None: "not judged"}


def weaker_label(evaluation: "Evaluation") -> str:
    """What to call times of a submission that is not correct: `core`, or the first dtype."""
    basic = evaluation.core_performance is None and evaluation.basic_performance is not None
    return evaluation.first_dtype or "basic" if basic else "core"


def core_times(evaluation: "Evaluation") -> str:
    """`core times: 1.2x [1.1, 1.3] over eager (faster), 2 core cases, 1 left out`, or empty.

    For submissions that are core correct and not correct: nowhere beside times of correct ones.
    Of those that are core correct in the first dtype alone: `float32 times: …`.
    """
    found = evaluation.core_performance or evaluation.basic_performance
    kind_of_times = f"{weaker_label(evaluation)} times"
    if isinstance(found, Timed):
        said = [
            f"{interval(one.speedup, one.low, one.high)} over {one.baseline} "
            f"({one.speed_class.value})"
            for one in found.speedups
        ]
        said.append(format_count(len(found.cases), "core case"))
        said += [f"{len(found.left_out)} left out"] if found.left_out else []
        return f"{kind_of_times}: {', '.join(said)}"
    if isinstance(found, Failed | Unmeasured):
        kind = "failed" if isinstance(found, Failed) else "unmeasured"
        return f"{kind_of_times}: {kind}, {found.reason.value}: {short(found.detail)}"
    return ""


def print_scopes(evaluation: "Evaluation", shown: "Console") -> None:
    """A row for every scope, also where no case of it was judged; a column for every dtype."""
    counts = {one.scope: one for one in sum_dtypes(evaluation.scopes)}
    if not counts:
        return
    lost = count_not_reached(evaluation)
    dtypes = _dtypes(evaluation)
    by_dtype = {(one.scope, one.dtype): one for one in evaluation.scopes}
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("scope", no_wrap=True)
    table.add_column("cases", justify="right")
    table.add_column("passed", justify="right")
    for dtype in dtypes:
        table.add_column(dtype or "other", justify="right")
    table.add_column("verdict", no_wrap=True)
    for scope in (*_ALWAYS, Scope.COMBINED):
        one = counts.get(scope)
        if one is not None:
            each = [_share(by_dtype.get((scope, dtype))) for dtype in dtypes]
            counted_row = scope.value, str(one.total), str(one.passed)
            table.add_row(*counted_row, *each, _verdict(one, lost[scope]))
        elif scope in _ALWAYS:
            table.add_row(scope.value, "", "", *([""] * len(dtypes)), Text("not judged", "dim"))
    shown.print("", table)
    standards = [f"{one.value}: {_MET[evaluation.meets(one)]}" for one in Standard]
    shown.print(Text(f"correct by standard: {', '.join(standards)}"))


def _dtypes(evaluation: "Evaluation") -> list[str]:
    """The first dtype of the task before all others; none where there is only one."""
    found = dict.fromkeys(one.dtype for one in evaluation.scopes)
    order = [one for one in (evaluation.first_dtype,) if one and one in found]
    order += sorted(one for one in found if one not in order and one)
    order += [""] * ("" in found)
    return order if len(order) > 1 else []


def _share(one: ScopeCount | None) -> Text:
    """How many of how many pass."""
    if one is None:
        return Text("")
    return Text(f"{one.passed} of {one.total}", "red" if one.failed else "green")


def _verdict(one: ScopeCount, lost: int) -> Text:
    if not one.failed:
        return Text("passes", "green")
    words = [f"fails {one.failed - lost}"] if one.failed > lost else []
    words += [f"{lost} not reached"] if lost else []
    return Text(", ".join(words), "red" if one.failed > lost else "dim")
