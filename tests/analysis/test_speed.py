"""Speed: means, shares, spread, efficiency, pairs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

from attempts_made import made, speed, void, wrong
from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.analysis.intervals import geometric_means, wilson
from kernelbenchx.analysis.speed import tables

UNSURE = Speed(speedup=0.9, low=0.7, high=1.2, speed_class="undecided")
GIVEN = [
    made("a", 2.0, category="Math", score=0.8, iou=0.8, mfu=0.2),
    made("b", 0.5, category="Math", score=0.4, iou=0.3, mfu=0.4),
    made("c", 0.9, category="Loss", eager=UNSURE),
    wrong("d"),
]


def _table(attempts: Sequence[Attempt], name: str) -> list[dict[str, Any]]:
    (found,) = [one for one in tables(attempts) if one.name == name]
    return found.records()


def test_the_mean_is_geometric_and_its_interval_is_over_tasks() -> None:
    (row,) = _table(GIVEN, "by_method")
    plain = geometric_means([2.0, 0.5, 0.9], [0, 1, 2]).at(0)
    assert (row["baseline"], row["composition"], row["tasks"], row["kernels"]) == (
        "eager", "pure", 3, 3,
    )  # fmt: skip
    assert (row["speedup"], row["speedup_low"], row["speedup_high"]) == pytest.approx(
        (plain.value, plain.low, plain.high)
    )


def test_beside_it_is_the_arithmetic_mean_of_each_tasks_mean() -> None:
    given = [*GIVEN, made("a", 6.0, category="Math", submission="again", digest="other")]
    each = np.array([4.0, 0.5, 0.9])  # the first task was tried twice
    width = t.ppf(0.975, 2) * each.std(ddof=1) / np.sqrt(3)
    (row,) = _table(given, "by_method")
    found = [row[key] for key in ("arithmetic", "arithmetic_low", "arithmetic_high")]
    assert each.mean() - width < 0.0, "no speedup is negative"
    assert found == pytest.approx([each.mean(), 0.0, each.mean() + width])
    assert row["speedup"] < row["arithmetic"]
    rows = _table(given, "by_category")
    (loss,) = [one for one in rows if one["category"] == "Loss" and one["method"] == "m"]
    assert loss["arithmetic"] == pytest.approx(0.9) and loss["arithmetic_low"] is None


def test_the_share_that_is_correct_is_among_the_defaults_of_fast_p() -> None:
    rows = _table(GIVEN, "fast_p")
    assert [row["p"] for row in rows] == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert (rows[0]["share"], rows[2]["share"]) == pytest.approx((3 / 4, 1 / 4))


def test_below_one_is_not_yet_slower() -> None:
    (row,) = _table(GIVEN, "by_method")
    assert (row["below_1"], row["slower"], row["faster"]) == pytest.approx((2 / 3, 1 / 3, 1 / 3))
    plain = wilson(1, 3)
    assert (row["slower_low"], row["slower_high"]) == pytest.approx((plain.low, plain.high))


def test_a_task_tried_often_has_one_voice() -> None:
    given = [made("a", 4.0, submission=str(n), digest=str(n)) for n in range(9)] + [made("b", 1.0)]
    (row,) = _table(given, "by_method")
    assert row["speedup"] == pytest.approx(2.0) and (row["tasks"], row["kernels"]) == (2, 10)


def test_by_category_alone_and_together() -> None:
    rows = _table([*GIVEN, made("a", 8.0, method="other", category="Math")], "by_category")
    found = {(row["method"], row["category"]): row["speedup"] for row in rows}
    assert found["m", "Math"] == pytest.approx(1.0)
    assert found["other", "Math"] == pytest.approx(8.0)
    assert found["all methods", "Math"] == pytest.approx((4.0 * 0.5) ** 0.5)


def test_the_spread_is_over_kernels() -> None:
    (row,) = _table(GIVEN, "distribution")
    assert (row["kernels"], row["q0"], row["q50"], row["q100"]) == (3, 0.5, 0.9, 2.0)
    two = _table([*GIVEN, made("a", 5.0, method="other")], "distribution")
    assert [(row["method"], row["q50"]) for row in two] == [("m", 0.9), ("other", 5.0)]


def test_score_iou_and_mfu_are_arithmetic_means_over_tasks_and_say_so() -> None:
    (told,) = [one.about for one in tables(GIVEN) if one.name == "efficiency"]
    assert "arithmetic mean over tasks" in told
    (row,) = _table(GIVEN[:2], "efficiency")
    assert (row["score"], row["iou"], row["mfu"]) == pytest.approx((0.6, 0.55, 0.3))
    assert row["score_low"] is row["score_high"] is None
    (row,) = _table(GIVEN, "efficiency")
    assert row["score_low"] < row["score"] < row["score_high"]
    assert _table([made("a", 2.0, score=None)], "efficiency") == []


def test_both_baselines_have_rows() -> None:
    given = [made("a", 2.0, compiled=speed(1.1)), made("b", 3.0, compiled=speed(0.8))]
    rows = _table(given, "by_method")
    assert [(row["baseline"], row["below_1"]) for row in rows] == [
        ("eager", 0.0),
        ("torch.compile", 0.5),
    ]


def test_methods_are_compared_on_what_both_solved() -> None:
    given = [made("a", 2.0, method="x"), made("b", 9.0, method="x"), made("a", 1.0, method="y")]
    (row,) = _table(given, "paired")
    assert (row["first"], row["second"], row["tasks"]) == ("x", "y", 1)
    assert row["ratio"] == pytest.approx(2.0) and row["ratio_low"] is None


def test_the_last_round_counts_and_cards_stand_apart() -> None:
    given = [made("a", 4.0, round=0), made("a", 2.0, round=1), made("a", 3.0, gpu="B")]
    assert [(row["gpu"], row["speedup"]) for row in _table(given, "by_method")] == [
        ("B", pytest.approx(3.0)),
        ("card", pytest.approx(2.0)),
    ]


def test_thresholds_are_as_asked_for() -> None:
    (found,) = [one for one in tables(GIVEN, (0.7, 3.0)) if one.name == "fast_p"]
    assert [(row["p"], row["share"]) for row in found.records()] == [(0.7, 0.5), (3.0, 0.0)]


def test_without_times_there_are_no_rows_and_void_ones_are_said() -> None:
    found = tables([made("a"), void("b")])
    assert all(one.rows == () for one in found)
    assert all("1 void" in one.notes[0] for one in found)
    assert "No correct kernel has times" in found[0].notes[-1]
    assert not any("No correct kernel" in note for note in tables(GIVEN)[0].notes)
    assert all(one.rows == () for one in tables([]))
