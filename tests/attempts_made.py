"""Attempts for tests: one that is correct and timed, and changes to it."""

from dataclasses import replace
from typing import Any

from kernelbenchx.analysis.attempt import Attempt, Speed

ONE = Attempt(
    run="r", key="k", submission="s", task="math/add", category="Math", method="m", model="x",
    round=0, sample=0, digest="d", difficulty=1, dtypes=("float32",), device="cuda", gpu="card",
    outcome="correct", reason="", stage="perf", composition="pure", provisional=False,
    isolation="L3", certified=True,
)  # fmt: skip


def speed(over: float) -> Speed:
    """So many times as fast, known to one percent."""
    pace = "faster" if over > 1.01 else "slower" if over < 0.99 else "tie"
    return Speed(speedup=over, low=0.99 * over, high=1.01 * over, pace=pace)


def made(task: str = "math/add", over: float | None = None, **changes: Any) -> Attempt:
    """An attempt at a task; with a speedup over eager it is timed."""
    named = f"{changes.get('method', 'm')}-{task}-{changes.get('round', 0)}"
    given: dict[str, Any] = {"submission": named, "digest": named, "key": named, "task": task}
    if over is not None:
        given |= {
            "performance": "timed",
            "eager": speed(over),
            "score": 0.5,
            "iou": 0.5,
            "mfu": 0.1,
        }
    return replace(ONE, **(given | changes))


def wrong(task: str = "math/add", **changes: Any) -> Attempt:
    """It ran, and its answer is not the task's."""
    return made(task, **({"outcome": "wrong", "reason": "bad_values", "stage": "exe"} | changes))


def broken(task: str = "math/add", **changes: Any) -> Attempt:
    """It did not run."""
    return made(task, **({"outcome": "broken", "reason": "crash", "stage": "call"} | changes))


def void(task: str = "math/add", **changes: Any) -> Attempt:
    """It was not judged."""
    return made(task, **({"outcome": "void", "reason": "evaluator", "stage": "call"} | changes))
