"""The simulation behind the corrected shares: its truth, what it printed, what the page repeats."""

import re
from pathlib import Path

import numpy as np
import pytest

from benchmark_files import FOLDER, benchmark

PRINTED = (FOLDER / "deviance_bias.txt").read_text(encoding="utf-8")
PAGE = (Path(__file__).parents[1] / "docs" / "reference" / "analysis" / "variance.md").read_text(
    encoding="utf-8"
)


def _rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if re.match(r"\| .* \| .*%.* \|$", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_corrected_intervals_hold_the_truth_in_nine_of_ten_and_raw_ones_do_not() -> None:
    module = benchmark("deviance_bias")
    rows = _rows(PRINTED)
    assert PRINTED.startswith("1000 results a world")
    assert len(rows) == len(module.WORLDS) * len(module.SHOWN)
    covered = [float(row[6].rstrip("%")) for row in rows]
    assert min(covered) >= 90.0
    raw = [float(row[5].rstrip("%")) for row in rows if row[1] == "category"]
    assert max(raw) < 90.0
    assert f"at least {min(covered)}%" in PRINTED


def test_raw_shares_of_category_are_too_high_and_corrected_ones_near() -> None:
    for row in _rows(PRINTED):
        truth, raw, corrected = (float(cell.rstrip(" %")) for cell in row[2:5])
        assert raw > truth
        assert abs(corrected - truth) < 0.35 * (raw - truth) + 0.02


def test_the_page_repeats_rows_that_were_printed() -> None:
    part = PAGE.partition("### What the simulation says")[2].partition("\n## ")[0]
    rows = _rows(part)
    assert len(rows) >= 6
    assert all(row in _rows(PRINTED) for row in rows)


def test_the_truth_is_what_endless_results_would_show() -> None:
    module = benchmark("deviance_bias")
    world = module.World(name="", category=0.8, method=0.7, task=1.0)
    rng = np.random.default_rng(1)
    cells = [world.drawn(rng).cells() for _ in range(3000)]
    hits, tries = (np.sum([one[part] for one in cells], axis=0) for part in (0, 1))
    found = module.deviances(hits, tries).shares
    assert found[:5] == pytest.approx(world.truth()[:5], abs=0.002)


def test_a_world_without_effects_has_nothing_to_explain() -> None:
    module = benchmark("deviance_bias")
    empty = module.World(name="", category=0.0, method=0.0, task=1.0)
    assert empty.truth() == pytest.approx(0.0, abs=1e-9)
    terms = dict(module.tally(empty, 3, 20, 1))
    assert terms["category"].raw > terms["category"].corrected
