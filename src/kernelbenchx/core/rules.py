"""The results of the papers' own rules for a submission, separate from the verdict of kbx."""

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.record import Record

_TRIED_AGAIN = (Reason.EVALUATOR, Reason.NODE_LOST)


class KernelBenchXRule(Record, frozen=True, kw_only=True):
    """KernelBench-X runs one published test of the task, and compares its results."""

    called: bool | None = None
    """Call stage: the submission loads and every call of the test returns. None: not known."""
    correct: bool | None = None
    """Execution stage: every result equals eager torch's. None: not known."""
    key: str = ""
    """The first result that differs, or that the test was computing when a call raised."""
    tolerance: str = ""
    """What that result is compared with."""
    reason: Reason | None = None
    """Why it does not pass, or why that is not known."""
    detail: str = ""
    """The same in one phrase."""
    provisional: bool = False
    """Without a GPU: the kernels were interpreted, and the reference ran on the CPU."""
    infeasible: str = ""
    """Why no honest kernel passes the published test; empty where one can."""


class KernelBenchRule(Record, frozen=True, kw_only=True):
    """KernelBench compares an answer at the published size by `torch.allclose`, with one tolerance
    for absolute and relative differences."""

    passes_1e_2: bool | None = None
    passes_1e_4: bool | None = None
    """None: not known, and `detail` says why."""
    case: str = ""
    reason: Reason | None = None
    """Why there was no answer to compare: it raised, hung or crashed. Then the rule fails."""
    detail: str = ""


class Rules(Record, frozen=True, kw_only=True):
    """The rule of the paper that published the task; the other is None."""

    kernelbenchx: KernelBenchXRule | None = None
    kernelbench: KernelBenchRule | None = None

    @property
    def passes(self) -> bool | None:
        """By the paper's rule, KernelBench's at 1e-2; None: not known."""
        if self.kernelbenchx is not None:
            return self.kernelbenchx.correct
        return None if self.kernelbench is None else self.kernelbench.passes_1e_2

    @property
    def called(self) -> bool | None:
        """Whether it returned results that could be compared; None: not known."""
        if self.kernelbenchx is not None:
            return self.kernelbenchx.called
        if self.kernelbench is None or self.kernelbench.passes_1e_2 is None:
            return None
        return self.kernelbench.reason is None

    @property
    def known(self) -> bool:
        """Whether another try is pointless."""
        found = self.kernelbenchx or self.kernelbench
        return found is not None and found.reason not in _TRIED_AGAIN


def make_failed_rule(reason: Reason, detail: str, case: str = "") -> KernelBenchRule:
    """A failed result of KernelBench's rule, for a submission without an answer."""
    return KernelBenchRule(
        passes_1e_2=False, passes_1e_4=False, case=case, reason=reason, detail=detail[:1000]
    )


def make_unknown_rule(why: str, case: str = "", reason: Reason | None = None) -> KernelBenchRule:
    """An unknown result, which says nothing about the submission."""
    return KernelBenchRule(case=case, reason=reason, detail=why[:300])
