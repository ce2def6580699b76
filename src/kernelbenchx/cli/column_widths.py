"""How wide the columns of a table are, so that it fits the terminal without a broken word."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

_BETWEEN = 2
"""Blanks between columns."""
_NARROWEST = 12
"""Words of a text column are broken only below this width."""


@dataclass(frozen=True)
class Head:
    """A column: its title, whether it holds numbers, and whether it may be left out."""

    title: str
    right: bool
    aside: bool = False


@dataclass(frozen=True)
class TableLayout:
    """Titles and cells with their line breaks, and how wide each column is."""

    heads: list[Head]
    cells: list[list[str]]
    widths: list[int]


def fit_columns(heads: Sequence[Head], cells: Sequence[Sequence[str]], most: int) -> TableLayout:
    """Where it is too wide, first titles are wrapped, then columns aside are left out, intervals
    go below their values, and at last words are wrapped."""
    found = _natural(heads, cells, whole_titles=True)
    if not _too_wide(found, most):
        return found
    found = _natural(heads, cells)
    if _too_wide(found, most):
        kept = [place for place, head in enumerate(heads) if not head.aside]
        found = _natural([heads[at] for at in kept], [[row[at] for at in kept] for row in cells])
    if _too_wide(found, most):
        found = _natural(found.heads, [_stack_intervals(found.heads, row) for row in found.cells])
    _squeeze(found, most)
    return replace(found, heads=list(map(_wrap_title, found.heads, found.widths)))


def harmless(text: str) -> str:
    """On one line and without control characters: the text may be untrusted."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _natural(
    heads: Sequence[Head], cells: Iterable[Sequence[str]], *, whole_titles: bool = False
) -> TableLayout:
    """As wide as the widest cell and the title, or its longest word."""
    held = [list(row) for row in cells]
    titles = ([head.title] if whole_titles else head.title.split() for head in heads)
    widths = [max(map(cell_len, words), default=1) for words in titles]
    for row in held:
        for place, cell in enumerate(row):
            widths[place] = max(widths[place], *map(cell_len, cell.split("\n")))
    return TableLayout(list(heads), held, widths)


def _too_wide(found: TableLayout, most: int) -> bool:
    return sum(found.widths) + _BETWEEN * (len(found.widths) - 1) > most


def _stack_intervals(heads: Sequence[Head], row: Sequence[str]) -> list[str]:
    """An interval on a line of its own."""
    pairs = zip(heads, row, strict=True)
    return [cell.replace(" [", "\n[") if head.right else cell for head, cell in pairs]


def _squeeze(found: TableLayout, most: int) -> None:
    """Take from the widest column of words until all fit, or none can give."""
    words = [place for place, head in enumerate(found.heads) if not head.right]
    while words and _too_wide(found, most):
        widest = max(words, key=lambda place: found.widths[place])
        if found.widths[widest] <= _NARROWEST:
            return
        found.widths[widest] -= 1


def _wrap_title(head: Head, width: int) -> Head:
    lines = textwrap.wrap(head.title, width, break_long_words=False)
    return replace(head, title="\n".join(lines))
