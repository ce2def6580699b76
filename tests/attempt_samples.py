"""Attempts that several tests of the analysis need."""

from typing import Any

from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.core.grades import Grade

_ONE = Attempt(
    run="run",
    key="key",
    submission="relu",
    task="activation/relu",
    category="Activation",
    method="direct",
    model="model",
    round=0,
    sample=0,
    digest="d" * 64,
    difficulty=2,
    dtypes=("float32",),
    device="cuda",
    gpu="NVIDIA H200",
    outcome="correct",
    reason="",
    stage="perf",
    composition="pure",
    provisional=False,
    isolation="L3",
    grade=Grade.CERTIFIED,
)


def attempt(**changes: Any) -> Attempt:
    """A correct attempt without times, but for what is given."""
    return replace(_ONE, **changes)


def speed(speedup: float, width: float = 0.01) -> Speed:
    """Known to one percent unless said otherwise."""
    low, high = speedup * (1 - width), speedup * (1 + width)
    speed_class = "faster" if low > 1.01 else "slower" if high < 0.99 else "undecided"
    return Speed(speedup=speedup, low=low, high=high, speed_class=speed_class)


def timed_attempt(speedup: float, **changes: Any) -> Attempt:
    """A correct attempt that is so many times as fast as eager."""
    given = {"performance": "timed", "tier": "replay", "eager": speed(speedup), **changes}
    return attempt(**given)
