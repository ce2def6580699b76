"""Lines of a submission, quoted with their numbers; the place a compiler means, found in it."""

import re
from dataclasses import dataclass

WIDEST = 140
"""Of a quoted line, in characters."""
_POINTED = re.compile(
    r"(?:CompilationError: )?at \d+:\d+:\n(?P<context>.*?)\n(?P<caret> *)\^[^\n]*\n?(?P<said>.*)",
    re.DOTALL,
)
"""How Triton shows a place: lines of the function, a caret under the last of them, the reason."""


@dataclass(frozen=True)
class ErrorLocation:
    """A location in a source, and the message about it."""

    line: int
    """1 is the first; 0 where it is not known."""
    column: int
    """1 is the first; 0 where it is not known."""
    said: str


def lines_of(source: str) -> list[str]:
    """Lines as Python counts them: other separators that Unicode knows end none."""
    return re.split(r"\r\n|\r|\n", source.removesuffix("\n"))


def quote_line(source: str, line: int, column: int = 0) -> str:
    """The line between its neighbours, marked; empty where the source has no such line."""
    lines = lines_of(source)
    if not 1 <= line <= len(lines):
        return ""
    shown = []
    for number in range(max(1, line - 1), min(len(lines), line + 1) + 1):
        mark = ">" if number == line else " "
        text = _cut(lines[number - 1].expandtabs(4).rstrip())
        text = "".join(one if one.isprintable() else "?" for one in text)
        shown.append(f"{mark} {number:4} | {text}".rstrip())
        if number == line and 0 < column <= len(text):
            shown.append(" " * (len(mark) + 6) + "| " + " " * (column - 1) + "^")
    return "\n".join(shown)


def locate_error(said: str, source: str) -> ErrorLocation | None:
    """The place that a message with quoted lines and a caret means; None for other messages."""
    found = _POINTED.match(said)
    if found is None:
        return None
    context = [line for line in found["context"].splitlines() if line.strip()]
    if not context:
        return ErrorLocation(0, 0, found["said"].strip())
    line = _line_of(context, source)
    if not line:
        return ErrorLocation(0, 0, found["said"].strip())
    text = lines_of(source)[line - 1]
    column = len(found["caret"]) - _indentation(context[-1]) + _indentation(text) + 1
    return ErrorLocation(line, max(column, 0), found["said"].strip())


def _line_of(context: list[str], source: str) -> int:
    """The line that ends the longest run of lines equal to the context; 0 where there is none."""
    wanted = [line.strip() for line in context]
    lines = [(n, line.strip()) for n, line in enumerate(lines_of(source), 1) if line.strip()]
    best, found = 0, 0
    for at, (number, text) in enumerate(lines):
        if text != wanted[-1]:
            continue
        agreeing = 0
        for back in range(min(len(wanted), at + 1)):
            if lines[at - back][1] != wanted[-1 - back]:
                break
            agreeing += 1
        if agreeing > best:
            best, found = agreeing, number
    return found


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"
