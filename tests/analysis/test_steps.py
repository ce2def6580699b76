"""Which steps between rounds changed something."""

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.analysis.steps import CHANGES, Kind, Step, steps_of

rejected = partial(broken, outcome="rejected", reason="torch", stage="check")


def _only(attempts: list[Attempt]) -> Step:
    (found,) = steps_of(attempts)
    return found


def test_a_kernel_that_is_repaired_is_a_step_and_one_that_breaks_is_another() -> None:
    step = _only([wrong("a", round=0), made("a", round=1)])
    assert step.kind is Kind.FAIL_TO_PASS
    assert (step.before.round, step.after.round, step.by_parent) == (0, 1, False)
    assert _only([made("a", round=0), wrong("a", round=1)]).kind is Kind.PASS_TO_FAIL
    assert _only([wrong("a", round=0), wrong("a", round=1)]).kind is Kind.STILL_FAILS


@pytest.mark.parametrize("idle", [broken, rejected], ids=["broken", "rejected"])
def test_a_kernel_that_begins_to_run_is_a_step_though_it_is_wrong(
    idle: Callable[..., Attempt],
) -> None:
    step = _only([idle("a", round=0), wrong("a", round=1)])
    assert step.kind is Kind.CALL_FAIL_TO_PASS and step.kind in CHANGES
    assert step.factor is None
    assert _only([wrong("a", round=0), idle("a", round=1)]).kind is Kind.CALL_PASS_TO_FAIL
    assert _only([idle("a", round=0), idle("a", round=1)]).kind is Kind.STILL_FAILS
    assert _only([idle("a", round=0), made("a", round=1)]).kind is Kind.FAIL_TO_PASS


def test_identical_code_is_never_a_gain() -> None:
    for before, after in [
        (wrong("a", round=0), made("a", round=1)),
        (made("a", round=0), wrong("a", round=1)),
        (made("a", 1.0, round=0), made("a", 9.0, round=1)),
    ]:
        same = [replace(one, digest="same") for one in (before, after)]
        assert _only(same).kind is Kind.SAME_CODE
    assert _only([made("a", 1.0, round=0), made("a", 9.0, round=1)]).kind is Kind.FASTER


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (1.0, 1.5, Kind.FASTER),
        (1.5, 1.0, Kind.SLOWER),
        (1.0, 1.015, Kind.WITHIN_NOISE),  # the intervals of both overlap
        (1.0, 1.0, Kind.WITHIN_NOISE),
    ],
)
def test_speed_changes_where_intervals_lie_apart(before: float, after: float, kind: Kind) -> None:
    step = _only([made("a", before, round=0), made("a", after, round=1)])
    assert step.kind is kind
    assert step.factor == pytest.approx(after / before)


def test_a_change_below_one_percent_is_a_tie_however_finely_it_was_measured() -> None:
    fine = [
        Speed(speedup=over, low=over, high=over, speed_class="tie") for over in (1.0, 1.005, 1.02)
    ]
    first, second, third = (
        made("a", 1.0, round=at, eager=one, submission=str(at), digest=str(at), key=str(at))
        for at, one in enumerate(fine)
    )
    assert _only([first, second]).kind is Kind.WITHIN_NOISE
    assert _only([first, third]).kind is Kind.FASTER


def test_a_change_below_the_floor_of_the_card_is_noise() -> None:
    again = [
        made("b", over, submission=f"b{at}", digest="b", key=f"b{at}", run=f"r{at}")
        for at, over in enumerate((1.0, 1.3))
    ]
    changed = [made("a", 1.0, round=0), made("a", 1.2, round=1)]
    assert _only(changed).floor is None
    assert _only(changed).kind is Kind.FASTER
    step = next(one for one in steps_of([*changed, *again]) if one.after.task == "a")
    assert step.kind is Kind.WITHIN_NOISE
    assert step.floor == pytest.approx(0.2623642644674911)


def test_times_of_two_kinds_or_none_are_not_compared() -> None:
    changed = made("a", 1.0, round=0, tier="replay"), made("a", 2.0, round=1, tier="wall")
    assert _only(list(changed)).kind is Kind.OTHER_TIER
    assert _only(list(changed)).factor is None
    assert _only([made("a", 1.0, round=0), made("a", round=1)]).kind is Kind.NO_TIMES


def test_a_step_leaves_from_the_parent_that_is_named() -> None:
    given = [
        wrong("a", round=0, sample=0, submission="first", key="1"),
        made("a", round=0, sample=1, submission="second", key="2"),
        wrong("a", round=1, sample=0, submission="child", key="3", digest="c", parent="second"),
    ]
    step = _only(given)
    assert (step.before.submission, step.by_parent) == ("second", True)
    assert step.kind is Kind.PASS_TO_FAIL
    stranger = [*given[:2], wrong("a", round=1, sample=0, key="3", digest="c", parent="nobody")]
    assert (_only(stranger).before.submission, _only(stranger).by_parent) == ("first", False)


def test_attempts_of_one_round_do_not_follow_each_other() -> None:
    given = [
        made("a", round=at // 2, sample=at % 2, submission=str(at), key=str(at), digest=str(at))
        for at in range(6)
    ]
    found = [(one.before.submission, one.after.submission) for one in steps_of(given)]
    assert found == [("0", "2"), ("2", "4"), ("1", "3"), ("3", "5")]


def test_a_name_means_another_submission_in_another_run() -> None:
    here = wrong("a", round=1, key="3", digest="c", parent="second", run="here")
    there = made("a", round=0, sample=1, submission="second", key="2", run="there")
    assert list(steps_of([there, here])) == []
    (step,) = steps_of([there, here, made("a", round=0, key="1", run="here")])
    assert not step.by_parent


def test_lines_cards_and_methods_are_not_mixed_and_void_ones_passed_over() -> None:
    assert list(steps_of([wrong("a", round=0), made("b", round=1)])) == []
    assert list(steps_of([wrong("a", round=0), made("a", round=1, method="n")])) == []
    assert list(steps_of([wrong("a", round=0), made("a", round=1, gpu="other")])) == []
    assert list(steps_of([wrong("a", round=0), made("a", round=1, outcome="reached")])) == []
    step = _only([wrong("a", round=0), void("a", round=1), made("a", round=2)])
    assert (step.before.round, step.after.round) == (0, 2)
