"""The summary says what the tables say, in fewer words."""

import math

import pytest

from attempts_made import broken, made, void, wrong
from kernelbenchx.analysis.summary import summarize


def test_a_row_for_each_method_the_best_first() -> None:
    given = [
        *(made(f"math/{at}", 2.0, method="good") for at in range(3)),
        wrong("math/3", method="good"),
        *(wrong(f"math/{at}", method="bad") for at in range(3)),
        made("math/3", method="bad"),
        void("math/4", method="bad"),
    ]
    first, second = summarize(given).methods
    assert (first.method, first.tasks, first.solved.value) == ("good", 4, 0.75)
    assert first.speedup is not None and first.speedup.value == pytest.approx(2.0)
    assert (second.method, second.solved.value, second.speedup) == ("bad", 0.25, None)
    assert second.solved.low < 0.25 < second.solved.high


def test_failures_are_counted_by_cause_on_the_card_with_the_most_attempts() -> None:
    given = [
        *(wrong(f"math/{at}") for at in range(3)),
        broken("math/3"),
        made("math/4"),
        broken("math/0", gpu="other", submission="elsewhere"),
    ]
    found = summarize(given)
    assert found.gpus == ("card", "other")
    assert (found.failures.gpu, found.failures.attempts, found.failures.failed) == ("card", 5, 4)
    assert found.failures.causes[0] == ("values", 3)


def test_what_was_stopped_before_answers_is_solved_neither_way() -> None:
    (only,) = summarize([made("math/a", outcome="reached", stage="call")]).methods
    assert math.isnan(only.solved.value) and only.correct is None
