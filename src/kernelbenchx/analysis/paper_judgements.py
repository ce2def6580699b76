"""By which rule a kernel counts as correct: that of the paper that published its task, or one of
the three kbx standards."""

from collections.abc import Callable
from dataclasses import dataclass

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import AttemptFrame, Flags
from kernelbenchx.analysis.published_attempts import RUN
from kernelbenchx.core.standards import DEFINITIONS, Standard

RULE = "the paper's rule"
_STANDARDS = " ".join(f"`{one}`: {DEFINITIONS[one]}." for one in Standard)
DEFINED = (
    f"`{RULE}` is its own test, where the run applied it (`kbx eval --paper-rules`). {_STANDARDS} "
)
COMPILED = (
    "Compiled is, by the paper's rule, that every call of its test ended; by ours, that the kernel "
    "ran and ended in every call, or meets the standard. "
)


@dataclass(frozen=True)
class Judgement:
    """A rule by which kernels count as compiled and as correct."""

    name: str
    called: Callable[[Attempt], bool | None]
    """Whether it compiles and runs; None where that is not known."""
    correct: Callable[[Attempt], bool | None]

    def flag_judged(self, frame: AttemptFrame) -> Flags:
        """Attempts that were judged so."""
        return frame.flags(lambda one: self.correct(one) is not None)

    def right(self, frame: AttemptFrame) -> Flags:
        """Those that are correct."""
        return frame.flags(lambda one: bool(self.correct(one)))

    def flag_compiled(self, frame: AttemptFrame) -> Flags:
        """Those that compile and run."""
        return frame.flags(lambda one: bool(self.called(one)))


def _correct_by_rule(one: Attempt) -> bool | None:
    """KernelBench-X's rule, or KernelBench's of its problems; it judged what is published."""
    if one.run == RUN:
        return one.correct
    return one.passes_1e_2 if one.level else one.paper_correct


def _called_by_rule(one: Attempt) -> bool | None:
    if one.run == RUN:
        return one.called
    return (one.passes_1e_2 or _has_run(one)) if one.level else one.paper_called


def _has_run(one: Attempt) -> bool | None:
    """Whether it ran and ended in every call; None where that is not known, or is the paper's."""
    if one.run == RUN:
        return None
    if one.outcome == "reached":
        return one.stage != "check" or None
    return one.outcome in ("wrong", "correct")


def _by_standard(standard: Standard) -> Judgement:
    def correct(one: Attempt) -> bool | None:
        unknown = one.outcome == "reached" or one.run == RUN
        return None if unknown else one.meets(standard)

    return Judgement(standard.value, lambda one: _has_run(one) or correct(one), correct)


OURS = tuple(map(_by_standard, Standard))
BY_RULE = Judgement(RULE, _called_by_rule, _correct_by_rule)
JUDGEMENTS = (BY_RULE, *OURS)
STRICT = OURS[-1]


def timed_by(frame: AttemptFrame) -> tuple[Judgement, ...]:
    """Those whose kernels have the times of these attempts: the standard that they are judged by,
    and the paper's rule beside the strict one."""
    names = {one.standard.value for one in frame.attempts if one.run != RUN}
    return tuple(
        one
        for one in JUDGEMENTS
        if one.name in names or (one is BY_RULE and names <= {STRICT.name})
    )


CALLED = Judgement("called", _has_run, _has_run)
"""What compiles and runs by ours, whatever the standard."""
