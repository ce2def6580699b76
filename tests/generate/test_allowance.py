import math

from desks import reply
from kernelbenchx.generate.allowance import Allowance, Spent


def test_requests_and_evaluations_run_out() -> None:
    spent = Spent(Allowance(requests=2, evaluations=1))
    assert (spent.requests_left, spent.evaluations_left) == (2, 1)
    spent.asked(reply("text"))
    spent.judged()
    assert (spent.requests_left, spent.evaluations_left) == (1, 0)
    spent.judged()
    assert spent.evaluations_left == 0


def test_no_request_follows_the_one_that_spent_the_tokens() -> None:
    spent = Spent(Allowance(requests=9, tokens=150))
    spent.asked(reply("a" * 49))
    assert spent.requests_left == 8
    spent.asked(reply("a"))
    assert spent.requests_left == 0


def test_without_a_limit_nothing_runs_out() -> None:
    spent = Spent(Allowance())
    spent.asked(reply("text"))
    assert spent.requests_left == math.inf
    assert spent.evaluations_left == math.inf
