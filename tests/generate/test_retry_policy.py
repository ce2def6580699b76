"""Which failures are tried again, and when."""

import random
from datetime import UTC, datetime

import pytest

from kernelbenchx.generate.retry_policy import RetryPolicy, Trouble, asked_wait_s, worth_again

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PASSES = Trouble("busy", again=True)


def _wait(
    patience: RetryPolicy, trouble: Trouble, failed: int, past_s: float = 0.0
) -> float | None:
    return patience.wait_s(trouble, failed=failed, past_s=past_s, chance=random.Random(failed))


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_what_passes_is_tried_again(status: int) -> None:
    assert worth_again(status)


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 422])
def test_what_stays_is_not(status: int) -> None:
    assert not worth_again(status)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("0", 0.0),
        ("7", 7.0),
        ("1.5", 1.5),
        ("Fri, 02 Jan 2026 03:04:25 GMT", 20.0),
        ("Fri, 02 Jan 2026 03:04:25 -0000", 20.0),
        ("Fri, 02 Jan 2026 03:00:00 GMT", 0.0),
    ],
)
def test_the_server_says_when(said: str, seconds: float) -> None:
    assert asked_wait_s({"retry-after": said}, NOW) == seconds


@pytest.mark.parametrize("said", ["", "soon", "-3", "nan", "inf", "1e999", "Fri, 99 Foo", "\x00"])
def test_nonsense_is_not_waited_for(said: str) -> None:
    assert asked_wait_s({"retry-after": said}, NOW) is None
    assert asked_wait_s({}, NOW) is None


def test_milliseconds_are_more_exact() -> None:
    assert asked_wait_s({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    assert asked_wait_s({"retry-after-ms": "much", "retry-after": "1"}) == 1.0


def test_waits_double_up_to_the_longest_and_are_spread() -> None:
    patience = RetryPolicy(tries=20, first_s=1.0, longest_s=8.0)
    chance = random.Random(1)
    for failed, longest in [(1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (15, 8.0)]:
        waits = [
            patience.wait_s(PASSES, failed=failed, past_s=0, chance=chance) for _ in range(400)
        ]
        known = [one for one in waits if one is not None]
        assert len(known) == 400
        assert 0.0 <= min(known) < 0.1 * longest
        assert 0.9 * longest < max(known) <= longest


def test_what_the_server_asks_for_is_waited_for() -> None:
    patience = RetryPolicy(first_s=0.5, longest_s=8.0)
    asked = Trouble("busy", again=True, wait_s=30.0)
    waits = [_wait(patience, asked, failed) for failed in range(1, 8)]
    assert all(one is not None and 30.0 <= one <= 30.5 for one in waits)


def test_patience_ends() -> None:
    patience = RetryPolicy(tries=3, busy_tries=5, first_s=1.0, deadline_s=10.0)
    assert _wait(patience, PASSES, 2) is not None
    assert _wait(patience, PASSES, 3) is None
    assert _wait(patience, Trouble("queue", again=True, busy=True), 3) is not None
    assert _wait(patience, Trouble("queue", again=True, busy=True), 5) is None
    assert _wait(patience, PASSES, 1, past_s=9.0) is not None
    assert _wait(patience, PASSES, 1, past_s=11.0) is None
    assert _wait(patience, Trouble("busy", again=True, wait_s=3600.0), 1) is None
    assert _wait(patience, Trouble("wrong", again=False), 1) is None
