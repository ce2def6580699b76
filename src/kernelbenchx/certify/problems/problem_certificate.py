"""What was shown of one KernelBench problem, and the grade that follows from it."""

from kernelbenchx.certify.certificate import Kill
from kernelbenchx.core.grades import Grade
from kernelbenchx.core.record import Record

LEAST_KILLED = 0.98
"""Share of the effective mutants of its graph that the cases of a problem must tell."""


class ProblemCertificate(Record, frozen=True, kw_only=True):
    """Of one problem, in one precision, as its file stands."""

    task: str
    digest: str
    unsound: str = ""
    """Why the problem says nothing as published; then nothing else was tried."""
    honest: dict[str, float]
    """Largest error of torch's own float32 as a multiple of its budget, by order of summation."""
    kills: tuple[Kill, ...]
    """Trivial answers are of kind `sabotage`, effective mutants of the graph of kind `mutant`."""
    ineffective: int = 0
    """Mutants that change no answer."""
    faults: tuple[str, ...]
    """Everything that keeps the problem from being discriminating."""
    witness: str = "none"
    """Outcome of the witness, as a word; `none` where there is no file."""
    worst: float = float("nan")
    """Largest error of the witness as a multiple of its budget."""
    witness_faults: tuple[str, ...] = ()

    @property
    def grade(self) -> Grade:
        """`witnessed`, `discriminating`, `unsound as published`, or `imported`."""
        if self.unsound:
            return Grade.UNSOUND
        if self.faults:
            return Grade.IMPORTED
        solved = self.witness != "none" and not self.witness_faults
        return Grade.WITNESSED if solved else Grade.DISCRIMINATING

    @property
    def certified(self) -> bool:
        """Whether the problem tells right from wrong."""
        return self.grade.certified

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that does not hold; a witness that fails is no reason for a lower grade than
        that of a problem without one."""
        return (*self.faults, *self.witness_faults)

    def count(self, *kinds: str) -> int:
        """How many wrong answers of these kinds there are."""
        return sum(kill.kind in kinds for kill in self.kills)

    def count_killed(self, *kinds: str) -> int:
        """How many of them were rejected."""
        return sum(kill.killed for kill in self.kills if kill.kind in kinds)


def kill_faults(kills: tuple[Kill, ...]) -> list[str]:
    """Trivial answers that live, and mutants if too many do."""
    found = [f"{one.name}: passes" for one in kills if one.kind == "sabotage" and not one.killed]
    mutants = [one for one in kills if one.kind == "mutant"]
    alive = [one.name for one in mutants if not one.killed]
    if not mutants:
        found.append("no mutant of its graph changes an answer")
    elif 1 - len(alive) / len(mutants) < LEAST_KILLED:
        share = f"{len(mutants) - len(alive)} of {len(mutants)} mutants die"
        found.append(f"{share}, {LEAST_KILLED:.0%} are asked for; alive: {'; '.join(alive)}")
    return found
