"""The page on the published results says what the analysis finds."""

import re
from functools import cache
from pathlib import Path

import pytest

from script_files import script

ROOT = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"\d+(?:\.\d+)?")
DRAWN = ("## The outcome", "## What the answer depends on", "## Intervals by task")
"""Sections with numbers drawn at random: another version of numpy may draw others."""
APART = 0.6
"""How far such numbers may be from those in the page, in percent."""


@cache
def _written() -> str:
    text = script("write_published").document()
    assert isinstance(text, str)
    return text


def _sections(text: str) -> list[str]:
    return re.split(r"^(?=## )", text, flags=re.M)


def _numbers(text: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(text)]


def _same(kept: str, found: str) -> bool:
    if not kept.startswith(DRAWN):
        return kept == found
    words = [NUMBER.sub("#", " ".join(text.split())) for text in (kept, found)]
    near = [abs(a - b) <= APART for a, b in zip(_numbers(kept), _numbers(found), strict=False)]
    return words[0] == words[1] and all(near)


def test_the_page_is_up_to_date() -> None:
    kept = _sections(script("write_published").DOCUMENT.read_text(encoding="utf-8"))
    found = _sections(_written())
    assert len(kept) == len(found)
    stale = [a.splitlines()[0] for a, b in zip(kept, found, strict=True) if not _same(a, b)]
    assert stale == [], "run python scripts/write_published.py"


@pytest.mark.parametrize(
    ("section", "old", "new"),
    [
        ("## Which model", "9.42 %", "9.41 %"),
        ("## The outcome", "9.42 %", "7.42 %"),
        ("## Intervals by task", "alike", "unlike"),
    ],
)
def test_a_page_that_says_something_else_is_noticed(section: str, old: str, new: str) -> None:
    (kept,) = [part for part in _sections(_written()) if part.startswith(section)]
    assert old in kept
    assert not _same(kept.replace(old, new, 1), kept)


def test_the_numbers_that_must_be_there_are_there() -> None:
    text = " ".join(_written().split())
    for said in (
        "it gives 9.42 % by category and 3.31 % by method",
        "without penalty gives 10.16 % and 3.32 %",
        "lowers the deviance by 69.1, method given category by 25.9",
        "method explains 12.01 % and category 8.79 %",
    ):
        assert said in text
