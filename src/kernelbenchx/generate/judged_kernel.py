"""A kernel that a method submitted, as the method sees it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.headline import headline
from kernelbenchx.core.outcome import Composition
from kernelbenchx.core.standards import Standard


@dataclass(frozen=True)
class JudgedKernel:
    """A source whose verdict is recorded, and what its method may know about it.

    The verdict itself is not among that: a method that learns from it, or chooses by it, would fit
    the calls of the run.
    """

    name: str
    """Of the submission: what a child gives as its parent."""
    source: str
    look: Callable[[], Evaluation]
    """Judges it on other calls than those of the verdict."""
    standard: Standard = Standard.STRICT
    """What counts as correct."""

    @cached_property
    def evaluation(self) -> Evaluation:
        """On other calls than those of the verdict; made when it is first asked for."""
        return self.look()

    def with_evaluation(self) -> "JudgedKernel":
        """The same, with its evaluation made in this thread: side by side with others."""
        _ = self.evaluation
        return self

    @property
    def correct(self) -> bool:
        """Whether it meets the standard; by the strictest, every case is within its contract,
        timed ones included."""
        return bool(self.evaluation.meets(self.standard))

    @property
    def solved(self) -> bool:
        """Correct, and by kernels alone."""
        return self.correct and self.evaluation.composition is Composition.PURE

    @property
    def speedup(self) -> float | None:
        """Over eager, where times were taken and can be trusted."""
        return headline(self.evaluation.own_performance).speedup
