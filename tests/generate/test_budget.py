"""A cap is never passed, whatever requests take in the end."""

import random
import threading
import time

import pytest

from generate.requests_made import STEP, request
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Usage
from kernelbenchx.generate.budget import Budget, Caps, worst
from kernelbenchx.generate.model import OutOfBudget, Stopped
from kernelbenchx.generate.prices import Price

DEAR = Price(input=1e6, output=2e6)
"""A dollar for a token of the prompt, two for one of the reply."""


def _budget(price: Price | None = None, **caps: float) -> Budget:
    return Budget(Caps(**caps), price, threading.Event())  # type: ignore[arg-type]


def _use(prompt: int, completion: int = 0) -> Usage:
    return Usage(prompt=prompt, completion=completion)


def test_without_a_cap_everything_fits_and_is_counted() -> None:
    budget = _budget()
    for _ in range(3):
        budget.settle(budget.hold(_use(10**9)), _use(5, 2))
    assert budget.tokens == 21
    assert budget.dollars is None


def test_what_was_set_aside_and_not_used_comes_back() -> None:
    budget = _budget(tokens=100)
    for _ in range(9):
        budget.settle(budget.hold(_use(20)), _use(10))
    budget.settle(budget.hold(_use(10)), None)
    budget.settle(budget.hold(_use(10)), _use(10))
    with pytest.raises(OutOfBudget, match=r"may take 1 tokens; 0 of 100 are left"):
        budget.hold(_use(1))


def test_money_is_capped_too() -> None:
    budget = _budget(DEAR, dollars=100.0)
    budget.settle(budget.hold(_use(10, 20)), _use(10, 5))
    assert budget.dollars == pytest.approx(20.0)
    held = budget.hold(_use(40, 20))
    budget.settle(held, _use(40, 20))
    with pytest.raises(OutOfBudget, match=r"\$2\.0000; \$0\.0000 of \$100\.00"):
        budget.hold(_use(0, 1))


def test_what_only_others_hold_is_waited_for() -> None:
    budget = _budget(tokens=100)
    first = budget.hold(_use(60))
    later: list[float] = []

    def second() -> None:
        held = budget.hold(_use(60))
        later.append(time.monotonic())
        budget.settle(held, _use(60))

    waiting = threading.Thread(target=second)
    waiting.start()
    time.sleep(0.03)
    assert not later
    budget.settle(first, _use(40))
    waiting.join(60.0)
    assert later
    assert budget.tokens == 100


def test_who_waits_in_vain_is_told() -> None:
    budget = _budget(tokens=100)
    first = budget.hold(_use(60))
    told: list[str] = []

    def second() -> None:
        try:
            budget.hold(_use(60))
        except OutOfBudget as error:
            told.append(str(error))

    waiting = threading.Thread(target=second)
    waiting.start()
    budget.settle(first, _use(60))
    waiting.join(60.0)
    assert told == ["the next request may take 60 tokens; 40 of 100 are left"]


def test_large_requests_are_not_overtaken() -> None:
    budget = _budget(tokens=100)
    first = budget.hold(_use(50))
    order: list[str] = []

    def take(name: str, size: int) -> None:
        held = budget.hold(_use(size))
        order.append(name)
        budget.settle(held, _use(1))

    threads = [threading.Thread(target=take, args=one) for one in [("large", 90), ("small", 10)]]
    for one in threads:
        one.start()
        time.sleep(0.02)
    assert order == []
    budget.settle(first, _use(1))
    for one in threads:
        one.join(60.0)
    assert order == ["large", "small"]


def test_many_threads_never_pass_the_cap() -> None:
    cap = 5000
    budget = _budget(DEAR, tokens=cap, dollars=1.5 * cap)
    chance = random.Random(3)
    sizes = [chance.randrange(1, 120) for _ in range(300)]
    refused: list[int] = []

    def use(size: int) -> None:
        try:
            held = budget.hold(_use(size, size))
        except OutOfBudget:
            refused.append(size)
            return
        time.sleep(0.0005)
        budget.settle(held, _use(size, size // 2))

    threads = [threading.Thread(target=use, args=(size,)) for size in sizes]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60.0)
    assert budget.tokens <= cap
    assert budget.dollars is not None and budget.dollars <= 1.5 * cap
    assert refused and len(refused) < len(sizes)


def test_an_earlier_start_counts() -> None:
    budget = _budget(DEAR, tokens=100)
    budget.charge(_use(90, 5))
    assert budget.tokens == 95
    assert budget.dollars == pytest.approx(100.0)
    with pytest.raises(OutOfBudget):
        budget.hold(_use(6))
    budget.hold(_use(5))


def test_waiting_ends_with_the_run() -> None:
    stop = threading.Event()
    budget = Budget(Caps(tokens=100), None, stop)
    budget.hold(_use(60))
    stop.set()
    with pytest.raises(Stopped):
        budget.hold(_use(60))


@pytest.mark.parametrize("caps", [{"tokens": 0}, {"tokens": -1}, {"dollars": float("nan")}])
def test_a_cap_must_be_a_number_above_nothing(caps: dict[str, float]) -> None:
    with pytest.raises(BadInput, match="cap must be above 0"):
        _budget(DEAR, **caps)


def test_a_cap_in_dollars_needs_a_price() -> None:
    with pytest.raises(BadInput, match="needs the model's price"):
        _budget(dollars=1.0)


@pytest.mark.parametrize("text", ["", "plain words", "🜁" * 100, "\ud800", "\x00" * 50])
def test_the_worst_case_is_no_less_than_the_bytes(text: str) -> None:
    bound = worst(request(text, max_tokens=77))
    assert bound.prompt > len(text.encode("utf-8", "replace"))
    assert (bound.completion, bound.estimated) == (77, True)


class _Book:
    """A ledger on paper."""

    def __init__(self) -> None:
        self.open: dict[int, Usage] = {}
        self.count = 0

    def record_send(self, usage: Usage, task: str, step: str) -> int:
        assert (task, step) == (STEP.task, STEP.path)
        self.count += 1
        self.open[self.count] = usage
        return self.count

    def free(self, number: int) -> None:
        del self.open[number]


def test_what_is_under_way_or_was_used_stands_in_the_ledger_and_nothing_else() -> None:
    budget, book = _budget(tokens=100), _Book()
    budget.ledger = book
    first, second = budget.hold(_use(40), STEP), budget.hold(_use(50), STEP)
    assert list(book.open.values()) == [_use(40), _use(50)]
    budget.settle(first, _use(30))
    budget.settle(second, None)
    with pytest.raises(OutOfBudget):
        budget.hold(_use(80), STEP)
    # Whoever keeps the exchange strikes it out; who ends before cannot.
    assert list(book.open.values()) == [_use(40)] and book.count == 2
