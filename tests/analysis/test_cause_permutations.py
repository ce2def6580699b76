"""Planted: one cause belongs to a group, another is everywhere; only the first is beyond chance."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from attempts_made import broken, made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.cause_permutations import BEYOND, tables


def _records(attempts: list[Attempt]) -> list[dict[str, Any]]:
    (found,) = tables(attempts)
    return [dict(row) for row in found.records()]


def _failed(task: str, reason: str, **more: Any) -> Attempt:
    return broken(task, reason=reason, **more)


def _by_category(planted: bool) -> list[Attempt]:
    """Twenty tasks of two categories, two methods: in one category everything times out."""
    rng = np.random.default_rng(3)
    found = []
    for number in range(20):
        category = "Fusion" if number < 10 else "Math"
        for method in ("a", "b"):
            slow = category == "Fusion" if planted else bool(rng.integers(2))
            reason = "timeout" if slow else "compile_error"
            found.append(_failed(f"t/{number}", reason, category=category, method=method))
    return found


def test_a_cause_of_one_category_is_beyond_chance() -> None:
    rows = [row for row in _records(_by_category(planted=True)) if row["by"] == "category"]
    own = {(row["group"], row["cause"]): row for row in rows}
    slow = own["Fusion", "timeout"]
    assert (slow["share"], slow["count"], slow["failures"], slow["tasks"]) == (1.0, 20, 20, 10)
    assert slow["chance"] == pytest.approx(0.5, abs=0.03)
    assert slow["chance_low"] < 0.5 < slow["chance_high"] < 1.0
    assert slow["p"] < 0.01 and slow["adjusted"] <= BEYOND
    assert own["Math", "timeout"]["adjusted"] <= BEYOND, "its absence is beyond chance too"


def test_what_is_everywhere_is_within_chance() -> None:
    rows = _records(_by_category(planted=False))
    assert rows and all(row["adjusted"] > BEYOND for row in rows if row["by"] != "stage")


def test_methods_and_rounds_are_shuffled_within_tasks() -> None:
    given = [
        _failed(f"t/{number}", reason, method=method, round=turn)
        for number in range(12)
        for method, reason in (("a", "timeout"), ("b", "compile_error"))
        for turn in (0, 1)
    ]
    rows = _records(given)
    own = {(row["by"], row["group"], row["cause"]): row for row in rows}
    assert own["method", "a", "timeout"]["share"] == 1.0
    assert own["method", "a", "timeout"]["chance"] == pytest.approx(0.5, abs=0.03)
    assert own["method", "a", "timeout"]["adjusted"] <= BEYOND
    assert own["round", "0", "timeout"]["share"] == 0.5
    assert own["round", "0", "timeout"]["chance"] == pytest.approx(0.5, abs=0.01)
    assert own["round", "0", "timeout"]["adjusted"] > BEYOND


def test_a_hard_task_alone_is_no_difference_between_methods() -> None:
    """Both methods fail as the task has it: shuffling within tasks changes nothing."""
    given = [
        _failed(f"t/{number}", "timeout" if number < 5 else "crash", method=method)
        for number in range(10)
        for method in ("a", "b")
    ]
    rows = [row for row in _records(given) if row["by"] == "method"]
    assert rows and all(row["share"] == row["chance"] and row["p"] == 1.0 for row in rows)


def _rare(seed: int) -> list[Attempt]:
    """A cause in one failure of twenty: draws of its share lie on one side of their mean."""
    rng = np.random.default_rng(seed)
    return [
        _failed(
            f"t/{number}",
            str(rng.choice(["timeout", "crash", "compile_error"], p=[0.05, 0.15, 0.8])),
            category=("Fusion", "Math", "Loss")[number % 3],
            method=method,
            round=int(rng.integers(3)),
        )
        for number in range(24)
        for method in "ab"
    ]


@pytest.mark.parametrize("seed", range(5))
def test_adjustment_never_lowers_a_p(seed: int) -> None:
    rows = _records(_rare(seed))
    assert rows and all(row["p"] <= row["adjusted"] for row in rows)
    assert any(row["p"] < row["adjusted"] for row in rows), "and it does raise some"


def test_p_is_that_of_all_ways_to_deal_out_the_categories() -> None:
    """By hand: six tasks, three of them in each category, 20 ways."""
    slow = (True, True, False, True, False, False)
    given = [
        _failed(
            f"t/{number}",
            "timeout" if one else "crash",
            category="Fusion" if number < 3 else "Math",
        )
        for number, one in enumerate(slow)
    ]
    shares = [sum(slow[one] for one in three) / 3 for three in combinations(range(6), 3)]
    centre, own = sum(shares) / len(shares), sum(slow[:3]) / 3
    exact = sum(abs(one - centre) >= abs(own - centre) - 1e-9 for one in shares) / len(shares)
    rows = [row for row in _records(given) if row["by"] == "category"]
    assert len(rows) == 4 and exact == 1.0
    assert all(row["p"] == pytest.approx(exact, abs=0.03) for row in rows)
    apart = _records([*given[:2], _failed("t/2", "timeout", category="Fusion"), given[4], given[5],
                      _failed("t/3", "crash", category="Math")])  # fmt: skip
    own_rows = [row for row in apart if row["by"] == "category"]
    assert all(row["p"] == pytest.approx(2 / 20, abs=0.03) for row in own_rows)


@pytest.mark.parametrize("given", [[], [made("t/1")], [wrong("t/1")], [wrong("t/1"), wrong("t/2")]])
def test_with_nothing_to_shuffle_it_says_so(given: list[Attempt]) -> None:
    (found,) = tables(given)
    assert not found.rows and "nothing to shuffle" in found.notes[-1]
