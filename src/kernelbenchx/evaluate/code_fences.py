"""Fenced blocks in a text, read strictly or loosely.

Strictly: a fence begins its line, and only a fence of the same signs, at least as many, closes it.
Loosely: a fence may also open at the end of a line, or inside a block that was left open.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-"
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_FURTHEST = 3
"""Columns that a closing fence may be indented further than its opening fence."""


@dataclass(frozen=True)
class Fence:
    """An opening line."""

    sign: str
    length: int
    indent: int
    language: str

    def is_closed_by(self, line: str, *, loosely: bool) -> bool:
        """Whether a line holds nothing but enough of the same signs."""
        signs = line.strip(" \t")
        if len(signs) < self.length or signs.strip(self.sign):
            return False
        return loosely or _indent(line) <= self.indent + _FURTHEST


def split_fences(lines: list[str], *, loosely: bool) -> Iterator[tuple[Fence, list[str]]]:
    """Every fence with its lines, also a last one that is never closed.

    Each line is read once, whatever a reply contains.
    """
    fence, start = None, 0
    for number, line in enumerate(lines):
        if "```" not in line and "~~~" not in line:
            continue  # most lines, for data sets with many rows
        if fence is None:
            fence, start = (
                parse_opening(line) or (_parse_inline_opening(line) if loosely else None),
                number + 1,
            )
        elif fence.is_closed_by(line, loosely=loosely):
            yield fence, _dedent(lines[start:number], fence.indent)
            fence = None
        elif loosely and (inner := parse_opening(line)) and inner.language:
            yield fence, _dedent(lines[start:number], fence.indent)
            fence, start = inner, number + 1
    if fence is not None:
        yield fence, _dedent(lines[start:], fence.indent)


def parse_opening(line: str) -> Fence | None:
    """A fence at a line's beginning."""
    said = line.lstrip(" \t")
    sign = said[:1]
    about = said.lstrip(sign) if sign in ("`", "~") else said
    length = len(said) - len(about)
    if length < 3 or (sign == "`" and "`" in about):  # closed on this line: inline code
        return None
    about = about.lstrip(" \t{.")
    language = about[: len(about) - len(about.lstrip(_WORD))].lower()
    return Fence(sign, length, _indent(line), language)


def _parse_inline_opening(line: str) -> Fence | None:
    """A fence of ticks behind words, or behind the marker of a list."""
    said = line.rstrip(" \t")
    head = said.rstrip(_WORD).rstrip(" \t")
    words = head.rstrip("`")
    if len(head) - len(words) < 3 or "```" in words:
        return None
    language = said[len(head) :].strip(" \t").lower()
    marker = _MARKER.fullmatch(words)
    return Fence("`", len(head) - len(words), len(words) if marker else _indent(line), language)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _dedent(lines: list[str], indent: int) -> list[str]:
    """Remove the indentation of the block."""
    if indent:
        lines = [line[min(indent, _indent(line)) :] for line in lines]
    first = next((line for line in lines if line.strip()), "")
    return textwrap.dedent("\n".join(lines)).split("\n") if _indent(first) else lines
