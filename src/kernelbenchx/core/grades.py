"""The grade of a task's certificate."""

from enum import StrEnum


class Grade(StrEnum):
    """Strongest first. Rates never pool the last with any other."""

    CERTIFIED = "certified"
    """A witness solves the task, and every wrong answer is rejected."""
    WITNESSED = "witnessed"
    """The same for a KernelBench problem: a witness solves it, and it is discriminating."""
    DISCRIMINATING = "discriminating"
    """Of a problem: honest float32 passes, trivial answers and generated mutants fail."""
    IMPORTED = "imported"
    """Not proven."""
    UNSOUND = "unsound as published"
    """Kept for comparison: verdicts on it say nothing about a kernel."""

    @property
    def certified(self) -> bool:
        """Whether the task was shown to tell right from wrong."""
        return self in (Grade.CERTIFIED, Grade.WITNESSED, Grade.DISCRIMINATING)
