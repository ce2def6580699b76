"""What counts, what was called, correct or timed."""

import pytest
from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.core.grades import Grade

SPEED = Speed(speedup=2.0, low=1.9, high=2.1, speed_class="faster")
ONE = Attempt(
    run="r", key="k", submission="s", task="math/add", category="Math", method="m", model="x",
    round=0, sample=0, digest="d", difficulty=1, dtypes=("float32",), device="cuda", gpu="card",
    outcome="correct", reason="", stage="perf", composition="pure", provisional=False,
    isolation="L3", grade=Grade.CERTIFIED, performance="timed", eager=SPEED,
)  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "stage", "counts", "called", "correct"),
    [
        ("correct", "perf", True, True, True),
        ("wrong", "exe", True, True, False),
        ("broken", "call", True, False, False),
        ("rejected", "check", True, False, False),
        ("reached", "check", True, False, False),
        ("reached", "call", True, True, False),
        ("void", "call", False, False, False),
    ],
)
def test_how_far_an_attempt_came(
    outcome: str, stage: str, counts: bool, called: bool, correct: bool
) -> None:
    one = replace(ONE, outcome=outcome, stage=stage)
    assert (one.counts, one.called, one.correct) == (counts, called, correct)
    assert one.timed is correct


@pytest.mark.parametrize(
    "change", [{"performance": "failed"}, {"eager": None}, {"outcome": "wrong"}]
)
def test_without_times_that_can_be_trusted_it_is_not_timed(change: dict[str, None]) -> None:
    assert ONE.timed
    assert not replace(ONE, **change).timed  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("performance", "verdict"),
    [
        ("failed", "failed at scale"),
        ("unmeasured", "correct"),
        ("timed", "correct"),
        ("", "correct"),
    ],
)
def test_only_a_failure_at_a_timed_size_takes_the_verdict(performance: str, verdict: str) -> None:
    one = replace(ONE, performance=performance)
    assert one.verdict == verdict
    assert one.failed_at_scale is (performance == "failed")
    assert one.correct is not one.failed_at_scale
    assert not replace(one, outcome="wrong").failed_at_scale
