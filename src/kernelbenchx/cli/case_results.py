"""The result of each case, and a map in letters of where an output is wrong."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.case_names import Breakable
from kernelbenchx.core.error_map import NOTHING, ErrorMap, bounds, is_wrong
from kernelbenchx.core.outcome import CaseResult, CaseState, Outcome, Wrong

if TYPE_CHECKING:
    from rich.console import Console

_COLOURS = {
    CaseState.PASSED: "green",
    CaseState.WRONG: "red",
    CaseState.BROKEN: "yellow",
    CaseState.NOT_REACHED: "dim",
}
_SHADES = ((10, "░"), (1000, "▒"), (float("inf"), "▓"))
"""Errors up to so many times the budget."""
_RIGHT, _INFINITE = "·", "█"
_MEANINGS = {
    _RIGHT: "within the budget",
    "░": "up to 10 times the budget",
    "▒": "10 to 1000 times the budget",
    "▓": "over 1000 times the budget",
    _INFINITE: "infinite",
}
_LETTERS = (" ", *_MEANINGS)
_KEY = "· within the budget, ░ up to 10 times, ▒ up to 1000, ▓ more, █ infinite"


def print_cases(cases: tuple[CaseResult, ...], outcome: Outcome, shown: "Console") -> None:
    """The picture of the first wrong case, then a line for every case."""
    if isinstance(outcome, Wrong) and outcome.error_map is not None and outcome.worst is not None:
        shown.print()
        for line in draw_error_map(outcome.error_map, f"{outcome.worst.output} of {outcome.case}"):
            drawn = line[:1] in _LETTERS
            shown.print(Text(line), no_wrap=drawn, overflow="crop" if drawn else "fold")
    if cases:
        shown.print("", _table(cases))


def draw_error_map(picture: ErrorMap, name: str) -> Iterator[str]:
    """Two letters for a cell, so that it is about as high as it is wide.

    Where all cells are alike, one line says so.
    """
    alike = {_shade(letter) for row in picture.rows() for letter in row} - {" "}
    if len(alike) == 1:
        yield f"errors of {name}: {_MEANINGS[alike.pop()]} everywhere"
        return
    down, across = picture.size
    cell = " x ".join(map(str, picture.steps))
    yield f"errors of {name}, as {down} x {across} cells of {cell} elements"
    for row in picture.rows():
        yield "".join(_shade(letter) * 2 for letter in row).rstrip()
    yield _KEY


def _shade(letter: str) -> str:
    if letter == NOTHING:
        return " "
    if not is_wrong(letter):
        return _RIGHT
    low, _ = bounds(letter)
    return next((shade for most, shade in _SHADES if low < most), _INFINITE)


def _table(cases: tuple[CaseResult, ...]) -> Table:
    counts = Counter(one.state for one in cases)
    total = ", ".join(f"{counts[state]} {_words(state)}" for state in CaseState if counts[state])
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column(f"case ({total})", overflow="fold")
    table.add_column("became", no_wrap=True)
    table.add_column("error", justify="right", no_wrap=True)
    details = Counter(one.detail for one in cases if one.detail)
    alike = len(details) == 1 and details.total() > 1
    failed, special = bool(details) and not alike, any(one.needs for one in cases)
    if special:
        table.add_column("needs", overflow="fold")
    if failed:
        table.add_column("how", overflow="fold")
    for one in cases:
        error = "" if one.error is None else f"{one.error:.3g}"
        became = Text(_words(one.state), _COLOURS[one.state])
        row: list[Breakable | Text] = [Breakable(one.case), became, Text(error)]
        row += [Text(", ".join(one.needs))] if special else []
        row += [Text(one.detail)] if failed else []
        table.add_row(*row)
    if alike:
        table.caption = Text(f"each of the {details.total()}: {next(iter(details))}")
        table.caption_justify = "left"
    return table


def _words(state: CaseState) -> str:
    return state.value.replace("_", " ")
