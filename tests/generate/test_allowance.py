import math

from desks import reply
from kernelbenchx.generate.allowance import Allowance, AllowanceUse


def test_requests_and_evaluations_run_out() -> None:
    spent = AllowanceUse(Allowance(requests=2, evaluations=1))
    assert (spent.requests_left, spent.evaluations_left) == (2, 1)
    spent.count_reply(reply("text"))
    spent.count_evaluation()
    assert (spent.requests_left, spent.evaluations_left) == (1, 0)
    spent.count_evaluation()
    assert spent.evaluations_left == 0


def test_no_request_follows_the_one_that_spent_the_tokens() -> None:
    spent = AllowanceUse(Allowance(requests=9, tokens=150))
    spent.count_reply(reply("a" * 49))
    assert spent.requests_left == 8
    spent.count_reply(reply("a"))
    assert spent.requests_left == 0


def test_without_a_limit_nothing_runs_out() -> None:
    spent = AllowanceUse(Allowance())
    spent.count_reply(reply("text"))
    assert spent.requests_left == math.inf
    assert spent.evaluations_left == math.inf
