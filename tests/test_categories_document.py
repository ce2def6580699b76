"""The page on categories: every category, the doubtful tasks as the analysis moves them."""

import re
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.analysis.relabelling import COMPOSITES, DOUBTFUL

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "reference" / "analysis" / "categories.md").read_text(encoding="utf-8")


def _part(title: str) -> str:
    return TEXT.partition(f"## {title}")[2].partition("\n## ")[0]


def _rows(title: str) -> list[list[str]]:
    lines = [line for line in _part(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_category_has_one_rule_and_examples() -> None:
    rows = _rows("Rules")
    assert sorted(row[0] for row in rows) == sorted(catalog.PUBLISHED_CATEGORIES.values())
    assert all(row[1] and re.findall(r"`\w+`", row[2]) for row in rows)


def test_examples_lie_in_their_category() -> None:
    """As far as they are in the catalogue."""
    found = 0
    for category, _, examples in _rows("Rules"):
        for name in re.findall(r"`(\w+)`", examples):
            task = catalog.find(name)
            if task is not None:
                found += 1
                assert catalog.PUBLISHED_CATEGORIES[task.partition("/")[0]] == category
    assert found >= 15


def test_doubtful_tasks_are_those_that_are_moved() -> None:
    said = [
        (row[0].strip("`"), row[1], tuple(row[2].split(", ")), row[3])
        for row in _rows("Doubtful tasks")
    ]
    assert said == [(one.task, one.filed, one.others, one.why) for one in DOUBTFUL]


def test_composites_are_those_that_are_moved() -> None:
    listed = _part("Doubtful tasks").partition("Several operators")[2]
    named = set(re.findall(r"`(\w+)`", listed))
    assert named == {task.partition("/")[2] for task in COMPOSITES}
