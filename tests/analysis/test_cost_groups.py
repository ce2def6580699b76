import numpy as np

from asked_samples import asked
from attempts_made import made, wrong
from kernelbenchx.analysis.cost_groups import UNITS, groups_of
from kernelbenchx.analysis.spending import Spending, tries_of

ATTEMPTS = [
    made("a", step="round 0", gpu="one"),
    wrong("b", step="round 0", gpu="one", key="b"),
    made("a", step="round 0", gpu="two", outcome="reached", key="r"),
]
TRIES = list(tries_of(Spending("run", ATTEMPTS, [asked(task="a"), asked(task="b", cost=None)])))


def test_cards_are_apart_and_methods_have_their_names() -> None:
    found = groups_of(TRIES, {("m", "model"): "named"})
    assert [one.who for one in found] == [("one", "named", 2), ("two", "named", 2)]
    assert found[0].tasks.tolist() == [0, 1]


def test_an_author_without_any_attempt_is_called_by_both_names() -> None:
    assert {one.name for one in groups_of(TRIES, {})} == {"m model"}


def test_amounts_are_unknown_where_nothing_was_solved_or_priced() -> None:
    first, second = groups_of(TRIES, {})
    np.testing.assert_equal(first.amounts(UNITS["tokens"]), [100, 100])
    np.testing.assert_equal(first.amounts(UNITS["dollars"]), [0.25, np.nan])
    np.testing.assert_equal(first.amounts(UNITS["tokens"], until_solved=True), [100, np.nan])
    assert [len(one.drop_unjudged().tries) for one in (first, second)] == [2, 1]
