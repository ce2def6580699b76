"""Where a node of the tree stands in the bytes of the text."""

import ast
import io
import re
import tokenize
from functools import cached_property

_LINE_END = re.compile(rb"\r\n|\r|\n")
_QUIET = {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}
_QUIET |= {tokenize.ENDMARKER}


class Positions:
    """Of one text that was parsed."""

    def __init__(self, text: str) -> None:
        self._data = text.encode()

    @cached_property
    def _lines(self) -> list[int]:
        # The parser leaves out a byte order mark and counts from behind it.
        first = 3 if self._data.startswith(b"\xef\xbb\xbf") else 0
        return [first, *(match.end() for match in _LINE_END.finditer(self._data))]

    def start(self, node: ast.expr) -> int:
        """The first byte."""
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr) -> int:
        """One behind the last byte."""
        return self._lines[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)

    def text(self, node: ast.expr) -> str:
        """What is written there."""
        return self._data[self.start(node) : self.end(node)].decode()

    def behind_arguments(self, call: ast.Call) -> tuple[int, str] | None:
        """Where one more keyword fits into a call, and the form of it."""
        start, written = self.start(call), self.text(call)
        try:
            tokens = [
                token
                for token in tokenize.generate_tokens(io.StringIO(written).readline)
                if token.type not in _QUIET
            ]
        except (tokenize.TokenError, SyntaxError):
            return None
        if len(tokens) < 2 or tokens[-1].string != ")":
            return None
        last = tokens[-2]
        lines = written.splitlines(keepends=True)
        row, column = last.end
        before = "".join(lines[: row - 1]) + lines[row - 1][:column]
        forms = {",": " {}={{}},", "(": "{}={{}}"}
        return start + len(before.encode()), forms.get(last.string, ", {}={{}}")
