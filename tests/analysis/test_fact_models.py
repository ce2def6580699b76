"""Planted: success that depends on a fact within categories is found, and chance is not."""

from typing import Any

import numpy as np
import pytest

from attempts_made import made, wrong
from kernelbenchx import catalog
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.fact_models import tables
from kernelbenchx.catalog.task_facts import task_facts

NAMES = [name for name in catalog.names() if not name.startswith("level")]


def _attempts(right: list[bool]) -> list[Attempt]:
    found = []
    for name, good in zip(NAMES, right, strict=True):
        category = name.partition("/")[0]
        for method in ("a", "b"):
            found.append((made if good else wrong)(name, method=method, category=category))
    return found


def _rows(attempts: list[Attempt], **more: Any) -> dict[str, dict[str, Any]]:
    (table,) = tables(attempts, replicates=200, **more)
    rows: list[dict[str, Any]] = [dict(row) for row in table.records()]
    return {row["factor"]: row for row in rows if row["outcome"] == "correct"}


def _cooperates(name: str) -> bool:
    found = task_facts(name)
    assert found is not None
    return found.cooperation != "none"


def test_a_fact_that_decides_explains_within_categories_too() -> None:
    rng = np.random.default_rng(1)
    noise = rng.random(len(NAMES)) < 0.1
    right = [bool(_cooperates(name) == flip) for name, flip in zip(NAMES, noise, strict=True)]
    rows = _rows(_attempts(right))
    own = rows["cooperation"]
    assert own["kind"] == "fact" and own["groups"] == 3 and own["tasks"] == len(NAMES)
    assert own["explained"] > 0.3 and own["explained_low"] > 0.1 and own["p"] < 0.01
    assert own["beyond"] > 0.02 and own["beyond_p"] < 0.05
    assert own["raw"] >= own["explained"]
    assert rows["category"]["beyond"] is None
    assert {"complexity", "assignments", "torch calls"} <= set(rows)
    assert {rows[name]["kind"] for name in ("complexity", "assignments", "torch calls")} == {
        "proxy"
    }


def test_by_chance_no_fact_explains_much() -> None:
    rng = np.random.default_rng(2)
    rows = _rows(_attempts((rng.random(len(NAMES)) < 0.5).tolist()), by=("cooperation", "passes"))
    assert set(rows) == {"category", "cooperation", "passes", "complexity", "assignments",
                         "torch calls"}  # fmt: skip
    assert all(row["explained_low"] == 0.0 for row in rows.values())
    assert rows["cooperation"]["p"] > 0.05


def test_a_fact_that_categories_tell_adds_nothing() -> None:
    """Each category has one group: nothing is left within."""
    chosen = [name for name in NAMES if name.startswith(("optimizer/", "loss/"))]
    given = [
        (made if name.startswith("loss/") == (at % 3 > 0) else wrong)(
            name, category=name.partition("/")[0]
        )
        for at, name in enumerate(chosen)
    ]
    row = _rows(given, by=("cooperation",))["cooperation"]
    assert row["df"] == 0 and row["beyond"] is None


@pytest.mark.parametrize("given", [[], [made("made/up"), wrong("made/other")]])
def test_without_known_tasks_it_says_so(given: list[Attempt]) -> None:
    (table,) = tables(given)
    assert not table.rows and "Nothing to explain" in table.notes[0]
