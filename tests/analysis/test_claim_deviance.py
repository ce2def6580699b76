"""Category against method, with an interval that may lie on either side of zero."""

import math

import numpy as np
import pytest

from attempts_made import made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.claim_deviance import category_over_method, difference
from kernelbenchx.analysis.claim_findings import ClaimVerdict
from kernelbenchx.analysis.deviance_resampling import spread
from kernelbenchx.analysis.published_attempts import successes
from kernelbenchx.analysis.published_models import is_correct


def _study(chance: dict[tuple[str, str], float], tasks: int = 30) -> list[Attempt]:
    rng = np.random.default_rng(3)
    return [
        (made if rng.random() < rate else wrong)(
            f"{category}/{n}", category=category, method=method
        )
        for (category, method), rate in chance.items()
        for n in range(tasks)
    ]


def test_a_category_effect_holds_and_a_method_effect_fails() -> None:
    by_category = {(c, m): 0.9 if c == "A" else 0.1 for c in "AB" for m in "xy"}
    by_method = {(c, m): 0.9 if m == "x" else 0.1 for c in "AB" for m in "xy"}
    for chance, verdict in ((by_category, ClaimVerdict.HOLDS), (by_method, ClaimVerdict.FAILS)):
        alone, added = category_over_method(_study(chance), "card")
        assert alone.verdict is added.verdict is verdict
        assert (alone.first > alone.second) == (verdict is ClaimVerdict.HOLDS)


def test_without_an_effect_nothing_can_be_told() -> None:
    alone, _ = category_over_method(
        _study(dict.fromkeys([(c, m) for c in "AB" for m in "xy"], 0.4)), ""
    )
    assert alone.low < 0.0 < alone.high and alone.verdict is ClaimVerdict.UNKNOWN


@pytest.mark.parametrize("which", ["one method", "one category", "all correct"])
def test_where_there_is_nothing_to_compare_nothing_is_said(which: str) -> None:
    chance = {(c, m): 0.5 for c in "AB" for m in "xy"}
    if which == "one method":
        chance = {pair: rate for pair, rate in chance.items() if pair[1] == "x"}
    if which == "one category":
        chance = {pair: rate for pair, rate in chance.items() if pair[0] == "A"}
    if which == "all correct":
        chance = dict.fromkeys(chance, 2.0)
    assert category_over_method(_study(chance), "card") == []


def test_so_few_tasks_have_a_value_and_no_interval() -> None:
    alone, _ = category_over_method(_study({(c, m): 0.5 for c in "AB" for m in "xy"}, 3), "")
    assert math.isfinite(alone.value) and math.isnan(alone.low)


def test_the_difference_is_that_of_the_corrected_shares() -> None:
    counts = successes(is_correct)
    found = difference(counts, replicates=50)
    shares = spread(counts, rng=np.random.default_rng(0), replicates=50).corrected
    assert found.value[0] == pytest.approx(shares[0] - shares[1])
    assert found.value[1] > found.value[0] * 300, "the same in log likelihood, nearly"
    assert found.parts[0] == pytest.approx(shares[:2])


def test_of_either_measure_the_value_is_what_the_parts_differ_by() -> None:
    found = difference(successes(is_correct), replicates=50)
    assert found.parts[:, 0] - found.parts[:, 1] == pytest.approx(found.value)
    assert found.parts[1] != pytest.approx(100.0 * found.parts[0]), "each in its own unit"
