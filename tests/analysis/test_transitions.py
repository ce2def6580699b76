"""Rescued, persistent, regressed, unsolved: exact definitions."""

from typing import Any

import numpy as np
import pytest

from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.intervals import geometric_means, wilson
from kernelbenchx.analysis.lineages import build_lineages
from kernelbenchx.analysis.transitions import groups_of, transition_speeds, transitions

GIVEN: list[Attempt] = [
    wrong("rescued1", round=0), made("rescued1", 0.5, round=1),
    broken("rescued2", round=0), made("rescued2", 2.0, round=1),
    made("persistent", 1.5, round=0), made("persistent", 1.2, round=1),
    made("regressed", 3.0, round=0), wrong("regressed", round=1),
    wrong("unsolved", round=0), broken("unsolved", round=1),
    made("stopped", 1.8, round=0),
    made("void_later", 1.1, round=0), void("void_later", round=1),
    made("late", 9.0, round=1),
]  # fmt: skip


def _rows(attempts: list[Attempt]) -> dict[str, dict[str, Any]]:
    table = transitions(build_lineages(frame_of(attempts)), ())
    return {str(row["group"]): row for row in table.records()}


def _speeds(attempts: list[Attempt]) -> dict[tuple[str, str], dict[str, Any]]:
    table = transition_speeds(build_lineages(frame_of(attempts)), ())
    return {(str(row["composition"]), str(row["group"])): row for row in table.records()}


def test_every_line_that_has_begun_is_in_one_group() -> None:
    (lines,) = build_lineages(frame_of(GIVEN))
    groups = groups_of(lines, 0, 1)
    assert tuple(groups) == ("rescued", "persistent", "regressed", "unsolved")
    together = np.sum(list(groups.values()), axis=0)
    names = [lines.frame.task.labels[code] for code in lines.tasks]
    counts = dict(zip(names, together, strict=True))
    assert counts.pop("late") == 0, "a line that begins later comes from nowhere"
    assert set(counts.values()) == {1}


def test_counts_and_what_they_are_shares_of() -> None:
    rows = _rows(GIVEN)
    assert {name: (row["lines"], row["of"]) for name, row in rows.items()} == {
        "rescued": (2, 3),
        "persistent": (3, 4),
        "regressed": (1, 4),
        "unsolved": (1, 3),
    }
    plain = wilson(2, 3)
    assert (rows["rescued"]["share_low"], rows["rescued"]["share_high"]) == pytest.approx(
        (plain.low, plain.high)
    )
    assert (rows["rescued"]["before"], rows["rescued"]["after"]) == (0, 1)


def test_speed_after_the_step_and_of_the_regressed_before_it() -> None:
    rows = _speeds(GIVEN)
    rescued = rows["pure", "rescued"]
    plain = geometric_means([1.2, 1.8, 1.1], [0, 1, 2]).at(0)
    assert (rescued["kernels"], rescued["median"]) == (2, 1.25)
    assert rescued["mean"] == pytest.approx(1.25)
    assert rescued["speedup"] == pytest.approx(1.0)
    assert rescued["speedup_low"] is None, "two tasks say nothing of others"
    kept = rows["pure", "persistent"]
    assert kept["kernels"] == 3
    assert (kept["speedup"], kept["speedup_low"]) == pytest.approx((plain.value, plain.low))
    assert rows["pure", "regressed"]["speedup"] == pytest.approx(3.0)
    assert ("pure", "unsolved") not in rows


def test_a_rescued_kernel_without_a_time_is_counted_and_not_averaged() -> None:
    given = [wrong("a", round=0), made("a", round=1, performance="unmeasured"),
             wrong("b", round=0), made("b", 2.0, round=1)]  # fmt: skip
    rows = _speeds(given)
    assert (rows["pure", "rescued"]["lines"], rows["pure", "rescued"]["kernels"]) == (2, 1)
    assert rows["pure", "regressed"]["speedup"] is None


def test_what_fails_at_a_timed_size_rescues_nothing() -> None:
    given = [wrong("a", round=0), made("a", round=1, performance="failed"),
             wrong("b", round=0), made("b", 2.0, round=1)]  # fmt: skip
    assert _speeds(given)["pure", "rescued"]["lines"] == 1


def test_mixed_kernels_have_a_row_of_their_own() -> None:
    given = [wrong("a", round=0), made("a", 4.0, round=1, composition="mixed"),
             wrong("b", round=0), made("b", 1.0, round=1)]  # fmt: skip
    rows = _speeds(given)
    assert rows["pure", "rescued"]["speedup"] == pytest.approx(1.0)
    assert rows["pure or mixed", "rescued"]["speedup"] == pytest.approx(2.0)
