"""Candidate kernels of one task with plan, marks, notes and verdict, and their selection."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Correct, Reached, Stage, Wrong
from kernelbenchx.generate.judged_kernel import JudgedKernel


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A judged kernel."""

    judged: JudgedKernel
    strategy: str
    """The plan its author had."""
    marks: float
    """What the reviewing model gave it, summed over all criteria."""
    round: int
    slot: int
    note: str = ""
    """The model's note after the verdict: why it fails, or what would make it faster."""


@dataclass
class CandidateSlot:
    """One of the places for candidates, and the line of attempts that stands there."""

    number: int
    line: list[Candidate] = field(default_factory=list)
    """Failing attempts since the last fresh beginning, in order; the next one repairs the last."""

    @property
    def repairs(self) -> int:
        """How often its first attempt was repaired."""
        return max(0, len(self.line) - 1)

    @property
    def failing(self) -> bool:
        """There is an attempt, and it is not right."""
        return bool(self.line) and not self.line[-1].judged.correct

    def select_attempts(self, most: int) -> list[Candidate]:
        """The attempts with the best marks, and always the last; in order."""
        *earlier, last = self.line
        ranked = sorted(earlier, key=lambda one: (-one.marks, -one.round))
        return sorted([*ranked[: most - 1], last], key=lambda one: one.round)


def best(candidates: Iterable[Candidate], most: int) -> list[Candidate]:
    """The fastest correct ones, each source once; without times marks decide.

    What torch computes a part of comes behind all that is Triton alone: it counts apart.
    """
    found: dict[str, Candidate] = {}
    for one in sorted((one for one in candidates if one.judged.correct), key=_order):
        found.setdefault(one.judged.evaluation.digest, one)
    return list(found.values())[:most]


def answer(candidates: Sequence[Candidate]) -> Candidate:
    """The best that is right; else the last that could at least be called; else the first."""
    solving = best(candidates, 1)
    called = [one for one in candidates if _ran_to_end(one.judged.evaluation)]
    return (solving or called[-1:] or candidates[:1])[0]


def _ran_to_end(evaluation: Evaluation) -> bool:
    """It ran to its end; whether answers were compared depends on the stage that was asked for."""
    outcome = evaluation.outcome
    ran = isinstance(outcome, Reached) and outcome.stage is not Stage.CHECK
    return ran or isinstance(outcome, Wrong | Correct)


def _order(one: Candidate) -> tuple[bool, float, float, int, int]:
    judged = one.judged
    return (not judged.solved, -(judged.speedup or 0.0), -one.marks, one.round, one.slot)
