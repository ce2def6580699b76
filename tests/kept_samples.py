"""Attempts of methods that look at what they wrote, for tests of what is kept."""

from typing import Any

from attempts_made import made, speed, wrong
from kernelbenchx.analysis.attempt import Attempt, FeedbackResult
from kernelbenchx.core.submission import HANDED_IN

RIGHT = FeedbackResult(correct=True, called=True, pure=True)
WRONG = FeedbackResult(correct=False, called=True, pure=True)
BROKEN = FeedbackResult(correct=False, called=False, pure=True)


def fast(over: float) -> FeedbackResult:
    """Seen to be right, at this speed."""
    return FeedbackResult(correct=True, called=True, pure=True, speedup=over)


def candidate(
    task: str, turn: int, slot: int, seen: FeedbackResult | None, *, right: bool, **more: Any
) -> Attempt:
    """One of several in a round: what its method saw, and the verdict."""
    name = f"{task}__{turn}.{slot}"
    given: dict[str, Any] = {"submission": name, "key": name, "digest": name}
    given |= {"round": turn, "sample": slot, "seen": seen, "step": f"round {turn}/slot {slot}"}
    return (made if right else wrong)(task, **(given | more))


def answer(of: Attempt, turn: int, **more: Any) -> Attempt:
    """The same kernel, handed in."""
    given: dict[str, Any] = {"submission": f"{of.task}__answer", "key": f"{of.task}__answer"}
    given |= {"digest": of.digest, "round": turn, "step": HANDED_IN, "parent": of.submission}
    return (made if of.correct else wrong)(of.task, **(given | more))


def timed(over: float) -> dict[str, Any]:
    """Fields of a correct attempt with a time."""
    return {"performance": "timed", "eager": speed(over), "score": 0.5, "iou": 0.5, "mfu": 0.1}


def one_of_two_solved() -> list[Attempt]:
    """A method with three rounds of four candidates: one task solved in round 0, the other never.

    Candidates of later rounds are wrong, but for one; what is kept stays.
    """
    found = []
    for task in ("t/a", "t/b"):
        written = [
            candidate(task, turn, slot, RIGHT if right else WRONG, right=right)
            for turn in range(3)
            for slot in range(4)
            for right in [task == "t/a" and slot == 2 and turn != 1]
        ]
        kept = written[2] if task == "t/a" else written[-1]
        found += [*written, answer(kept, 3)]
    return found
