"""The simulation behind tables beside chance: what it printed, and that it still runs."""

import re

import numpy as np

from benchmark_files import FOLDER, benchmark

PRINTED = (FOLDER / "chance_simulation.txt").read_text(encoding="utf-8")


def _rows() -> dict[str, tuple[float, float]]:
    found = re.findall(r"^\| (.+?) \| ([\d.]+)% \| ([\d.]+)% \|$", PRINTED, re.M)
    return {name: (float(none), float(planted)) for name, none, planted in found}


def test_without_an_effect_few_results_are_called_beyond_chance_and_with_one_most() -> None:
    rows = _rows()
    assert len(rows) == 5 and PRINTED.startswith("200 results of each kind")
    # Of 200 results at 5 %, more than 8.5 % are called in one of a hundred simulations.
    assert max(none for none, _ in rows.values()) <= 8.5
    assert all(planted > 4 * max(none, 5.0) for none, planted in rows.values())


def test_one_simulated_result_is_looked_at_in_every_way() -> None:
    found = benchmark("chance_simulation").looked_at(np.random.default_rng(0), 50, effect=True)
    assert set(found) == set(_rows())
    assert found["causes by method"] and found["unsolved by category"]
