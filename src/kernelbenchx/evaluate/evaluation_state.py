"""One submission on its way through the stages: what is known of it so far."""

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
    """Collected by the stages, made into an `Evaluation` at the end."""

    submission: Submission
    facts: Facts
    entries: tuple[str, ...]
    source: str = ""
    """What runs: the submission's source, or what the checks made of it."""
    binding: EntryBinding = AS_IT_IS
    """How its own signature takes the task's calls, as its source says."""
    card: int | None = None
    """Where it ran, if on a card."""
    stage: Stage = Stage.CHECK
    composition: Composition = Composition.PURE
    by_source: Composition = Composition.PURE
    """What the source alone says of it."""
    kernel_share: float | None = None
    by_torch: tuple[str, ...] = ()
    """Both as in `Evaluation`."""
    findings: list[Finding] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    kernels: list[KernelFacts] = field(default_factory=list)
    binaries: tuple[dict[str, Any], ...] = ()
    """Launches of which its wrapper wants to know the needs, with what the compiler says."""
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
    """Timed on core cases alone, since it is not correct elsewhere."""
    only_dtype: str = ""
    """And in this dtype alone, since it is not core correct either."""
    compiled: bytes = b""
    """What was compiled ahead, for the submission's own processes."""
    foresees_obstacle: bool = False
    """Its launches are not likely to be replayed: it may use more than one stream."""

    def __post_init__(self) -> None:
        """Run the submitted source unless another one is given."""
        self.source = self.source or self.submission.source

    @property
    def first_dtype(self) -> str:
        """The first of the task's dtypes."""
        return next(iter(self.facts.dtypes), "")

    def copy_before_calls(self) -> "EvaluationState":
        """As it was before its first call."""
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
        """What is known of another attempt at the same counts instead."""
        for one in fields(self):
            setattr(self, one.name, getattr(other, one.name))
