from typing import Any

import pytest

from attempts_made import made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.fact_rates import tables


def _given() -> list[Attempt]:
    return [
        made("activation/relu", 2.0),
        wrong("math/abs"),
        made("reduce/sum", 0.5),
        made("reduce/mean", 2.0),
        made("made/up", 9.0),
    ]


def _rows(**more: Any) -> dict[tuple[str, str], dict[str, Any]]:
    (table,) = tables(_given(), **more)
    return {(str(row["by"]), str(row["group"])): dict(row) for row in table.records()}


def test_rates_and_speeds_stand_by_fact() -> None:
    rows = _rows(by=("cooperation", "bound"), bounds={"activation/relu": "memory"}, gpu="card")
    none, programs = rows["cooperation", "none"], rows["cooperation", "across programs"]
    assert (none["tasks"], none["correct"], none["kernels"]) == (2, 0.5, 1)
    assert none["speedup"] == pytest.approx(2.0)
    assert (programs["tasks"], programs["correct"]) == (2, 1.0)
    assert programs["speedup"] == pytest.approx(1.0)
    assert rows["bound", "memory"]["tasks"] == 1
    assert none["correct_low"] < 0.5 < none["correct_high"]
    assert any(by == "complexity" for by, _ in rows), "proxies stand beside"
    (table,) = tables(_given(), bounds={}, gpu="card")
    assert "on card" in table.about


def test_without_known_tasks_it_says_so() -> None:
    (table,) = tables([made("made/up", 9.0)])
    assert not table.rows and "not known" in table.notes[-1]
