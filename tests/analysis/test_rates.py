"""Rates: what counts for which stage, by whom, and pass@k."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.groupings import ALL
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.published_attempts import attempts as published
from kernelbenchx.analysis.rates import tables
from kernelbenchx.core.scopes import Scope, ScopeCount

GIVEN = [
    made("math/a", 2.0, category="Math"),
    made("math/b", 0.5, category="Math", composition="mixed"),
    wrong("math/c", category="Math"),
    broken("loss/d", category="Loss", difficulty=3),
    void("loss/e", category="Loss"),
]


def _table(attempts: Sequence[Attempt], name: str) -> list[dict[str, Any]]:
    (found,) = [one for one in tables(attempts) if one.name == name]
    return found.records()


def test_each_stage_is_a_share_of_all_that_count() -> None:
    (row,) = _table(GIVEN, "by_method")
    assert (row["gpu"], row["method"], row["tasks"], row["attempts"]) == ("card", "m", 4, 4)
    assert (row["called"], row["correct"], row["timed"], row["mixed"]) == (0.75, 0.5, 0.5, 1)
    plain = wilson(2, 4)
    assert (row["correct_low"], row["correct_high"]) == pytest.approx((plain.low, plain.high))


def test_how_many_are_mixed_is_not_published() -> None:
    (papers, ours) = (
        next(one for one in tables(given) if one.name == "by_method").records()
        for given in (published(), [made("math/a", 1.0), wrong("math/b")])
    )
    assert {row["mixed"] for row in papers} == {None}
    assert [row["mixed"] for row in ours] == [0]


def test_the_number_of_void_ones_is_said_under_every_table() -> None:
    assert all("1 void: not judged, not counted." in one.notes for one in tables(GIVEN))
    notes = [note for one in tables(GIVEN[:1]) for note in one.notes]
    assert not any("void" in note for note in notes)


def test_by_category_and_difficulty() -> None:
    rows = _table(GIVEN, "by_category")
    assert [(row["category"], row["correct"]) for row in rows] == [
        ("Loss", 0.0),
        ("Math", pytest.approx(2 / 3)),
    ]
    assert {row["difficulty"]: row["tasks"] for row in _table(GIVEN, "by_difficulty")} == {
        1: 3,
        3: 1,
    }


def test_tasks_of_which_nobody_said_it_are_left_out_and_counted() -> None:
    given = [made("a", difficulty=0, dtypes=()), wrong("b", difficulty=2, dtypes=("int8",))]
    for name, row in (("difficulty", 2), ("dtype", "int8")):
        (table,) = [one for one in tables(given) if one.name == f"by_{name}"]
        assert [one[name] for one in table.records()] == [row]
        assert table.notes == (f"Not in it, {name} not said: 1 tasks.",)
    assert not any("not said" in note for one in tables(given[1:]) for note in one.notes)


def test_a_single_round_makes_no_table_of_rounds() -> None:
    (table,) = [one for one in tables([made("a"), wrong("b")]) if one.name == "by_round"]
    assert table.rows == () and "one round only" in table.notes[0]


def test_methods_stand_alone_and_together() -> None:
    given = [made("math/a", method="one"), wrong("math/a", method="two")]
    rows = _table(given, "by_category")
    assert [(row["method"], row["correct"], row["tasks"]) for row in rows] == [
        (ALL, 0.5, 1),
        ("one", 1.0, 1),
        ("two", 0.0, 1),
    ]


def test_a_task_stands_under_each_of_its_dtypes() -> None:
    given = [made("a", dtypes=("float32", "int8")), wrong("b", dtypes=("float32",))]
    (table,) = [one for one in tables(given) if one.name == "by_dtype"]
    assert {row["dtype"]: row["correct"] for row in table.records()} == {
        "float32": 0.5,
        "int8": 1.0,
    }
    assert "in the row of each" in table.notes[-1]
    (single,) = [one for one in tables(given[1:]) if one.name == "by_dtype"]
    assert single.notes == ()


def test_the_last_round_counts_for_a_method_and_every_round_for_itself() -> None:
    given = [wrong("a", round=0), made("a", round=1), wrong("b", round=0)]
    (row,) = _table(given, "by_method")
    assert (row["correct"], row["attempts"]) == (0.5, 2)
    rows = _table(given, "by_round")
    assert [(row["round"], row["correct"], row["tasks"]) for row in rows] == [
        (0, 0.0, 2),
        (1, 1.0, 1),
    ]


def test_cards_are_never_mixed() -> None:
    given = [made("a", gpu="A"), wrong("a", gpu="B")]
    assert [(row["gpu"], row["correct"]) for row in _table(given, "by_method")] == [
        ("A", 1.0),
        ("B", 0.0),
    ]


def test_who_was_stopped_on_purpose_is_not_asked_further() -> None:
    given = [made("a", outcome="reached", stage="call"), broken("c"),
             made("b", outcome="reached", stage="check")]  # fmt: skip
    (row,) = _table(given, "by_method")
    assert (row["called"], row["correct"], row["timed"]) == (0.5, 0.0, None)


def test_times_are_asked_for_only_where_a_run_has_some_and_can_be_trusted() -> None:
    given = [made("a", 2.0, run="with"), wrong("b", run="with"), made("c", run="without"),
             made("d", run="with", performance="unmeasured"),
             made("e", run="with", performance="failed")]  # fmt: skip
    stage = frame_of(given).stages["timed"]
    assert stage.askable.tolist() == [True, True, False, False, True]
    assert stage.yes.tolist() == [True, False, False, False, False]
    (row,) = _table(given, "by_method")
    assert row["timed"] == pytest.approx(1 / 3)
    (alone,) = _table(given[2:3], "by_method")
    assert alone["timed"] is None and alone["timed_low"] is None


def test_a_kernel_that_fails_at_a_timed_size_is_correct_in_no_rate() -> None:
    given = [made("a", 2.0), made("b", performance="failed"), made("c", performance="unmeasured"),
             made("d", performance="failed", composition="mixed")]  # fmt: skip
    (row,) = _table(given, "by_method")
    assert row["correct"] == pytest.approx(1 / 2)
    assert (row["called"], row["mixed"]) == (1.0, 0)


def test_a_run_without_a_correct_kernel_counts_where_others_on_its_card_were_timed() -> None:
    """A method that never succeeds has a rate of 0, and not none."""
    failed = [wrong("b", run="mine", method="n"), broken("c", run="mine", method="n")]
    given = [made("a", 2.0, run="with"), *failed]
    assert frame_of(given).stages["timed"].askable.tolist() == [True, True, True]
    rows = {row["method"]: row["timed"] for row in _table(given, "by_method")}
    assert rows == {"m": 1.0, "n": 0.0}
    elsewhere = [replace(one, gpu="other") for one in failed]
    untimed = [*elsewhere, *(replace(one, run="untimed") for one in (made("d"), *failed))]
    stage = frame_of([given[0], *untimed]).stages["timed"]
    assert stage.askable.tolist() == [True, False, False, False, False, False]


def test_pass_at_k_over_tasks_with_enough_attempts() -> None:
    def tried(task: str, letters: str) -> list[Attempt]:
        return [
            (made if letter == "r" else wrong)(task, submission=str(n), digest=str(n))
            for n, letter in enumerate(letters)
        ]

    rows = _table([*tried("a", "rww"), *tried("b", "www"), *tried("c", "r")], "pass_at_k")
    assert [(row["k"], row["tasks"], row["pass"]) for row in rows] == [
        (1, 3, pytest.approx((1 / 3 + 0 + 1) / 3)),
        (2, 2, pytest.approx((2 / 3) / 2)),
        (3, 2, pytest.approx(0.5)),
    ]
    assert _table([*tried("a", "r"), *tried("b", "w")], "pass_at_k") == []
    rows = _table([*tried("a", "rwww"), *tried("b", "wwww")], "pass_at_k")
    assert [row["k"] for row in rows] == [1, 2, 3, 4], "up to the number of samples"
    assert rows[-1]["pass"] == pytest.approx(0.5)


def test_methods_are_compared_by_task() -> None:
    given = [made("a", method="one"), made("b", method="one"),
             made("a", method="two"), wrong("b", method="two")]  # fmt: skip
    (row,) = _table(given, "paired_correct")
    assert (row["first"], row["second"], row["tasks"], row["better"], row["worse"]) == (
        "one", "two", 2, 1, 0,
    )  # fmt: skip
    assert row["difference"] == 0.5 and row["p"] == 1.0


def test_nothing_gives_tables_without_rows() -> None:
    assert all(one.rows == () for one in tables([]))
    assert all(one.rows == () for one in tables([void("a")]))


def test_core_counts_all_that_were_judged_and_is_never_below_correct() -> None:
    given = [made("a", core=True), wrong("b", core=True), wrong("c", core=False),
             broken("d", core=False)]  # fmt: skip
    (row,) = _table(given, "by_method")
    assert (row["core"], row["correct"]) == (0.5, 0.25)
    plain = wilson(2, 4)
    assert (row["core_low"], row["core_high"]) == pytest.approx((plain.low, plain.high))


def test_core_that_was_not_judged_is_unknown_and_counted_in_a_note() -> None:
    (row,) = _table([made("a"), wrong("b")], "by_method")
    assert (row["core"], row["core_low"], row["correct"]) == (None, None, 0.5)
    mixed = [made("a"), made("b", core=True)]
    (table,) = [one for one in tables(mixed) if one.name == "by_method"]
    assert "1 attempts are not in `core`" in table.notes[-1]
    assert table.records()[0]["core"] == 1.0
    (table,) = [one for one in tables(mixed[1:]) if one.name == "by_method"]
    assert table.notes == ()


def test_core_is_compared_by_task_too() -> None:
    given = [wrong("a", method="one", core=True), wrong("a", method="two", core=False)]
    (row,) = _table(given, "paired_core")
    assert (row["first_share"], row["second_share"]) == (1.0, 0.0)
    (row,) = _table(given, "paired_correct")
    assert (row["first_share"], row["second_share"]) == (0.0, 0.0)


def _corners(seeds: tuple[int, int]) -> list[Attempt]:
    one, two = (dict[str, Any](run=f"r{seed}", seed=seed) for seed in seeds)
    graded: dict[str, Any] = {
        "scopes": (ScopeCount(scope=Scope.CORE, passed=1, total=1),),
        "core": True,
    }
    return [
        made("a", corners=True, **one, **graded),
        wrong("b", corners=True, **one, **graded),
        wrong("c", corners=False, **two, **graded),
        broken("d", core=False, **two),
    ]


def test_runs_with_different_seeds_have_a_rate_on_the_corners() -> None:
    (table,) = [one for one in tables(_corners((1, 2))) if one.name == "by_method"]
    (row,) = table.records()
    assert (row["corners"], row["correct"]) == (0.5, 0.25)
    plain = wilson(2, 4)
    assert (row["corners_low"], row["corners_high"]) == pytest.approx((plain.low, plain.high))
    assert "different seeds" in table.notes[-1]


def test_runs_with_one_seed_have_the_full_rate_alone() -> None:
    (table,) = [one for one in tables(_corners((1, 1))) if one.name == "by_method"]
    assert table.records()[0]["corners"] is None and table.records()[0]["correct"] == 0.25
    assert table.notes == ()


def test_a_run_that_does_not_know_its_corners_is_not_in_their_rate() -> None:
    unknown = [replace(one, corners=None) for one in _corners((1, 2))]
    (row,) = _table(unknown, "by_method")
    assert row["corners"] is None and row["correct"] == 0.25


def test_methods_judged_with_different_seeds_are_not_compared_by_task() -> None:
    given = [made("a", method="one", seed=1), wrong("a", method="two", seed=2)]
    (table,) = [one for one in tables(given) if one.name == "paired_correct"]
    assert table.rows == () and "kbx eval --seed N" in table.notes[-1]
    same = [replace(one, seed=1) for one in given]
    (table,) = [one for one in tables(same) if one.name == "paired_correct"]
    assert len(table.rows) == 1 and table.notes == ()
