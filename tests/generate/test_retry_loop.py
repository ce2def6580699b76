"""Every try keeps the limits; what fails for good is a reply that says why."""

import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from generate.requests_made import QUICK, STEP, caller, request
from kernelbenchx.core.transcript import Reply, Usage
from kernelbenchx.generate.budget import Caps, worst
from kernelbenchx.generate.model import OutOfBudget, Stopped
from kernelbenchx.generate.retry_policy import RetryPolicy, Trouble, Unreached
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder

GOOD = Reply(text="x", finish="stop", usage=Usage(prompt=10, completion=5), model="m")
BUSY = Trouble("busy", again=True)
LOST = Trouble("cut", again=True, billed=True)


class Turns:
    """Troubles one after another, then a reply."""

    def __init__(self, *troubles: Trouble) -> None:
        self.left = list(troubles)
        self.made = 0

    def __call__(self) -> Reply:
        self.made += 1
        if self.left:
            raise self.left.pop(0)
        return GOOD


def test_troubles_that_pass_are_got_over() -> None:
    line, turns = caller(), Turns(BUSY, BUSY)
    reply = line.call(request(), STEP, turns)
    assert (reply.text, reply.tries, turns.made) == ("x", 3, 3)
    assert reply.usage == GOOD.usage
    assert line.budget.tokens == 15


def test_who_wants_to_know_hears_why_it_takes_so_long() -> None:
    line, heard = caller(), list[str]()
    line.told = heard.append
    line.call(request(), STEP, Turns(BUSY, LOST))
    assert heard == ["busy; trying again", "cut; trying again"]
    line.call(request(), STEP, Turns(Trouble("no such model", again=False)))
    assert len(heard) == 2


def test_troubles_that_stay_end_as_a_reply() -> None:
    line, turns = caller(), Turns(Trouble("no such model", again=False))
    reply = line.call(request(), STEP, turns)
    assert (reply.finish, reply.detail, turns.made) == ("error", "no such model", 1)
    assert (reply.model, line.budget.tokens) == ("loopback-1", 0)


def test_a_reply_that_is_too_long_to_be_read_is_the_models_and_no_silence() -> None:
    long = Trouble("larger than a house", again=False, billed=True, finish="length")
    reply = caller().call(request(), STEP, Turns(long))
    assert (reply.text, reply.finish, reply.detail) == ("", "length", "larger than a house")
    assert reply.usage.total == worst(request()).total


def test_patience_ends_as_a_reply() -> None:
    turns = Turns(*[BUSY] * 9)
    reply = caller().call(request(), STEP, turns)
    assert (reply.finish, reply.tries, turns.made) == ("error", QUICK.tries, QUICK.tries)
    assert reply.detail.startswith("busy (tried 4 times in ")


def test_waiting_for_a_slot_is_not_counted_as_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in what a reply took nor in how long somebody is patient."""
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("kernelbenchx.generate.retry_loop.time", clock)
    line = caller(limit=1, patience=RetryPolicy(first_s=0.001, deadline_s=0.3))
    replies: list[Reply] = []
    waiting = threading.Thread(
        target=lambda: replies.append(line.call(request(), STEP, Turns(BUSY)))
    )
    with line.flight.slot():
        waiting.start()
        while not line.flight._queue:
            time.sleep(0.001)
        now[0] += 0.4
    waiting.join(60.0)
    assert [one.finish for one in replies] == ["stop"]
    assert replies[0].seconds == 0.0


def test_time_in_tries_counts() -> None:
    def slow() -> Reply:
        time.sleep(0.06)
        raise BUSY

    line = caller(patience=RetryPolicy(first_s=0.001, deadline_s=0.1))
    reply = line.call(request(), STEP, slow)
    assert reply.finish == "error"
    assert 1 <= reply.tries <= 2
    assert reply.seconds >= 0.06


def test_queueing_does_not_use_up_the_tries() -> None:
    queue = Trouble("queue", again=True, busy=True)
    turns = Turns(BUSY, BUSY, queue, queue, queue, BUSY)
    assert caller().call(request(), STEP, turns).tries == 7
    turns = Turns(BUSY, BUSY, queue, queue, queue, queue)
    assert caller().call(request(), STEP, turns).finish == "error"


NOBODY = Unreached("no connection to http://x")


def test_who_was_never_reached_is_not_looked_for_long() -> None:
    line = caller(patience=RetryPolicy(tries=1000, first_s=0.005, longest_s=0.01, reach_s=0.05))
    turns = Turns(*[NOBODY] * 1000)
    reply = line.call(request(), STEP, turns)
    assert reply.finish == "error" and 1 < turns.made < 1000
    assert reply.detail.startswith("no connection to http://x (tried ")
    # Nor by anybody else of this start.
    others = Turns()
    assert line.call(request(), STEP, others).detail == "no connection to http://x"
    assert others.made == 0 and line.budget.tokens == 0


def test_who_was_reached_once_is_waited_for() -> None:
    patience = RetryPolicy(tries=30, first_s=0.005, longest_s=0.01, reach_s=0.0)
    line = caller(patience=patience)
    assert line.call(request(), STEP, Turns(BUSY)).finish == "stop"
    assert line.call(request(), STEP, Turns(*[NOBODY] * 20)).tries == 21
    line = caller(patience=patience)
    assert line.call(request(), STEP, Turns(NOBODY)).finish == "error"


def test_what_may_have_been_charged_counts_with_its_worst_case() -> None:
    line = caller()
    reply = line.call(request(), STEP, Turns(LOST, BUSY))
    assert reply.usage.total == worst(request()).total + 15
    assert reply.usage.estimated
    assert line.budget.tokens == reply.usage.total
    failed = line.call(request(), STEP, Turns(*[LOST] * 4))
    assert failed.usage.total == 4 * worst(request()).total


def test_a_retry_that_does_not_fit_is_not_made() -> None:
    once = worst(request()).total
    line, turns = caller(caps=Caps(tokens=once + 20)), Turns(LOST)
    with pytest.raises(OutOfBudget):
        line.call(request(), STEP, turns)
    assert turns.made == 1
    assert line.budget.tokens == once


def test_what_was_lost_stays_in_the_ledger_whatever_ends_the_tries(tmp_path: Path) -> None:
    once = worst(request()).total
    with writing(RunFolder(tmp_path)) as database:
        line = caller(caps=Caps(tokens=once + 20))
        line.budget.ledger = database
        with pytest.raises(OutOfBudget):
            line.call(request(), STEP, Turns(BUSY, LOST))
        assert database.sum_usage().total == once
        stop = threading.Event()
        line = caller(patience=RetryPolicy(first_s=1000.0), stop=stop)
        line.budget.ledger = database
        threading.Timer(0.02, stop.set).start()
        with pytest.raises(Stopped):
            line.call(request(), STEP, Turns(LOST))
    with writing(RunFolder(tmp_path)) as database:
        assert database.sum_usage().total == 2 * once


def test_an_unforeseen_error_gives_slot_and_budget_back() -> None:
    line = caller(limit=1)

    def broken() -> Reply:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        line.call(request(), STEP, broken)
    assert line.flight.flying == 0
    assert line.call(request(), STEP, Turns()).text == "x"


def test_waiting_ends_with_the_run() -> None:
    stop = threading.Event()
    slow = RetryPolicy(first_s=0.001, deadline_s=1000.0)
    line = caller(patience=slow, stop=stop)
    threading.Timer(0.02, stop.set).start()
    with pytest.raises(Stopped):
        line.call(request(), STEP, Turns(Trouble("busy", again=True, wait_s=500.0)))


def test_a_busy_server_is_left_alone_by_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    line = caller(patience=RetryPolicy(first_s=0.001, longest_s=0.03))
    calmed: list[float] = []
    monkeypatch.setattr(line.flight, "calm", calmed.append)
    for busy in (True, False):
        line.call(request(), STEP, Turns(Trouble("wait", again=True, wait_s=0.001, busy=busy)))
    line.call(request(), STEP, Turns(Trouble("wait", again=True, wait_s=0.04, busy=True)))
    assert calmed == [0.001, 0.03]
