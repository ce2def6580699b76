"""What was shown of one task."""

import msgspec

from kernelbenchx.certify.mutation.summary import MutationSummary
from kernelbenchx.core.record import Record


class Kill(Record, frozen=True, kw_only=True):
    """A wrong answer, and the case that told it from a right one."""

    name: str
    kind: str
    """`mutant`, `patch` or `sabotage`."""
    killed: bool
    by: str = ""
    """The case, or what broke."""


class Certificate(Record, frozen=True, kw_only=True):
    """Of one task as its file stands."""

    task: str
    digest: str
    witness: str
    """Outcome of the witness, as a word."""
    worst: float
    """Largest error of the witness as a multiple of its budget."""
    kills: tuple[Kill, ...]
    problems: tuple[str, ...]
    """Everything that keeps the task from being certified."""
    mutation: MutationSummary | None = None
    """Kill rate of automatic mutants over seeds."""

    def with_mutation(self, summary: MutationSummary) -> "Certificate":
        """The same, less if too many automatic mutants live."""
        found = (summary.problem,) if summary.problem else ()
        problems = (*self.problems, *found)
        return msgspec.structs.replace(self, mutation=summary, problems=problems)

    @property
    def grade(self) -> str:
        """`certified`, or `imported` where the proof is missing. Rates never pool the two."""
        return "certified" if self.certified else "imported"

    @property
    def certified(self) -> bool:
        """Solvable, and every wrong answer rejected."""
        return not self.problems

    def count(self, *kinds: str) -> int:
        """How many wrong answers of these kinds there are."""
        return sum(kill.kind in kinds for kill in self.kills)

    def count_killed(self, *kinds: str) -> int:
        """How many of them were rejected."""
        return sum(kill.killed for kill in self.kills if kill.kind in kinds)
