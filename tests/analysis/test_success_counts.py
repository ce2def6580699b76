"""Attempts become counts; tasks, methods and categories leave them cleanly."""

import numpy as np
from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.success_counts import POOLED, Counts, count_successes, last_rounds
from kernelbenchx.core.grades import Grade

ONE = Attempt(
    run="r", key="k", submission="s", task="math/add", category="Math", method="m", model="x",
    round=0, sample=0, digest="d", difficulty=1, dtypes=("float32",), device="cuda", gpu="card",
    outcome="correct", reason="", stage="perf", composition="pure", provisional=False,
    isolation="L3", grade=Grade.CERTIFIED,
)  # fmt: skip
WRONG = replace(ONE, outcome="wrong", stage="exe")
MEAN = replace(ONE, task="reduce/mean", category="Reduce")
CONV = replace(ONE, task="convolution/conv2d", category="Convolution")


def _correct(attempts: list[Attempt]) -> Counts:
    return count_successes(attempts, lambda one: one.correct)


def test_a_row_is_a_task_and_a_column_a_method() -> None:
    found = _correct([
        ONE, replace(WRONG, method="n"), MEAN, replace(ONE, sample=1),
        replace(WRONG, sample=2),
    ])  # fmt: skip
    assert found.tasks == ("math/add", "reduce/mean")
    assert (found.categories, found.methods) == (("Math", "Reduce"), ("m", "n"))
    assert found.successes.tolist() == [[2, 0], [1, 0]]
    assert found.trials.tolist() == [[3, 1], [1, 0]]
    hits, tries = found.cells()
    assert (hits.tolist(), tries.tolist()) == ([[2, 0], [1, 0]], [[3, 1], [1, 0]])
    assert found.n == 5


def test_only_the_last_round_counts_and_void_evaluations_do_not() -> None:
    rounds = [ONE, replace(WRONG, round=1), replace(ONE, round=2, outcome="void")]
    assert [one.outcome for one in last_rounds(rounds)] == ["wrong"]


def test_what_two_machines_judged_counts_once_and_other_code_twice() -> None:
    there = replace(ONE, run="other", gpu="other card")
    assert last_rounds([ONE, there]) == [ONE]
    assert len(last_rounds([ONE, replace(there, digest="e")])) == 2


def test_models_are_named_where_a_method_ran_with_several() -> None:
    other = replace(ONE, model="y")
    assert _correct([ONE]).methods == ("m",)
    assert _correct([ONE, other]).methods == ("m (x)", "m (y)")


def test_a_method_takes_along_the_tasks_that_nobody_else_tried() -> None:
    found = _correct([ONE, replace(ONE, method="n"), replace(MEAN, method="n")])
    left = found.without_method("n")
    assert (left.tasks, left.methods, left.categories) == (("math/add",), ("m",), ("Math",))
    assert found.without_method("m").tasks == found.tasks


def test_a_category_leaves_with_its_tasks() -> None:
    found = _correct([ONE, MEAN])
    assert found.without_category("Math").tasks == ("reduce/mean",)
    assert found.without_tasks(["reduce/mean"]).categories == ("Math",)


def test_small_categories_become_one_and_large_ones_stay() -> None:
    tasks = [ONE, replace(ONE, task="math/sub"), MEAN, CONV]
    pooled = _correct(tasks).pool_small(1)
    assert pooled.categories == (POOLED, "Math")
    assert pooled.sizes.tolist() == [2, 2]


def test_categories_of_one_task_are_settled_together_and_a_single_one_is_left() -> None:
    assert _correct(
        [ONE, replace(ONE, task="math/sub"), MEAN, CONV]
    ).pool_singletons().categories == (
        POOLED,
        "Math",
    )
    assert _correct([ONE, replace(ONE, task="math/sub"), MEAN]).pool_singletons().categories == (
        "Math",
        "Reduce",
    )


def test_a_task_moves_and_one_that_is_not_there_does_not() -> None:
    found = _correct([ONE, replace(ONE, task="math/softmax"), MEAN])
    moved = found.relabel_tasks({"math/softmax": "Reduce", "math/none": "Loss"})
    assert moved.categories == ("Math", "Reduce")
    assert moved.sizes.tolist() == [1, 2]
    np.testing.assert_array_equal(moved.successes, found.successes)


def test_no_attempts_are_no_counts() -> None:
    found = _correct([])
    assert (found.n, found.tasks, found.methods) == (0, (), ())
