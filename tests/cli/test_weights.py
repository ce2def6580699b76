"""Words about how modules got their weights."""

import msgspec
import pytest

from kernelbenchx.cli.evaluation_table import why
from kernelbenchx.cli.weights import ROUTES, weights_of, weights_summary
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Correct, Reason, Wrong
from samples import evaluation

RIGHT = evaluation(outcome=Correct(cases=12, worst=0.2))
WRONG = evaluation(outcome=Wrong(case="n=3", reason=Reason.BAD_VALUES, detail="far"))


def _by(route: str, one: Evaluation = RIGHT) -> Evaluation:
    return msgspec.structs.replace(one, weights=route)


@pytest.mark.parametrize("route", ROUTES)
def test_the_line_of_a_result_says_how_weights_came(route: str) -> None:
    assert f"weights {ROUTES[route]}" in why(_by(route))
    assert "weights" not in why(RIGHT)


def test_a_word_that_no_route_has_is_not_repeated() -> None:
    assert weights_of(_by("whatever a child says")) == ""


def test_other_routes_than_names_are_counted_apart() -> None:
    many = [_by("name"), _by("name"), _by("seed"), _by("part", WRONG), RIGHT]
    (line,) = weights_summary(many)
    assert "2 by name" in line and "1 from the seed" in line
    assert ROUTES["part"] not in line, "wrong ones are not counted"
    assert weights_summary([_by("name"), RIGHT]) == []
