"""The source inside what a model replied: out of its fence, without a stray test section."""

import re

_OPENING = re.compile(r"[ \t]*```[ \t]*([A-Za-z0-9_+-]*)")
_CLOSING = re.compile(r"[ \t]*```[ \t]*$")
_PYTHON = ("python", "py", "")
SEPARATOR = "#" * 146
"""The published format puts the task's own tests below such a line."""


def extract_source(text: str) -> str:
    """The program in a reply; text without a fence is taken as it is."""
    # Leading lines stay: an error's line must be the line of the file.
    return _without_tests(_out_of_fence(text)).rstrip("\n") + "\n"


def _out_of_fence(text: str) -> str:
    blocks, left_open = _blocks(text.split("\n"))
    if blocks:
        python = [body for language, body in blocks if language in _PYTHON]
        # A reply that shows pieces first ends with or contains the whole: the longest is it.
        return max(python or [body for _, body in blocks], key=len)
    if left_open is not None:
        return left_open  # a reply cut off before its fence was closed
    return text


def _blocks(lines: list[str]) -> tuple[list[tuple[str, str]], str | None]:
    """Language and body of every block, and what a fence at the very beginning leaves open.

    Each line is looked at once, whatever a reply is made of.
    """
    blocks: list[tuple[str, str]] = []
    language, start, first = "", 0, next((n for n, line in enumerate(lines) if line.strip()), 0)
    for number, line in enumerate(lines):
        if start and _CLOSING.match(line):
            blocks.append((language, "".join(f"{one}\n" for one in lines[start:number])))
            start = 0
        elif not start and (opening := _OPENING.match(line)):
            language, start = opening[1].lower(), number + 1
    cut_off = start == first + 1 and start < len(lines)
    return blocks, "\n".join(lines[start:]) if cut_off else None


def _without_tests(text: str) -> str:
    kept = []
    for line in text.splitlines():
        if line.strip() == SEPARATOR:
            break
        kept.append(line)
    return "\n".join(kept)
