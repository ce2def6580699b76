"""Decomposed means, changes beyond noise and the floor, as tables."""

import math
from typing import Any

import pytest

from attempts_made import made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.changes import changes, decompositions, noise_floor
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.lines import lines_of
from kernelbenchx.analysis.noise import noise_of
from kernelbenchx.analysis.table import Table

GIVEN: list[Attempt] = [
    made("a", 2.0, round=0, digest="a"), made("a", 2.02, round=1, digest="a"),
    made("b", 1.0, round=0, digest="b"), made("b", 1.01, round=1, digest="b"),
    made("c", 1.0, round=0), made("c", 1.5, round=1),
    wrong("d", round=0), made("d", 0.25, round=1),
    made("e", 4.0, round=0), wrong("e", round=1),
]  # fmt: skip


def _rows(table: Table) -> list[dict[str, Any]]:
    assert len({column.key for column in table.columns}) == len(table.columns)
    return table.records()


def test_both_scales_add_up_to_the_change_of_their_mean() -> None:
    log, plain = _rows(decompositions(lines_of(frame_of(GIVEN)), ("note",)))
    assert (log["scale"], plain["scale"]) == ("log", "plain")
    assert (log["kept"], log["same_code"], log["entered"], log["left"]) == (3, 2, 1, 1)
    exact = math.log(log["mean_after"]) - math.log(log["mean_before"])
    assert log["change"] == pytest.approx(exact, abs=1e-12)
    assert plain["change"] == pytest.approx(plain["mean_after"] - plain["mean_before"], abs=1e-12)
    for row in (log, plain):
        assert row["real"] + row["members"] == pytest.approx(row["change"], abs=1e-12)
        assert row["entering"] + row["leaving"] == pytest.approx(row["members"], abs=1e-12)
        assert row["rewritten"] + row["remeasured"] == pytest.approx(row["real"], abs=1e-12)
        assert row["real_low"] < row["real"] < row["real_high"]
    assert log["remeasured"] == pytest.approx(2 * math.log(1.01) / 3)
    assert plain["mean_before"] == pytest.approx(2.0)


def test_without_a_line_in_both_rounds_nothing_is_decomposed() -> None:
    given = [made("a", 2.0, round=0), wrong("a", round=1), made("b", 1.0, round=1)]
    (log, _) = _rows(decompositions(lines_of(frame_of(given)), ()))
    assert (log["kept"], log["change"], log["mean_before"]) == (0, None, pytest.approx(2.0))


def test_only_rewritten_code_counts_as_changed_and_only_beyond_the_floor() -> None:
    found = lines_of(frame_of(GIVEN))
    (row,) = _rows(changes(found, noise_of(GIVEN), ()))
    assert (row["kept"], row["same_code"]) == (3, 2)
    assert row["floor"] == pytest.approx(0.01)
    assert (row["faster"], row["slower"]) == (1.0, 0.0)
    (without,) = _rows(changes(found, {}, ()))
    assert without["floor"] is None and without["faster"] is None


def test_the_floor_in_shares() -> None:
    (row,) = _rows(noise_floor(noise_of(GIVEN)))
    assert (row["card"], row["kernels"], row["changes"], row["elsewhere"]) == ("card", 2, 2, 0)
    assert (row["median"], row["floor"], row["most"]) == pytest.approx((0.01, 0.01, 0.01))
    assert noise_floor({}).rows == ()
