"""Attempts at problems that are unsound as published stand in no rate, and tables say so."""

import pytest
from msgspec.structs import replace

from attempts_made import made, void, wrong
from kernelbenchx.analysis import failures, hardware, rates, speed
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.success_counts import last_rounds
from kernelbenchx.analysis.summary import summarize
from kernelbenchx.analysis.table import Table
from kernelbenchx.core.grades import Grade

SOUND = [made("level1/a", 2.0), wrong("level1/b"), made("level2/c", 1.5)]
SOUND = [replace(one, grade=Grade.DISCRIMINATING) for one in SOUND]
LUCKY = replace(made("level2/zeros", 9.0), grade=Grade.UNSOUND)


def test_a_lucky_kernel_changes_no_rate_and_no_speed() -> None:
    for module in (rates, speed, failures, hardware):
        there = [_rows(one) for one in module.tables([*SOUND, LUCKY])]
        assert there == [_rows(one) for one in module.tables(SOUND)]
    assert repr(summarize([*SOUND, LUCKY])) == repr(summarize(SOUND))
    assert last_rounds([*SOUND, LUCKY]) == last_rounds(SOUND)


@pytest.mark.parametrize(
    "grade", [Grade.CERTIFIED, Grade.WITNESSED, Grade.DISCRIMINATING, Grade.IMPORTED]
)
def test_with_any_other_grade_it_counts(grade: Grade) -> None:
    there = [*SOUND, replace(LUCKY, grade=grade)]
    assert _rows(rates.tables(there)[0]) != _rows(rates.tables(SOUND)[0])
    assert replace(LUCKY, grade=grade).certified is (grade is not Grade.IMPORTED)


def test_what_is_left_out_is_counted_apart_from_void_ones() -> None:
    found = frame_of([*SOUND, LUCKY, void("level1/d")])
    assert (len(found), found.void, found.unsound) == (3, 1, 1)
    assert found.notes == (
        "1 void: not judged, not counted.",
        "1 on problems unsound as published: not counted.",
    )
    assert frame_of(SOUND).notes == ()


def test_what_was_void_first_stands_when_it_was_judged_later_here_too() -> None:
    first = replace(void("level2/zeros"), grade=Grade.UNSOUND, submission=LUCKY.submission)
    found = frame_of([*SOUND, first, LUCKY])
    assert (found.void, found.unsound) == (0, 1)


def _rows(table: Table) -> str:
    """As text, in which NaN equals NaN."""
    return repr(table.rows)
