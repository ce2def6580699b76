"""The record of one evaluation of a submission."""

from kernelbenchx.core.environment import Environment, Isolation, Placement
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Composition,
    Correct,
    Finding,
    MainCause,
    Outcome,
    Reached,
    Reason,
    Stage,
    Void,
)
from kernelbenchx.core.performance import Performance
from kernelbenchx.core.record import Record
from kernelbenchx.core.rules import Rules
from kernelbenchx.core.scale import FAILED_AT_SCALE, Scale, ScaleState, scale_of, timed_sizes
from kernelbenchx.core.scopes import Scope, ScopeCount, count_scopes, find_named_dtype, find_scope
from kernelbenchx.core.settings import OURS
from kernelbenchx.core.standards import Standard, meets_core
from kernelbenchx.core.submission import Origin
from kernelbenchx.core.text import clean_fields

SCHEMA = 1


_MOST_CHARACTERS = 96
"""Longest line of an evaluation's `repr`."""


class KernelFacts(Record, frozen=True, kw_only=True):
    """What the compiler reported about one kernel."""

    name: str
    ok: bool
    target: str
    registers: int = 0
    spills: int = 0
    shared_bytes: int = 0
    error: str = ""
    line: int = 0
    column: int = 0

    @property
    def need(self) -> tuple[int, int, int]:
        """Sort key: the scarcest GPU resources first, to compare variants."""
        return self.spills, self.registers, self.shared_bytes


class Evaluation(Record, frozen=True, kw_only=True):
    """The outcome, and everything that says how far to trust it."""

    schema: int = SCHEMA
    submission: str
    task: str
    digest: str
    origin: Origin
    outcome: Outcome
    composition: Composition
    stage: Stage
    """The last stage that was entered."""
    provisional: bool
    """True for interpreter verdicts: a GPU run overrides them."""
    device: str
    """`interpreter` or `cuda`."""
    isolation: Isolation
    checks: bool
    """False if the source checks were switched off."""
    seed: int
    seconds: float
    environment: Environment
    language: str = "triton"
    """Digest of the submission, as it was handed in."""
    kernel_share: float | None = None
    """Of a mixed one: the share of the operations that its kernels did in its calls, of those that
    torch does in eager execution; None: unknown."""
    by_torch: tuple[str, ...] = ()
    """Cases in which torch did at least nine tenths of the operations."""
    sizes: str = OURS
    """Which sizes were timed: those of the task, or the published ones."""
    performance: Performance | None = None
    """Only for correct submissions, and only where times were asked for."""
    core_performance: Performance | None = None
    """The same for submissions that are core correct and not correct, on timing cases that ask for
    core alone. A separate field, so that these times are not added to those of correct ones."""
    basic_performance: Performance | None = None
    """The same for submissions that are basic and not core correct, on such timing cases in the
    task's first dtype."""
    rules: Rules | None = None
    """The results of the papers' own rules, with `--paper-rules`. No verdict depends on them."""
    findings: tuple[Finding, ...] = ()
    """Remarks that do not reject."""
    flags: tuple[str, ...] = ()
    """What a reader should know: races, waiting programs, widened budgets."""
    kernels: tuple[KernelFacts, ...] = ()
    cases: tuple[CaseResult, ...] = ()
    """Every check case, in the task's order."""
    first_dtype: str = ""
    """The first of the task's dtypes: that of the standard `basic`."""
    weights: str = ""
    """How a module got its weights: `name`, `place`, `part` (of the name), `shape` or `seed`; empty
    where there are none. With `seed` both modules were built under one seed."""
    placement: Placement | None = None
    """The node of a cluster; None on this machine."""
    main_cause: MainCause | None = None
    """What explains most failing cases, if answers were judged and some are not right."""
    pattern: str = ""
    """One sentence about which cases fail, what they share, and how they fail."""

    def __post_init__(self) -> None:
        clean_fields(self, "submission")

    def __repr__(self) -> str:
        """A few lines for a prompt or a notebook; the fields hold the rest."""
        passed = sum(one.state is CaseState.PASSED for one in self.cases)
        times = self.own_performance
        speedups = getattr(times, "speedups", ())
        lines = (
            f"submission={self.submission!r}",
            f"task={self.task!r}, device={self.device!r}, stage={self.stage.value!r}",
            f"verdict={self.verdict!r}, composition={self.composition.value!r}, "
            f"provisional={self.provisional}, isolation={self.isolation.level!r}",
            f"outcome={self.outcome!r}",
            f"cases={passed} of {len(self.cases)} passed, kernels={len(self.kernels)}, "
            f"findings={len(self.findings)}, flags={len(self.flags)}",
            f"performance={None if times is None else type(times).__name__}, "
            + ", ".join(f"{one.speedup:.3g}x over {one.baseline}" for one in speedups),
            f"seed={self.seed}, seconds={self.seconds:.4g}",
        )
        return "\n    ".join(["Evaluation(", *map(_shorten, lines)]) + "\n)"

    @property
    def ran(self) -> bool:
        """Whether any of it ran, or only its source was read."""
        return self.stage is not Stage.CHECK

    @property
    def rests_on_calls(self) -> bool:
        """False if the source was refused or could not be imported, which no seed changes."""
        unloaded = isinstance(self.outcome, Broken) and self.outcome.reason is Reason.LOAD_ERROR
        return self.ran and not unloaded

    @property
    def scale(self) -> Scale:
        """The result at the timed sizes."""
        return scale_of(self.performance)

    @property
    def scopes(self) -> tuple[ScopeCount, ...]:
        """How many cases of each scope and dtype pass; cases that were not judged are left out."""
        if isinstance(self.outcome, Void | Reached):
            return ()
        checked = [
            (find_scope(one.needs), one.dtype, one.state is CaseState.PASSED) for one in self.cases
        ]
        timed = [
            (Scope.SCALE, find_named_dtype(case), passed)
            for case, passed in timed_sizes(self.performance)
        ]
        return count_scopes(checked + timed) if checked else ()

    def meets(self, standard: Standard) -> bool | None:
        """Whether it is correct by this standard; None: not judged.

        What meets a standard meets those below it.
        """
        if isinstance(self.outcome, Void | Reached):
            return None
        if standard is Standard.STRICT or self.solved:
            return self.solved
        if not self.cases:  # rejected, or broken before the first call
            return None if isinstance(self.outcome, Correct) else False
        return meets_core(standard, self.scopes, self.first_dtype)

    @property
    def own_performance(self) -> Performance | None:
        """Its times, on the cases of the strictest standard that it meets."""
        return self.performance or self.core_performance or self.basic_performance

    @property
    def basic_correct(self) -> bool | None:
        """Whether every core case in the task's first dtype passed; None: not judged."""
        return self.meets(Standard.BASIC)

    @property
    def core_correct(self) -> bool | None:
        """Whether every core case passed, whatever the others did; None: not judged."""
        return self.meets(Standard.CORE)

    @property
    def solved(self) -> bool:
        """Correct on every check case, and not failed at a timed one: what rates count."""
        correct = isinstance(self.outcome, Correct)
        return correct and self.scale.state is not ScaleState.FAILED

    @property
    def verdict(self) -> str:
        """The outcome in a word; a failure at a timed size is not called correct."""
        if isinstance(self.outcome, Correct) and not self.solved:
            return FAILED_AT_SCALE
        return type(self.outcome).__name__.lower()


def _shorten(line: str) -> str:
    line = line.removesuffix(", ")
    return line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 1] + "…"
