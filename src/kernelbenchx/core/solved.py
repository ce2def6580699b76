"""Defines when a task is solved: one meaning for `generate`, every analysis and the report."""

from collections.abc import Iterable
from typing import Protocol

MEANING = (
    "A method solves a task if at least one of its attempts, of any round or sample, is correct: "
    "by default in every case, timed sizes included, or as `--correct` says; kernels with torch "
    "work beside Triton count."
)


class Solving(Protocol):
    """An attempt at a task that was judged."""

    @property
    def solved(self) -> bool:
        """Whether it is correct by the chosen standard."""


def is_solved(attempts: Iterable[Solving]) -> bool:
    """Whether these attempts of one method at one task solve it."""
    return any(one.solved for one in attempts)
