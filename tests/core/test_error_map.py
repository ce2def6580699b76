import math
from itertools import pairwise

import msgspec
import pytest

from kernelbenchx.core.error_map import (
    BORDER,
    INFINITE,
    LEVELS,
    NOTHING,
    ErrorMap,
    as_lines,
    bounds,
    is_wrong,
)
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import CaseResult, CaseState, Reason, Wrong
from kernelbenchx.core.record import from_json, to_json
from samples import evaluation


@pytest.mark.parametrize(
    ("shape", "lines"),
    [
        ((), (1, 1)),
        ((1, 1), (1, 1)),
        ((20,), (1, 20)),
        ((1, 33, 1), (2, 32)),
        ((1024,), (32, 32)),
        ((1025,), (17, 64)),
        ((1 << 26,), (32, 1 << 21)),
        ((3, 5), (3, 5)),
        ((2, 3, 5), (6, 5)),
        ((4, 1, 7), (4, 7)),
    ],
)
def test_an_output_is_seen_as_lines(shape: tuple[int, ...], lines: tuple[int, int]) -> None:
    assert as_lines(shape) == lines
    assert math.prod(lines) >= math.prod(shape)


def test_letters_follow_each_other_without_a_gap_and_the_border_is_one_budget() -> None:
    for letter, following in pairwise(LEVELS):
        assert bounds(letter)[1] == bounds(following)[0]
    assert bounds(LEVELS[BORDER])[1] == bounds(LEVELS[BORDER + 1])[0] == 1.0
    assert not is_wrong(LEVELS[BORDER]) and is_wrong(LEVELS[BORDER + 1])
    assert is_wrong(INFINITE) and not is_wrong(NOTHING)
    assert bounds(INFINITE)[0] == math.inf


def test_a_map_survives_the_store_line_by_line() -> None:
    one = ErrorMap(shape=(3, 5), lines=(3, 5), steps=(2, 1), cells="01234abcd-", wrong="00000" * 2)
    assert one.size == (2, 5)
    assert list(one.rows()) == ["01234", "abcd-"]
    assert from_json(to_json(one), ErrorMap) == one


def test_cases_and_map_survive_the_store_with_an_infinite_error() -> None:
    one = ErrorMap(shape=(2,), lines=(1, 2), steps=(1, 1), cells="0*")
    wrong = Wrong(case="n=3", reason=Reason.BAD_VALUES, detail="far", error_map=one)
    cases = (
        CaseResult("n=2", CaseState.PASSED, 0.5),
        CaseResult("n=3", CaseState.WRONG, math.inf, "bad_values: 1 of 2 elements"),
        CaseResult("n=4", CaseState.NOT_REACHED),
    )
    made = msgspec.structs.replace(evaluation("mine", wrong), cases=cases)
    assert from_json(to_json(made), Evaluation) == made
