"""Two methods by task, in numbers that can be checked by hand."""

import math

import numpy as np
import pytest

from attempts_made import made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import AttemptFrame, encode_labels, frame_of
from kernelbenchx.analysis.intervals import geometric_means, paired_difference
from kernelbenchx.analysis.method_pairs import (
    RATIOS,
    SHARES,
    note_unpaired,
    pairs_of,
    ratio_rows,
    share_rows,
)


def _frame(first: str, second: str) -> AttemptFrame:
    """One letter per task: r for right, w for wrong, a blank for not tried."""
    given: list[Attempt] = []
    for method, letters in (("one", first), ("two", second)):
        for task, letter in enumerate(letters):
            if letter != " ":
                kind = made if letter == "r" else wrong
                given.append(kind(f"t{task:02d}", method=method))
    return frame_of(given)


def _shares(frame: AttemptFrame) -> list[dict[str, object]]:
    keys = [one.key for one in SHARES]
    rows = share_rows(frame, frame.flags(lambda one: one.correct))
    return [dict(zip(keys, row, strict=True)) for row in rows]


def test_only_tasks_that_both_tried_are_compared() -> None:
    (found,) = _shares(_frame("rrrw rw", "rwww r "))
    assert (found["first"], found["second"], found["tasks"]) == ("one", "two", 5)
    assert (found["first_share"], found["second_share"]) == (0.8, 0.4)
    assert (found["better"], found["worse"]) == (2, 0)
    assert found["p"] == pytest.approx(0.5) and found["p_holm"] == found["p"]
    plain = paired_difference([0, 1, 1, 0, 0])
    assert found["difference"] == pytest.approx(0.4)
    assert (found["difference_low"], found["difference_high"]) == pytest.approx(
        (plain.low, plain.high)
    )


def test_without_a_shared_task_there_is_nothing_to_compare() -> None:
    assert _shares(_frame("rr  ", "  rr")) == []


def test_cards_are_never_compared_with_each_other() -> None:
    given = [made("a", method="one"), made("a", method="two", gpu="other")]
    assert _shares(frame_of(given)) == []


def test_several_attempts_at_a_task_are_one_share() -> None:
    author, task = (
        encode_labels(["one"] * 4 + ["two"] * 2),
        encode_labels(["a", "a", "b", "b", "a", "b"]),
    )
    found = pairs_of([1, 0, 1, 1, 0, 1], author, task)
    assert found.names == [("one", "two")]
    assert (found.first[0], found.second[0]) == (0.75, 0.5)
    assert (found.total[0], found.squares[0]) == (0.5, 0.25)
    assert (found.better[0], found.worse[0], found.tries[0]) == (1, 0, 1)


def test_many_pairs_are_as_if_each_were_alone() -> None:
    rng = np.random.default_rng(5)
    author = encode_labels(np.repeat(list("abcde"), 40).tolist())
    task = encode_labels(np.tile(np.arange(40), 5).tolist())
    values = rng.random(200)
    found = pairs_of(values, author, task)
    by = values.reshape(5, 40)
    assert len(found.names) == 10
    for row, (first, second) in enumerate(found.names):
        apart = by["abcde".index(first)] - by["abcde".index(second)]
        assert found.total[row] == pytest.approx(apart.sum())
        assert found.squares[row] == pytest.approx((apart**2).sum())
        assert found.better[row] == (apart > 0).sum()


def test_ratios_of_speeds_have_students_interval_over_tasks() -> None:
    first, second = [2.0, 3.0, 1.0], [1.0, 1.0, 2.0]
    given = [made(f"t{n}", over, method="one") for n, over in enumerate(first)]
    given += [made(f"t{n}", over, method="two") for n, over in enumerate(second)]
    frame = frame_of(given)
    over = frame.numbers(lambda one: one.eager.speedup if one.eager else None)
    (row,) = ratio_rows(frame, over)
    found = dict(zip([one.key for one in RATIOS], row, strict=True))
    plain = geometric_means([2.0, 3.0, 0.5], [0, 1, 2]).at(0)
    assert found["first_speedup"] == pytest.approx(6 ** (1 / 3))
    assert (found["ratio"], found["ratio_low"], found["ratio_high"]) == pytest.approx(
        (plain.value, plain.low, plain.high)
    )
    assert (found["better"], found["worse"]) == (2, 1)


@pytest.mark.parametrize("tasks", ["a", "ab"])
def test_one_shared_task_or_two_give_a_ratio_without_ends(tasks: str) -> None:
    given = [made(one, 2.0, method="one") for one in tasks]
    given += [made(one, 1.0, method="two") for one in tasks]
    (row,) = ratio_rows(frame_of(given), [2.0] * len(tasks) + [1.0] * len(tasks))
    found = dict(zip([one.key for one in RATIOS], row, strict=True))
    assert found["ratio"] == pytest.approx(2.0)
    assert math.isnan(float(str(found["ratio_low"])))


def _seeded(*runs: tuple[str, int, str]) -> AttemptFrame:
    """Method, seed and a letter per task for each run."""
    given: list[Attempt] = []
    for method, seed, letters in runs:
        for task, letter in enumerate(letters):
            if letter != " ":
                kind = made if letter == "r" else wrong
                name = f"{method}-{seed}-{task}"
                given.append(kind(f"t{task}", method=method, seed=seed, submission=name))
    return frame_of(given)


def test_only_attempts_with_the_same_seed_are_paired() -> None:
    assert _shares(_seeded(("one", 1, "rr"), ("two", 2, "ww"))) == []
    (found,) = _shares(_seeded(("one", 1, "rr"), ("two", 1, "ww"), ("two", 2, "rr")))
    assert (found["tasks"], found["first_share"], found["second_share"]) == (2, 1.0, 0.0)


def test_a_task_is_paired_only_where_both_tried_it_with_one_seed() -> None:
    given = _seeded(("one", 1, "rr "), ("one", 2, "  w"), ("two", 1, "w  "), ("two", 2, " rr"))
    (found,) = _shares(given)
    assert (found["tasks"], found["better"], found["worse"]) == (2, 1, 1)


def test_pairs_without_a_shared_seed_are_named_in_one_line() -> None:
    (said,) = note_unpaired(_seeded(("one", 1, "rr"), ("two", 2, "ww"), ("three", 1, "rw")))
    assert "one with two and 1 other pairs" in said and "kbx eval --seed N" in said
    assert note_unpaired(_seeded(("one", 1, "rr"), ("two", 1, "ww"))) == ()
    assert note_unpaired(_seeded(("one", 1, "r "), ("two", 2, " w"))) == (), "no task in common"


def test_with_several_seeds_pairs_are_as_if_each_were_alone() -> None:
    runs = [("one", 1, "rrw"), ("two", 1, "rww"), ("three", 1, "wrr")]
    plain = _shares(_seeded(*runs))
    beside = _shares(_seeded(*runs, ("three", 2, "www")))
    assert [{**row, "p_holm": 0} for row in plain] == [{**row, "p_holm": 0} for row in beside]
