"""What is known of one submission while it passes through the stages."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

from kernelbenchx.catalog.facts import Facts
from kernelbenchx.core.argument_binding import AS_IT_IS, EntryBinding
from kernelbenchx.core.evaluation import KernelFacts
from kernelbenchx.core.outcome import CaseResult, Composition, Finding, MainCause, Stage
from kernelbenchx.core.performance import Performance
from kernelbenchx.core.submission import Submission


@dataclass
class EvaluationState:
    """Filled by the stages, turned into an `Evaluation` at the end."""

    submission: Submission
    facts: Facts
    entries: tuple[str, ...]
    source: str = ""
    """The program that runs: the submission's source, or the version that the checks rewrote."""
    binding: EntryBinding = AS_IT_IS
    """How the submission's signature takes the task's calls, as its source says."""
    card: int | None = None
    """The GPU it ran on, if any."""
    stage: Stage = Stage.CHECK
    composition: Composition = Composition.PURE
    by_source: Composition = Composition.PURE
    """What the source alone shows."""
    kernel_share: float | None = None
    by_torch: tuple[str, ...] = ()
    """Both as in `Evaluation`."""
    findings: list[Finding] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    kernels: list[KernelFacts] = field(default_factory=list)
    binaries: tuple[dict[str, Any], ...] = ()
    """Launches whose needs its wrapper asks for, with the compiler's answer."""
    differences: tuple[Finding, ...] = ()
    """Where the compiler saw another kernel than the interpreter ran."""
    cases: tuple[CaseResult, ...] = ()
    weights: str = ""
    """How a module got its weights, as `Evaluation.weights`."""
    main_cause: MainCause | None = None
    pattern: str = ""
    """Which cases fail and what they share."""
    performance: Performance | None = None
    core_performance: Performance | None = None
    basic_performance: Performance | None = None
    core_only: bool = False
    """Timed on core cases only, because it is not correct elsewhere."""
    only_dtype: str = ""
    """Timed in this dtype only, because it is not core correct."""
    compiled: bytes = b""
    """What was compiled ahead, for the submission's own processes."""
    foresees_obstacle: bool = False
    """Its launches are unlikely to be replayed: it may use more than one stream."""

    def __post_init__(self) -> None:
        """Run the submitted source unless another one is given."""
        self.source = self.source or self.submission.source

    @property
    def first_dtype(self) -> str:
        """The first of the task's dtypes."""
        return next(iter(self.facts.dtypes), "")

    def copy_before_calls(self) -> "EvaluationState":
        """A copy in the state before the first call."""
        return replace(
            self,
            stage=Stage.CALL,
            flags=[],
            kernel_share=None,
            by_torch=(),
            kernels=[],
            binaries=(),
            differences=(),
            cases=(),
            pattern="",
            main_cause=None,
        )

    def adopt(self, other: "EvaluationState") -> None:
        """Replace this state by that of a second try, which counts instead."""
        for one in fields(self):
            setattr(self, one.name, getattr(other, one.name))
