"""The outcome of a submission: rejected, broken, wrong, correct, reached or void."""

from enum import StrEnum

from kernelbenchx.core.error_map import ErrorMap
from kernelbenchx.core.record import Record
from kernelbenchx.core.scopes import Scope


class Stage(StrEnum):
    """How far a submission came."""

    CHECK = "check"
    CALL = "call"
    EXE = "exe"
    PERF = "perf"


class Composition(StrEnum):
    """What did the work: Triton alone, Triton beside torch, or no kernel at all."""

    PURE = "pure"
    MIXED = "mixed"
    NOT_A_KERNEL = "not_a_kernel"


class Reason(StrEnum):
    """Why an outcome is not `correct`."""

    # broken
    LOAD_ERROR = "load_error"
    COMPILE_ERROR = "compile_error"
    NOT_COMPILED = "not_compiled"
    RUNTIME_ERROR = "runtime_error"
    SIGNATURE = "signature"
    """The call gives an argument that the submission's signature lacks."""
    OUT_OF_BOUNDS = "out_of_bounds"
    TIMEOUT = "timeout"
    CRASH = "crash"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output_limit"
    EXIT = "exit"
    MALFORMED = "malformed"
    # wrong
    BAD_STRUCTURE = "bad_structure"
    BAD_SHAPE = "bad_shape"
    BAD_DTYPE = "bad_dtype"
    BAD_DEVICE = "bad_device"
    BAD_VALUES = "bad_values"
    BAD_ALIAS = "bad_alias"
    INPUT_CHANGED = "input_changed"
    RACE = "race"
    # a timed call failed
    TIMED_WRONG = "timed_wrong"
    LATE = "late"
    STALE = "stale"
    # void
    IMPOSSIBLE = "impossible"
    DISTURBED = "disturbed"
    EVALUATOR = "evaluator"
    UNSUPPORTED = "unsupported"
    NOT_INTERPRETABLE = "not_interpretable"
    """Only a GPU can run it."""
    TOO_SLOW = "too_slow"
    """For the interpreter, which ran program after program."""
    WEIGHTS = "weights"
    """A module's weights do not match the task's by any route, and it is not right with those of a
    seed."""
    PROBLEM = "problem"
    """A published problem's own file failed."""
    DEADLINE = "deadline"
    """The batch ended first; never stored."""
    NODE_LOST = "node_lost"
    """Every node that had it was lost before it returned a result."""


NOTHING_TO_RETRY = frozenset(
    (
        Reason.UNSUPPORTED,
        Reason.NOT_INTERPRETABLE,
        Reason.TOO_SLOW,
        Reason.WEIGHTS,
        Reason.PROBLEM,
    )
)
"""Void for what this machine cannot do: another try ends the same way."""


class Finding(Record, frozen=True, kw_only=True):
    """One remark of a static or dynamic rule, at a line of the submission."""

    rule: str
    line: int
    why: str
    fatal: bool = True


class Worst(Record, frozen=True, kw_only=True):
    """The element furthest from the truth, in units of what the contract allows."""

    output: str
    index: tuple[int, ...]
    expected: str
    got: str
    error: float
    """Multiple of the budget; 1.0 is the border."""
    bad: int
    """How many elements lie outside their budget."""
    total: int


class CaseState(StrEnum):
    """The result of one case."""

    PASSED = "passed"
    WRONG = "wrong"
    BROKEN = "broken"
    NOT_REACHED = "not_reached"
    """Processes ended in other cases too often, or only a GPU can run it."""


class CaseResult(Record, frozen=True, array_like=True):
    """One case of an evaluation, kept short because there are many."""

    case: str
    state: CaseState
    error: float | None = None
    """The largest error as a multiple of its budget, if there is such a number."""
    detail: str = ""
    """How it failed."""
    needs: tuple[Scope, ...] = ()
    """What the case asks for beyond `core`."""
    trivial: bool | None = None
    """Whether zeros, another constant, an argument or unwritten memory passes; None: not checked,
    as for correct submissions."""
    corner: bool = False
    """Whether every run makes this call; otherwise the run's seed drew it."""
    dtype: str = ""
    """Of the inputs: what the case's option says, or that of the first floating-point tensor."""


class MainCause(Record, frozen=True, kw_only=True):
    """The cause of most failing cases."""

    reason: Reason
    words: str
    case: str
    """The plainest case with this failure."""
    cases: tuple[str, ...]
    """All cases with this failure."""


class Rejected(Record, frozen=True, kw_only=True, tag_field="kind", tag="rejected"):
    """A rule says that this is not a valid submission."""

    findings: tuple[Finding, ...]


class Broken(Record, frozen=True, kw_only=True, tag_field="kind", tag="broken"):
    """It did not load, compile, run or finish."""

    stage: Stage
    reason: Reason
    detail: str
    case: str = ""
    line: int = 0


class Wrong(Record, frozen=True, kw_only=True, tag_field="kind", tag="wrong"):
    """It ran and the answer is not the task's."""

    case: str
    reason: Reason
    detail: str
    worst: Worst | None = None
    pattern: str = ""
    """The pattern of errors: the tail of the last block, one row, everything by a factor."""
    error_map: ErrorMap | None = None
    """Where the errors of that output are, if it has values to compare."""


class Correct(Record, frozen=True, kw_only=True, tag_field="kind", tag="correct"):
    """Every case within its contract."""

    cases: int
    worst: float
    """The largest error of all cases as a multiple of its budget."""


class Reached(Record, frozen=True, kw_only=True, tag_field="kind", tag="reached"):
    """Stopped at the requested stage; correctness not checked."""

    stage: Stage


class Void(Record, frozen=True, kw_only=True, tag_field="kind", tag="void"):
    """The evaluator failed, not the submission: never scored, always counted."""

    reason: Reason
    detail: str


Outcome = Rejected | Broken | Wrong | Correct | Reached | Void
