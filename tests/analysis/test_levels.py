"""KernelBench problems by level: what is pooled, what is not, and how far voids could move it."""

from typing import Any

import pytest

from attempts_made import broken, made, speed, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.levels import THRESHOLDS, tables
from kernelbenchx.analysis.table import Table
from kernelbenchx.core.grades import Grade

Row = dict[str, Any]


def _level(level: int, **more: Any) -> dict[str, Any]:
    return {"level": level, "category": f"level{level}"} | more


GIVEN = [
    made("level1/a", 2.0, **_level(1, core=True, weights="name", compiled=speed(0.9))),
    made("level1/b", 0.7, **_level(1, core=True, weights="place")),
    wrong("level1/c", **_level(1, core=True, weights="name")),
    broken("level1/d", **_level(1, core=False)),
    wrong("level2/a", **_level(2, core=False, weights="seed")),
]


def _named(attempts: list[Attempt], name: str) -> Table:
    (found,) = [one for one in tables(attempts) if one.name == name]
    return found


def _rows(attempts: list[Attempt], name: str = "levels", **where: Any) -> list[Row]:
    rows = _named(attempts, name).records()
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


def _row(attempts: list[Attempt], name: str = "levels", **where: Any) -> Row:
    (found,) = _rows(attempts, name, **where)
    return found


def test_levels_have_counts_and_rates_of_their_own() -> None:
    one, two = _rows(GIVEN)
    counts = ("level", "precision", "method", "problems", "solved", "core_solved", "attempts")
    assert [one[key] for key in counts] == [1, "fp32", "m", 4, 2, 3, 4]
    assert [two[key] for key in counts] == [2, "fp32", "m", 1, 0, 0, 1]
    plain = wilson(2, 4)
    assert (one["correct"], one["correct_low"], one["correct_high"]) == pytest.approx(
        (plain.value, plain.low, plain.high)
    )
    assert one["core"] == pytest.approx(3 / 4)


def test_other_tasks_are_not_in_it_and_alone_leave_nothing() -> None:
    assert _rows([*GIVEN, made("math/add"), wrong("math/sub")]) == _rows(GIVEN)
    alone = tables([made("math/add", 1.5), wrong("math/sub")])
    assert not any(one.rows for one in alone)
    assert all("no KernelBench problem" in one.notes[0] for one in alone)


def test_precisions_methods_and_gpus_are_never_pooled() -> None:
    more = [
        wrong("level1/a:bf16", **_level(1)),
        wrong("level1/a:tf32", **_level(1)),
        wrong("level1/a", **_level(1, method="n")),
        wrong("level1/a", **_level(1, gpu="other")),
    ]
    rows = _rows([*GIVEN, *more], level=1)
    named = {(row["gpu"], row["precision"], row["method"]): row["problems"] for row in rows}
    assert named == {
        ("card", "fp32", "m"): 4,
        ("card", "bf16", "m"): 1,
        ("card", "tf32", "m"): 1,
        ("card", "fp32", "n"): 1,
        ("other", "fp32", "m"): 1,
    }
    assert _row([*GIVEN, *more], gpu="card", precision="fp32", method="m", level=1)["solved"] == 2


def test_voids_are_in_no_rate_and_move_the_bounds() -> None:
    (certain, _) = _rows(GIVEN)
    assert certain["void"] == 0 and certain["at_least"] == certain["at_most"] == certain["correct"]
    row = _row([*GIVEN, void("level1/e", **_level(1))], level=1)
    assert (row["problems"], row["void"], row["correct"]) == (4, 1, certain["correct"])
    assert (row["at_least"], row["at_most"]) == pytest.approx((2 / 5, 3 / 5))


def test_a_method_whose_attempts_are_all_void_is_shown_without_a_rate() -> None:
    row = _row([*GIVEN, void("level1/a", **_level(1, method="n"))], method="n")
    assert (row["problems"], row["correct"], row["void"]) == (0, None, 1)
    assert (row["at_least"], row["at_most"]) == (0.0, 1.0)


def test_a_void_evaluation_that_was_judged_elsewhere_is_none() -> None:
    again = void("level1/a", **_level(1, run="earlier"))
    assert _row([again, *GIVEN], level=1)["void"] == 0


def test_unsound_problems_stand_apart() -> None:
    unsound = made("level1/u", 9.0, **_level(1, core=True, grade=Grade.UNSOUND, weights="part"))
    for name in ("levels", "fast_p_by_level", "weights_by_level", "pass_at_k_by_level"):
        assert _rows([*GIVEN, unsound], name) == _rows(GIVEN, name)
    row = _row([*GIVEN, unsound], "unsound_by_level")
    keys = ("level", "method", "problem", "attempts", "correct", "core_correct")
    assert [row[key] for key in keys] == [1, "m", "level1/u", 1, 1, 1]
    assert _rows(GIVEN, "unsound_by_level") == []


def test_fast_p_at_kernelbenchs_thresholds_by_level() -> None:
    rows = _rows(GIVEN, "fast_p_by_level", baseline="eager", level=1)
    assert [row["p"] for row in rows] == list(THRESHOLDS)
    assert [row["share"] for row in rows] == pytest.approx([0.5, 0.5, 0.25, 0.25, 0.25, 0.0])
    plain = wilson(1, 4)
    assert (rows[3]["share_low"], rows[3]["share_high"]) == pytest.approx((plain.low, plain.high))


def test_a_level_without_a_correct_kernel_has_a_fast_p_of_zero() -> None:
    rows = _rows(GIVEN, "fast_p_by_level", baseline="eager", level=2)
    assert [(row["problems"], row["share"]) for row in rows] == [(1, 0.0)] * len(THRESHOLDS)


def test_fast_p_over_torch_compile_has_bounds_for_kernels_without_that_baseline() -> None:
    row = _row(GIVEN, "fast_p_by_level", baseline="torch.compile", level=1, p=0.8)
    assert row["problems"] == 4
    assert (row["share"], row["at_most"]) == (pytest.approx(1 / 4), pytest.approx(2 / 4))
    beyond = _row(GIVEN, "fast_p_by_level", baseline="torch.compile", level=1, p=1.0)
    assert (beyond["share"], beyond["at_most"]) == (0.0, pytest.approx(1 / 4))


def _sample(task: str, number: int, right: bool) -> Attempt:
    name = f"level_1_problem_1_sample_{number}_kernel"
    same = _level(1, submission=name, digest=name, sample=number)
    return made(task, **same) if right else wrong(task, **same)


def test_pass_at_k_goes_to_the_number_of_samples() -> None:
    given = [_sample("level1/a", number, number == 0) for number in range(3)]
    given += [_sample("level1/b", number, False) for number in range(2)]
    rows = _rows(given, "pass_at_k_by_level")
    assert [(row["k"], row["problems"]) for row in rows] == [(1, 2), (2, 2), (3, 1)]
    assert [row["pass"] for row in rows] == pytest.approx([1 / 6, 1 / 3, 1.0])


def test_one_sample_each_has_no_pass_at_k() -> None:
    assert _rows(GIVEN, "pass_at_k_by_level") == []


def test_routes_of_weights_are_counted_apart() -> None:
    rows = _rows(GIVEN, "weights_by_level", level=1)
    found = {row["weights"]: (row["attempts"], row["correct"]) for row in rows}
    assert found == {"name": (2, 1), "place": (1, 1), "none": (1, 0)}
    (seeded,) = _rows(GIVEN, "weights_by_level", level=2)
    assert (seeded["weights"], seeded["attempts"], seeded["correct"]) == ("seed", 1, 0)


def test_thresholds_may_be_given() -> None:
    (found,) = [one for one in tables(GIVEN, [3.0]) if one.name == "fast_p_by_level"]
    assert {row["p"] for row in found.records()} == {3.0}
