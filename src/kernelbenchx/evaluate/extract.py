"""The source inside what a model replied: out of its fence, without a stray test section."""

import re

_FENCE = re.compile(r"^[ \t]*```[ \t]*([A-Za-z0-9_+-]*)[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.S | re.M)
_OPEN_FENCE = re.compile(r"^[ \t]*```[ \t]*[A-Za-z0-9_+-]*[^\n]*\n", re.M)
SEPARATOR = "#" * 146
"""The published format puts the task's own tests below such a line."""


def extract_source(text: str) -> str:
    """The program in a reply; text without a fence is taken as it is."""
    # Leading lines stay: an error's line must be the line of the file.
    return _without_tests(_out_of_fence(text)).rstrip("\n") + "\n"


def _out_of_fence(text: str) -> str:
    blocks = _FENCE.findall(text)
    if blocks:
        python = [body for language, body in blocks if language.lower() in ("python", "py", "")]
        # A reply that shows pieces first ends with or contains the whole: the longest is it.
        return str(max(python or [body for _, body in blocks], key=len))
    opened = _OPEN_FENCE.search(text)
    if opened is not None and text[: opened.start()].strip() == "":
        return text[opened.end() :]  # a reply cut off before its fence was closed
    return text


def _without_tests(text: str) -> str:
    kept = []
    for line in text.splitlines():
        if line.strip() == SEPARATOR:
            break
        kept.append(line)
    return "\n".join(kept)
