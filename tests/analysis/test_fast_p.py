"""fast_p over all attempts."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from attempts_made import broken, made, speed, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.fast_p import CURVE, fast_tables
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.table import Table

GIVEN = [made("a", 2.0), made("b", 1.0), made("c", 0.5), wrong("d"), broken("e")]


def _tables(attempts: list[Attempt], *p: float) -> tuple[Table, Table]:
    frame = frame_of(attempts)
    return fast_tables(frame, p)


def _shares(attempts: list[Attempt], *p: float) -> dict[tuple[Any, ...], Any]:
    rows = _tables(attempts, *p)[0].records()
    return {(row["baseline"], row["composition"], row["p"]): row["share"] for row in rows}


def test_strictly_faster_than_p_of_all_attempts() -> None:
    assert _shares(GIVEN, 0.0, 0.5, 1.0, 1.99) == {
        ("eager", "pure", 0.0): pytest.approx(0.6),
        ("eager", "pure", 0.5): pytest.approx(0.4),
        ("eager", "pure", 1.0): pytest.approx(0.2),
        ("eager", "pure", 1.99): pytest.approx(0.2),
    }
    (row,) = _tables(GIVEN, 1.0)[0].records()
    plain = wilson(1, 5)
    assert (row["tasks"], row["attempts"]) == (5, 5)
    assert (row["share_low"], row["share_high"]) == pytest.approx((plain.low, plain.high))


def _bounds(attempts: list[Attempt], p: float) -> tuple[Any, Any]:
    (row,) = _tables(attempts, p)[0].records()
    return row["share"], row["at_most"]


def test_untrusted_times_give_bounds_and_failed_ones_do_not() -> None:
    lost = made("f", performance="unmeasured")
    failed = made("g", performance="failed")
    assert _bounds([*GIVEN, lost], 1.0) == (pytest.approx(1 / 6), pytest.approx(2 / 6))
    assert _bounds([*GIVEN, failed], 1.0) == (pytest.approx(1 / 6), pytest.approx(1 / 6))
    (row,) = _tables([*GIVEN, lost], 1.0)[0].records()
    ends = wilson(1, 6).low, wilson(2, 6).high
    assert (row["share_low"], row["share_high"]) == pytest.approx(ends)


def test_fast_0_is_the_share_correct_whatever_is_known_of_times() -> None:
    lost = [made("f", performance="unmeasured"), made("g")]
    assert _bounds([*GIVEN, *lost], 0.0) == (pytest.approx(5 / 7), pytest.approx(5 / 7))
    assert _bounds([*GIVEN, *lost], 0.5) == (pytest.approx(2 / 7), pytest.approx(4 / 7))


def test_where_no_time_could_be_trusted_everything_is_possible() -> None:
    lost = [made("a", performance="unmeasured"), wrong("b")]
    assert _bounds(lost, 2.0) == (0.0, pytest.approx(1 / 2))
    (row,) = _tables(lost, 2.0)[0].records()
    assert row["baseline"] == "eager"


def test_compositions_add_up_over_one_denominator() -> None:
    found = _shares([*GIVEN, made("f", 3.0, composition="mixed")], 1.0)
    assert found["eager", "pure", 1.0] == found["eager", "mixed", 1.0] == pytest.approx(1 / 6)


def test_where_a_baseline_was_not_measured_a_kernel_gives_a_bound() -> None:
    given = [made("a", 2.0, compiled=speed(1.2)), made("b", 2.0), wrong("c")]
    rows = {row["baseline"]: row for row in _tables(given, 1.0)[0].records()}
    assert rows["eager"]["share"] == rows["eager"]["at_most"] == pytest.approx(2 / 3)
    assert rows["torch.compile"]["share"] == pytest.approx(1 / 3)
    assert rows["torch.compile"]["at_most"] == pytest.approx(2 / 3)


def test_a_run_that_never_took_a_baseline_is_not_asked_about_it() -> None:
    given = [made("a", 2.0, compiled=speed(1.2)), made("b", 2.0, run="other"), wrong("c")]
    rows = {row["baseline"]: row for row in _tables(given, 1.0)[0].records()}
    assert (rows["eager"]["attempts"], rows["torch.compile"]["attempts"]) == (3, 2)


def test_the_curve_falls_and_holds_one_exactly() -> None:
    _, curve = _tables(GIVEN, 0.7)
    shares = [row["share"] for row in curve.records()]
    assert len(shares) == len(CURVE) and 1.0 in CURVE and 0.0 in CURVE
    assert np.all(np.diff(np.array(shares, float)) <= 0)
    assert 0.7 not in {row["p"] for row in curve.records()}


def test_without_times_there_is_no_curve() -> None:
    assert [one.rows for one in _tables([made("a"), wrong("b")], 1.0)] == [(), ()]


def test_people_see_every_fifth_step_of_the_curve() -> None:
    curve = _tables(GIVEN, 1.0)[1]
    shown = [curve.records()[place]["p"] for place in curve.glance]
    assert (shown[0], shown[4], shown[-1]) == (0.1, 1.0, 10.0)
    assert len(shown) == 9 and len(curve.rows) == 42


def _core(task: str, speedup: float, **more: Any) -> Attempt:
    """Core correct, wrong elsewhere, timed on core cases."""
    given = {"core_performance": "timed", "core_eager": speed(speedup), **more}
    return replace(wrong(task), **given)


def _core_shares(attempts: list[Attempt], p: float) -> dict[str, tuple[Any, Any]]:
    rows = _tables(attempts, p)[0].records()
    return {str(row["composition"]): (row["share"], row["core_share"]) for row in rows}


def test_core_times_have_a_column_of_their_own_and_change_no_other() -> None:
    before = _shares(GIVEN, 1.0)["eager", "pure", 1.0]
    instead = [*GIVEN[:3], _core("d", 9.0), GIVEN[4]]
    assert _core_shares(instead, 1.0)["pure"] == (pytest.approx(before), pytest.approx(1 / 5))
    assert _core_shares(GIVEN, 1.0)["pure"] == (pytest.approx(before), None)
    assert _core_shares(instead, 9.5)["pure"] == (0.0, 0.0)


def test_a_correct_kernel_is_never_in_the_core_column() -> None:
    odd = replace(made("a", 2.0), core_performance="timed", core_eager=speed(9.0))
    assert _core_shares([odd, _core("b", 2.0)], 1.0)["pure"] == (0.5, pytest.approx(0.5))


def test_core_times_that_cannot_be_trusted_give_bounds_and_failed_ones_do_not() -> None:
    given = [made("a", 2.0), _core("b", 2.0), wrong("c")]
    lost = _core("d", 1.0, core_performance="unmeasured", core_eager=None)
    failed = _core("d", 1.0, core_performance="failed", core_eager=None)
    for more, most in ((lost, 2 / 4), (failed, 1 / 4)):
        (row,) = _tables([*given, more], 1.0)[0].records()
        assert row["core_share"] == pytest.approx(1 / 4)
        assert row["core_at_most"] == pytest.approx(most)


def test_core_times_alone_have_rows() -> None:
    assert _core_shares([_core("a", 2.0), broken("b")], 1.0) == {"pure": (0.0, pytest.approx(0.5))}
    other = replace(_core("a", 2.0), composition="mixed")
    assert set(_core_shares([other, made("b", 2.0)], 1.0)) == {"mixed", "pure"}
