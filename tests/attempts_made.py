"""Attempts at tasks, right, wrong, broken or void; each its own submission unless it says."""

from typing import Any

from attempt_samples import attempt, speed
from kernelbenchx.analysis.attempt import Attempt

__all__ = ["broken", "made", "speed", "void", "wrong"]


def made(task: str = "math/add", over: float | None = None, **changes: Any) -> Attempt:
    """An attempt at a task; with a speedup over eager it is timed."""
    named = f"{changes.get('method', 'm')}-{task}-{changes.get('round', 0)}"
    given: dict[str, Any] = {"submission": named, "digest": named, "key": named, "task": task}
    given |= {"run": "r", "gpu": "card", "method": "m", "category": "Math", "difficulty": 1}
    if over is not None:
        given |= {
            "performance": "timed",
            "eager": speed(over),
            "score": 0.5,
            "iou": 0.5,
            "mfu": 0.1,
        }
    return attempt(**(given | changes))


def wrong(task: str = "math/add", **changes: Any) -> Attempt:
    """It ran, and its answer is not the task's."""
    return made(task, **({"outcome": "wrong", "reason": "bad_values", "stage": "exe"} | changes))


def broken(task: str = "math/add", **changes: Any) -> Attempt:
    """It did not run."""
    return made(task, **({"outcome": "broken", "reason": "crash", "stage": "call"} | changes))


def void(task: str = "math/add", **changes: Any) -> Attempt:
    """It was not judged."""
    return made(task, **({"outcome": "void", "reason": "evaluator", "stage": "call"} | changes))
