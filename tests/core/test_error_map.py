import math
from itertools import pairwise

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
from kernelbenchx.core.record import from_json, to_json


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
