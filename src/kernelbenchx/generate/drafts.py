"""Parses structured replies, as far as they hold what was asked for.

Also how drafts are shown again: cut to a length and fenced, so that no reply can grow the next
prompt without end or close its own quotation.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kernelbenchx.core.text import replace_surrogates
from kernelbenchx.evaluate.extract import defined_names, extract_source

LONGEST_REPLY = 2_000_000
"""Characters; what lies behind is not looked at."""
LONGEST_CODE = 24_000
LONGEST_NOTE = 4_000
"""Characters of a draft, or of what is said about one, that a prompt repeats."""
_TICKS = re.compile(r"`{3,}")
_TRIPLE = re.compile(r"""("code"[ \t\n]{0,99}:[ \t\n]{0,99})((?:\\?"){3}|'{3})""")
"""Code in three quotes, which JSON does not have."""
_ESCAPE = re.compile(r"""\\(["\\/bfnrt]|u[0-9a-fA-F]{4})?""")
"""A backslash, with what JSON allows behind it."""
_OBJECTS = 20
"""Places where an object could begin that are tried."""


@dataclass(frozen=True)
class Draft:
    """A kernel and the plan its author had."""

    strategy: str
    code: str

    @property
    def empty(self) -> bool:
        """Whether the draft holds no code."""
        return not self.code.strip()


def draft_in(text: str, entries: Sequence[str] = ()) -> Draft:
    """From `{"strategy": ..., "code": ...}`, or from whatever stands there instead.

    Of several readings of broken JSON the first whose code is Python counts.
    """
    text = text[:LONGEST_REPLY]
    found: Draft | None = None
    for reading in _readings(text):
        draft = _read_json_draft(reading, entries)
        if draft is not None and (reading is text or defined_names(draft.code) is not None):
            return draft
        found = found or draft
    return found or Draft("", extract_source(text, entries))


def marks_in(text: str, criteria: Sequence[str]) -> float:
    """The sum of marks between 0 and 1; a criterion without a mark has 0."""
    for found in _objects(text[:LONGEST_REPLY]):
        marks = [_mark(found.get(name)) for name in criteria]
        if any(mark is not None for mark in marks):
            return math.fsum(mark or 0.0 for mark in marks)
    return 0.0


def clip_text(text: str, most: int) -> str:
    """The text, or its two ends with a word about what is missing between them."""
    if len(text) <= most:
        return text
    head = most * 2 // 3
    left_out = f"\n[... {len(text) - most} characters left out ...]\n"
    return text[:head] + left_out + text[len(text) - (most - head) :]


def fence_code(text: str, language: str = "python", most: int = LONGEST_CODE) -> str:
    """In a fence that the text cannot close."""
    inside = clip_text(text, most).strip("\n")
    ticks = "`" * max([3, *(len(run) + 1 for run in _TICKS.findall(inside))])
    return f"{ticks}{language}\n{inside}\n{ticks}"


def _read_json_draft(text: str, entries: Sequence[str]) -> Draft | None:
    """What the first object with code says."""
    for found in _objects(text):
        code, said = found.get("code"), found.get("strategy")
        if isinstance(code, list) and all(isinstance(line, str) for line in code):
            code = "\n".join(line.removesuffix("\n") for line in code)
        if isinstance(code, str) and code.strip():
            strategy = replace_surrogates(said).strip() if isinstance(said, str) else ""
            return Draft(
                clip_text(strategy, LONGEST_NOTE), extract_source(replace_surrogates(code), entries)
            )
    return None


def _readings(text: str) -> Iterator[str]:
    """The text, and what it means where its JSON is written as Python would have it."""
    yield text
    if '"code"' not in text:
        return
    opening = _TRIPLE.search(text)
    end = text.rfind(opening[2]) if opening else -1
    if opening and end >= opening.end():
        code = json.dumps(text[opening.end() : end])
        yield text[: opening.end(1)] + code + text[end + len(opening[2]) :]
    yield _ESCAPE.sub(lambda found: found[0] if found[1] else r"\\", text)
    yield _ESCAPE.sub(lambda found: found[0] if found[1] else "", text)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """JSON objects in a text, the first first; line ends inside strings are forgiven."""
    decoder, at = json.JSONDecoder(strict=False), 0
    for _ in range(_OBJECTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        if isinstance(found, dict):
            yield found


def _mark(said: Any) -> float | None:
    """A number as it is or as a word; beyond the scale it counts as its end."""
    if isinstance(said, dict):
        said = said.get("score", said.get("mark"))
    try:
        number = float(said) if isinstance(said, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(number) else min(1.0, max(0.0, number))
