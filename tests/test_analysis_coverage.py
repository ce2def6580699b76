"""The benchmark of the intervals: it sees what covers, and what does not."""

from itertools import takewhile

import numpy as np
import pytest

from benchmark_files import FOLDER, benchmark

COVERAGE = benchmark("analysis_coverage")
PRINTED = FOLDER / "analysis_coverage.txt"
ROWS = [row for row in COVERAGE.every_row() if not row.hard]


@pytest.mark.parametrize("what", ["rate", "paired difference", "geometric mean"])
def test_intervals_hold_the_truth_as_often_as_they_say(what: str) -> None:
    row = next(row for row in ROWS if row.what == what and row.attempts != "1")
    found = row.simulated(np.random.default_rng(11), 1000)
    assert COVERAGE.LEAST <= found.ours <= COVERAGE.MOST


@pytest.mark.parametrize(
    ("what", "attempts"), [("rate", "10"), ("geometric mean", "1 to 5"), ("pass@5", "10")]
)
def test_taking_every_attempt_for_a_draw_does_not(what: str, attempts: str) -> None:
    row = next(row for row in ROWS if (row.what, row.attempts) == (what, attempts))
    assert row.simulated(np.random.default_rng(12), 300).naive < 0.85


def test_what_was_printed_shows_every_row_in_its_range() -> None:
    text = PRINTED.read_text(encoding="utf-8")
    assert text.startswith("1000 simulations a row")
    assert f"{len(ROWS)} of {len(ROWS)} rows between 93% and 97%" in text


@pytest.mark.parametrize("name", ["rates", "speed", "iterations"])
def test_documents_show_what_was_printed(name: str) -> None:
    document = FOLDER.parent / "docs" / "reference" / "analysis" / f"{name}.md"
    lines = document.read_text(encoding="utf-8").splitlines()
    start = lines.index("| what | data | tasks | attempts | covered | naive | half width |") + 2
    shown = list(takewhile(lambda line: line.startswith("|"), lines[start:]))
    printed = set(PRINTED.read_text(encoding="utf-8").splitlines())
    assert shown and [line for line in shown if line not in printed] == []
