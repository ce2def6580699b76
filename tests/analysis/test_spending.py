"""What a task took until it was solved."""

from typing import Any

import pytest

from asked_samples import asked
from attempts_made import made, void, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import NOT_SAID
from kernelbenchx.analysis.model_request import ModelRequest
from kernelbenchx.analysis.spending import RequestTotals, Spending, Try, tries_of


def _attempt(step: str, right: bool = False, **changes: Any) -> Attempt:
    given: dict[str, Any] = {"step": step, "key": step} | changes
    return made("math/add", **given) if right else wrong("math/add", **given)


def _only(attempts: list[Attempt], requests: list[ModelRequest]) -> Try:
    (found,) = tries_of(Spending("run", attempts, requests))
    return found


def test_rounds_count_until_the_first_that_is_correct() -> None:
    attempts = [_attempt(f"round {at}", right=at in (1, 3), round=at) for at in (3, 2, 1, 0)]
    found = _only(attempts, [asked(f"round {at}") for at in range(4)])
    assert (found.solved, found.first) == (True, 1)
    assert found.totals == RequestTotals(requests=4, tokens=400, cost=1.0)
    assert found.until_solved == RequestTotals(requests=2, tokens=200, cost=0.5)


def test_an_unsolved_task_took_all_and_until_nothing() -> None:
    found = _only([_attempt("round 0")], [asked("round 0")])
    assert (found.solved, found.until_solved, found.totals.tokens) == (False, None, 100)


def test_samples_count_in_their_order_whoever_was_asked_first() -> None:
    attempts = [
        _attempt(f"sample {at}", right=at == 2, sample=at, submission=str(at)) for at in range(12)
    ]
    requests = [asked(f"sample {at}") for at in (11, 2, 10, 0, 1)]
    found = _only(attempts, requests)
    assert found.until_solved is not None and found.until_solved.requests == 3


@pytest.mark.parametrize(
    ("solves", "requests"),
    [("round 0/candidate 0", 3), ("round 0/candidate 1", 5), ("round 1/candidate 0", 7)],
)
def test_requests_below_an_attempt_and_beside_it_count_with_it(solves: str, requests: int) -> None:
    steps = ["round 0/candidate 0", "round 0/candidate 1", "round 1/candidate 0"]
    attempts = [
        _attempt(step, right=step == solves, round=int(step[6]), sample=int(step[-1]))
        for step in steps
    ]
    asked_for = [
        asked("test"),  # before everything: whoever comes first needs it
        asked("round 0/candidate 1/generator"),
        asked("round 0/candidate 0/generator"),
        asked("round 0/candidate 0/judge"),
        asked("round 0/candidate 1/judge"),
        asked("round 1/candidate 0/generator"),
        asked("round 1/candidate 1/generator"),  # written, and never judged
        asked("round 2/candidate 0/generator"),  # after the last verdict
    ]
    found = _only(attempts, asked_for)
    assert found.until_solved is not None
    assert found.until_solved.requests == requests
    assert found.totals.requests == 8


def test_a_price_that_is_not_known_leaves_no_sum() -> None:
    found = _only([_attempt("round 0", right=True)], [asked(), asked("round 1", cost=None)])
    assert found.totals == RequestTotals(requests=2, tokens=200, cost=None)
    assert found.until_solved == RequestTotals(requests=1, tokens=100, cost=0.25)


def test_void_attempts_count_nowhere_and_their_tokens_do() -> None:
    attempts = [void("math/add", step="round 0", key="v"), _attempt("round 1", True, round=1)]
    found = _only(attempts, [asked("round 0"), asked("round 1")])
    assert (len(found.attempts), found.first) == (1, 0)
    assert found.until_solved is not None and found.until_solved.requests == 2


def test_a_task_that_was_never_judged_is_there_too() -> None:
    requests = [asked("round 0"), asked("round 0", task="math/sub")]
    first, second = tries_of(Spending("run", [_attempt("round 0", True)], requests))
    assert (first.task, first.solved, second.task, second.solved) == (
        "math/add",
        True,
        "math/sub",
        False,
    )
    assert second.card == first.card == "card"
    assert _only([], [asked()]).card == NOT_SAID


def test_what_was_stopped_before_answers_is_not_judged() -> None:
    assert not _only([_attempt("round 0", outcome="reached")], [asked()]).judged
    assert _only([_attempt("round 0")], [asked()]).judged


def test_kernels_that_nobody_asked_a_model_for_took_nothing() -> None:
    assert list(tries_of(Spending("run", [made("math/add", method="hand")], []))) == []
