"""The unified difference of two sources, in bounded time."""

import difflib
import re

MOST_LINES = 2000
"""Longer sources count as replaced altogether: repeated lines cost the square of their number."""
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_NO_END = "\n\\ No newline at end of file\n"


def diff_sources(before: str, after: str) -> str:
    """As `diff -u` writes it; empty where nothing differs."""
    old, new = _LINES.findall(before), _LINES.findall(after)
    if before != after and max(len(old), len(new)) > MOST_LINES:
        found = _replace_all(old, new)
    else:
        found = list(difflib.unified_diff(old, new, "before", "after"))
    return "".join(line if line.endswith("\n") else line + _NO_END for line in found)


def _replace_all(old: list[str], new: list[str]) -> list[str]:
    place = f"@@ -{_span(old)} +{_span(new)} @@\n"
    gone, come = [f"-{line}" for line in old], [f"+{line}" for line in new]
    return ["--- before\n", "+++ after\n", place, *gone, *come]


def _span(lines: list[str]) -> str:
    return f"1,{len(lines)}" if lines else "0,0"
