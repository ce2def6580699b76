"""Edits of a source text at places that its syntax tree names."""

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """One piece of a source replaced by another."""

    operator: str
    """The kind of mistake."""
    line: int
    start: int
    end: int
    new: str
    note: str = ""
    """What it does, where old and new text do not say it."""


class SourceText:
    """A source with the offsets of its syntax nodes."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def offset(self, line: int, column: int) -> int:
        """Of a line, counted from 1, and a column in UTF-8 bytes, as `ast` gives them."""
        before = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(before)

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Where the node begins."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Behind its last character."""
        return self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def text(self, node: ast.expr | ast.stmt) -> str:
        """As it stands in the source."""
        return self.source[self.start(node) : self.end(node)]

    def replace(self, operator: str, node: ast.expr | ast.stmt, new: str, note: str = "") -> Edit:
        """The edit that puts another text in the node's place."""
        return Edit(operator, node.lineno, self.start(node), self.end(node), new, note)

    def replace_between(
        self, operator: str, left: ast.expr, right: ast.expr, symbols: tuple[str, str]
    ) -> Edit | None:
        """The edit of an operator's symbol between two operands."""
        old, new = symbols
        at = self.source.find(old, self.end(left), self.start(right))
        if at < 0:
            return None
        line = self.source.count("\n", 0, at) + 1
        return Edit(operator, line, at, at + len(old), new)

    def apply(self, edit: Edit) -> str:
        """The source after the edit."""
        return self.source[: edit.start] + edit.new + self.source[edit.end :]

    def describe(self, edit: Edit) -> str:
        """One line that names place and change."""
        old = " ".join(self.source[edit.start : edit.end].split())
        new = " ".join(edit.new.split())
        change = edit.note or f"`{old}` to `{new}`"
        return f"line {edit.line}, column {edit.start - self._starts[edit.line - 1] + 1}: {change}"
