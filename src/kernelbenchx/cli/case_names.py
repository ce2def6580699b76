"""Names of cases, which are long and without blanks: broken between parameters, not in words."""

import re
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

_PARAMETER = re.compile(r"(?<=,)(?=\w+=)")


@dataclass(frozen=True)
class Breakable:
    """A text with such names in it, as wide as there is room for."""

    text: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Other words are broken as everywhere."""
        lines = (break_line(line, options.max_width) for line in self.text.split("\n"))
        yield Text("\n".join(lines), overflow="fold")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        whole = max(map(cell_len, self.text.split("\n")))
        return Measurement(longest_piece(self.text), whole).with_maximum(options.max_width)


def break_line(line: str, width: int) -> str:
    """With a new line before a parameter that would stick out."""
    lines = [""]
    for piece in _PARAMETER.split(line):
        if lines[-1] and cell_len(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def longest_piece(text: str) -> int:
    """How much room it needs so that no word is broken."""
    return max(cell_len(piece) for word in [*text.split(), ""] for piece in _PARAMETER.split(word))
