import numpy as np
import pytest

from asked_samples import asked
from attempts_made import made, wrong
from kernelbenchx.analysis.budgets import budgets, curve
from kernelbenchx.analysis.cost_groups import groups_of
from kernelbenchx.analysis.spending import Spending, Try, tries_of
from kernelbenchx.analysis.table import Value


@pytest.mark.parametrize(
    ("amounts", "steps"),
    [
        ([300.0, 4000.0], [200, 500, 1000, 2000, 5000]),
        ([100.0], [50, 100]),
        ([0.0021, 0.005], [0.002, 0.005]),
        ([0.0, np.nan], []),
        ([], []),
    ],
)
def test_budgets_are_round_and_hold_everything(amounts: list[float], steps: list[float]) -> None:
    assert budgets(np.asarray(amounts)) == steps


def _tries(method: str, solved_after: dict[str, int], rounds: int = 4) -> list[Try]:
    """Tasks, and after how many rounds of 100 tokens each was solved; 0 for never."""
    attempts, requests = [], []
    for task, after in solved_after.items():
        for at in range(after or rounds):
            given = {"step": f"round {at}", "round": at, "method": method, "key": f"{task}{at}"}
            attempts.append(
                made(task, None, **given) if at + 1 == after else wrong(task, **given)  # type: ignore[arg-type]
            )
            requests.append(asked(f"round {at}", task=task, method=method))
    return list(tries_of(Spending("run", attempts, requests)))


def _rows(*tries: list[Try]) -> list[dict[str, Value]]:
    every = [one for each in tries for one in each]
    names = {one.author: one.author[0] for one in every}
    return curve(groups_of(every, names)).records()


def test_more_is_solved_with_more(  # and a curve ends where its method does
) -> None:
    quick = {"a": 1, "b": 1, "c": 2, "d": 0}
    rows = _rows(_tries("quick", quick), _tries("slow", {"a": 4, "b": 0, "c": 0, "d": 0}, 9))
    tokens = [row for row in rows if row["unit"] == "tokens"]
    found = {
        name: [
            (row["budget"], row["solved"], row["ended"]) for row in tokens if row["method"] == name
        ]
        for name in ("quick", "slow")
    }
    assert found["quick"] == [(50, 0.0, 0), (100, 0.5, 0), (200, 0.75, 0), (500, 0.75, 1)]
    assert found["slow"][-2:] == [(500, 0.25, 0), (1000, 0.25, 3)]
    assert all(row["tasks"] == row["tries"] == 4 for row in tokens)
    for row in tokens:
        low, value, high = row["solved_low"], row["solved"], row["solved_high"]
        assert isinstance(low, float) and isinstance(value, float) and isinstance(high, float)
        assert low <= value <= high and high - low > 0.3


def test_the_same_in_dollars_where_prices_are_known() -> None:
    rows = _rows(_tries("quick", {"a": 1, "b": 2}))
    dollars = [(row["budget"], row["solved"]) for row in rows if row["unit"] == "dollars"]
    assert dollars == [(0.2, 0.0), (0.5, 1.0)]


def test_without_a_price_there_is_no_curve_of_dollars() -> None:
    attempts = [made("a", step="round 0"), made("b", step="round 0")]
    requests = [asked(task="a", cost=None), asked(task="b")]
    tries = list(tries_of(Spending("run", attempts, requests)))
    table = curve(groups_of(tries, {}))
    assert {(row["unit"], row["tasks"]) for row in table.records()} == {
        ("tokens", 2),
        ("dollars", 1),
    }
    assert table.notes == ("1 of 2 tasks without a price: not in what is said of dollars.",)
    free = curve(groups_of(tries[:1], {}))
    assert {row["unit"] for row in free.records()} == {"tokens"}
    assert free.notes == ()


def test_several_tries_at_a_task_are_not_several_tasks() -> None:
    twice = _tries("m", {"a": 1, "b": 0}) + _tries("m", {"a": 1, "b": 0})
    last = [row for row in _rows(twice) if row["unit"] == "tokens"][-1]
    assert (last["tasks"], last["tries"], last["solved"]) == (2, 4, 0.5)
