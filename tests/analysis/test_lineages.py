"""Lines of attempts through rounds."""

import numpy as np

from attempts_made import made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.lineages import ANY, NOTHING, PURE, Lineages, build_lineages


def _only(attempts: list[Attempt]) -> Lineages:
    (found,) = build_lineages(frame_of(attempts))
    return found


def test_a_line_that_stops_stands_where_it_stood() -> None:
    lines = _only([made("a", round=0), wrong("b", round=0), made("b", round=2)])
    assert lines.rounds == (0, 2) and list(lines.steps()) == [(0, 1)]
    assert lines.at.tolist() == [[0, 0], [1, 2]]
    assert lines.fresh.tolist() == [[True, False], [True, True]]
    assert lines.flags(lines.correct, 0).tolist() == [True, False]
    assert lines.flags(lines.correct, 1).tolist() == [True, True]


def test_a_void_attempt_is_passed_over() -> None:
    lines = _only([made("a", round=0), void("a", round=1), wrong("b", round=1)])
    assert lines.at.tolist() == [[0, 0], [NOTHING, 1]]


def test_what_has_not_begun_is_neither_right_nor_a_number() -> None:
    lines = _only([made("a", 2.0, round=0), made("b", 3.0, round=1)])
    assert lines.standing(0).tolist() == [True, False]
    assert lines.flags(lines.correct, 0).tolist() == [True, False]
    values = lines.numbers(np.array([2.0, 3.0]), 0)
    assert values[0] == 2.0 and np.isnan(values[1])
    assert lines.same_code(0, 1).tolist() == [True, False]


def test_samples_have_lines_of_their_own() -> None:
    given = [
        kind("a", submission=f"{line}-{number}", digest=f"{line}-{number}", round=number)
        for number in (0, 1)
        for line, kind in (("x", made), ("y", wrong))
    ]
    lines = _only(given)
    assert lines.at.tolist() == [[0, 2], [1, 3]]
    assert lines.tasks.tolist() == [0, 0]


def test_one_round_is_no_line_and_cards_and_authors_are_apart() -> None:
    assert build_lineages(frame_of([made("a"), made("b")])) == []
    given = [made("a", round=n, gpu=gpu, method=m) for n in (0, 1) for gpu in "AB" for m in "xy"]
    found = build_lineages(frame_of(given))
    assert [(one.card, one.author) for one in found] == [
        ("A", "x"), ("A", "y"), ("B", "x"), ("B", "y"),
    ]  # fmt: skip


def test_what_was_not_judged_has_no_line() -> None:
    given = [made("a", round=n, outcome="reached", stage="call") for n in (0, 1)]
    assert build_lineages(frame_of(given)) == []


def test_speeds_of_pure_kernels_and_where_some_are_mixed_of_all() -> None:
    given = [made("a", 2.0, round=0), made("a", 3.0, round=1, composition="mixed")]
    pure, both = _only(given).speeds
    assert (pure.composition, both.composition) == (PURE, ANY)
    assert pure.over[0] == 2.0 and np.isnan(pure.over[1]) and np.isnan(pure.score[1])
    assert both.over.tolist() == [2.0, 3.0]
    one = [made("a", 2.0, round=0), made("b", round=1)]
    assert [each.composition for each in _only(one).speeds] == [PURE]
    mixed = [made("a", 2.0, round=0, composition="mixed"), made("b", round=1)]
    assert [each.composition for each in _only(mixed).speeds] == [ANY]
    assert _only([made("a", round=0), made("b", round=1)]).speeds == [], "zeros would say nothing"
