"""How many requests there are at most: never fewer than a method makes."""

from pathlib import Path
from typing import Any

import pytest

from desks import TASK, FakeBench, FakeModel, desk, office
from kernelbenchx.catalog.statement import statement
from kernelbenchx.generate import methods
from kernelbenchx.generate.prices import Price, Prices
from kernelbenchx.study.cost import CountsRequests, estimate, total
from study.study_files import GOOD, check

PRICES = Prices((("*", Price(input=1.0, output=2.0)),))


@pytest.mark.parametrize(
    ("name", "options", "most"),
    [
        ("one_shot", {}, 1),
        ("sample", {"samples": 4}, 4),
        ("refine", {"rounds": 3}, 3),
        ("geak", {"rounds": 2, "candidates": 3}, 15),
        ("kernel_agent", {"workers": 2, "rounds": 2}, 7),
        ("search", {"requests": 3}, 3),
    ],
)
def test_a_method_that_never_succeeds_makes_all_of_its_requests(
    name: str, options: dict[str, Any], most: int
) -> None:
    method = methods.make_method(name, options)
    assert isinstance(method, CountsRequests) and method.most_requests == most
    model = FakeModel(lambda *_: "x = 1")
    method.run(statement(TASK), desk(office(model, bench=FakeBench())))
    assert len(model.asked) == most


@pytest.mark.parametrize("name", methods.names())
def test_every_method_says_how_often_it_asks(name: str) -> None:
    assert isinstance(methods.make_method(name, {}), CountsRequests)


def test_an_estimate_counts_tasks_rounds_and_tokens(tmp_path: Path) -> None:
    every = check(tmp_path, GOOD)
    first, *_, last = (estimate(cell, every.study.tasks, PRICES) for cell in every.cells)
    assert (first.requests, last.requests) == (2, 8)
    assert first.reply_tokens == 2 * 16384 and last.reply_tokens == 8 * 16384
    assert last.prompt_tokens > 4 * first.prompt_tokens  # later requests hold more
    assert first.dollars == pytest.approx((first.prompt_tokens + 2 * first.reply_tokens) / 1e6)
    both = total([first, last])
    assert both.requests == 10 and both.dollars is not None
    unknown = estimate(every.cells[0], every.study.tasks, Prices())
    assert unknown.dollars is None and total([first, unknown]).dollars is None


def test_a_longest_reply_of_ones_own_counts(tmp_path: Path) -> None:
    short = GOOD.replace('"openai:one"', '{ model = "openai:one", max_tokens = 100 }')
    every = check(tmp_path, short)
    assert estimate(every.cells[0], every.study.tasks, PRICES).reply_tokens == 200
    geak = check(tmp_path, GOOD.replace('["one_shot"', '["geak"'))
    one = estimate(geak.cells[0], geak.study.tasks, PRICES)
    assert one.reply_tokens == one.requests * 30_000
