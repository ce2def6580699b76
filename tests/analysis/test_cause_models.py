"""What explains the causes of failure: by hand, planted, and with nothing to explain."""

import math
from typing import Any

import numpy as np
import pytest

from attempts_made import broken, made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.cause_models import TERMS, tables

KINDS: dict[str, dict[str, Any]] = {
    "compile": {"reason": "compile_error"},
    "timeout": {"reason": "timeout"},
    "memory": {"reason": "memory"},
}


def _failed(task: str, category: str, method: str, kind: str) -> Attempt:
    return broken(task, category=category, method=method, **KINDS[kind])


def _rows(attempts: list[Attempt], outcome: str = "cause") -> dict[str, dict[str, Any]]:
    (table,) = tables(attempts)
    return {str(row["term"]): row for row in table.records() if row["outcome"] == outcome}


def _by_category(noise: float, seed: int = 0) -> list[Attempt]:
    """The category decides the cause but for the noise."""
    rng, names = np.random.default_rng(seed), list(KINDS)
    return [
        _failed(
            f"{category}/{task}", category, method,
            names[rng.integers(3)] if rng.random() < noise else names[at],
        )
        for at, category in enumerate("abc")
        for task in range(12)
        for method in ("x", "y")
    ]  # fmt: skip


def test_a_planted_category_explains_and_the_method_does_not() -> None:
    rows = _rows(_by_category(0.3))
    assert list(rows) == list(TERMS)
    assert rows["category"]["explained"] > 0.3 > 3 * rows["method"]["explained"]
    assert rows["category"]["permutation_p"] == pytest.approx(1 / 500)
    assert rows["method"]["permutation_p"] > 0.05
    assert rows["category"]["chance"] < 0.1 < rows["category"]["explained"]
    assert rows["category given method"]["permutation_p"] is None
    nothing = _rows(_by_category(1.0))
    assert nothing["category"]["permutation_p"] > 0.05


def test_the_share_is_one_less_the_deviances_by_hand() -> None:
    given = _by_category(0.5, seed=4)
    row = _rows(given)["category"]
    counts = np.zeros((3, 3))
    for one in given:
        counts[
            "abc".index(one.category), ["compile_error", "timeout", "memory"].index(one.reason)
        ] += 1

    def deviance(table: "np.ndarray[Any, Any]") -> float:
        shares = table / table.sum(axis=1, keepdims=True)
        return -2.0 * sum(
            float(n) * math.log(p) for n, p in zip(table.ravel(), shares.ravel(), strict=True) if n
        )

    null = deviance(counts.sum(axis=0, keepdims=True))
    drop = null - deviance(counts)
    assert (row["n"], row["tasks"], row["kinds"], row["df"]) == (72, 36, 3, 4)
    assert (row["drop"], row["explained"]) == pytest.approx((drop, drop / null))
    assert row["adjusted"] == pytest.approx((drop - 2 * 4) / null)


def test_terms_add_up_to_both() -> None:
    rows = _rows(_by_category(0.6, seed=2))
    both = rows["category + method"]["drop"]
    assert both == pytest.approx(rows["method"]["drop"] + rows["category given method"]["drop"])
    assert both == pytest.approx(rows["category"]["drop"] + rows["method given category"]["drop"])
    assert rows["category + method"]["permutation_p"] is None


def test_stages_are_explained_too_and_rare_causes_are_pooled() -> None:
    given = _by_category(0.3) + [
        wrong(f"a/{n}", category="a", method="x", round=1) for n in range(8)
    ]
    assert {row["kinds"] for row in _rows(given, "stage").values()} == {2}
    few = _failed("c/0", "c", "x", "memory"), wrong("c/1", category="c")
    rare = [*_by_category(0.0)[:48], *few]
    assert {row["kinds"] for row in _rows(rare).values()} == {3}, "two causes and the pooled ones"


def test_with_one_method_only_the_category_is_asked() -> None:
    alone = [one for one in _by_category(0.3) if one.method == "x"]
    assert list(_rows(alone)) == ["category"]


def test_unknown_causes_and_successes_explain_nothing() -> None:
    given = [made("a/1"), broken("a/2", reason=""), wrong("a/3", reason="")]
    (table,) = tables(given)
    assert table.rows == () and "Nothing to explain" in table.notes[0]
    assert tables([])[0].rows == ()
