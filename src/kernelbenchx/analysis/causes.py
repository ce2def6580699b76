"""Why an attempt failed: one cause for each, from its outcome, its reason and what was seen.

Only what the judge itself noted is used: reasons are a closed list, and patterns are sentences of
the judge. Messages of exceptions are the submission's or its tools' own words; they decide only
between shape, dtype, memory and launch for what raised in a call.
"""

import math
import re
from dataclasses import dataclass
from enum import StrEnum

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.core.outcome import Reason, Stage


class Cause(StrEnum):
    """In the order of an evaluation."""

    NO_CODE = "no code"
    POLICY = "policy"
    COMPILE = "compile"
    LAUNCH = "launch"
    MEMORY = "memory"
    BOUNDS = "bounds"
    TIMEOUT = "timeout"
    SHAPE = "shape"
    DTYPE = "dtype"
    TAIL = "tail"
    NAN = "nan"
    FACTOR = "factor"
    UNWRITTEN = "unwritten"
    PRECISION = "precision"
    VALUES = "values"
    RACE = "race"
    EFFECTS = "effects"
    OTHER = "other"
    NOT_SAID = "not said"


@dataclass(frozen=True, kw_only=True)
class Definition:
    """What a cause means, and what in a record says so."""

    cause: Cause
    meaning: str
    evidence: str


NEARLY = 0.01
"""A worst element within one percent is the right formula, computed too coarsely."""

SYNTAX_RULE, PROSE_RULE = "source", "no_code"
"""The rules that refuse what is not Python, which never compiles, and what is
no code."""

DEFINITIONS = (
    Definition(
        cause=Cause.NO_CODE,
        meaning="there is no code: an empty answer, or words alone",
        evidence="rejected by `no_code`",
    ),
    Definition(
        cause=Cause.POLICY,
        meaning="a rule rejects it: no kernel does the work, or it does what is not allowed",
        evidence="rejected, by any rule but `no_code` and `source`",
    ),
    Definition(
        cause=Cause.COMPILE,
        meaning="it is not Python, does not load, or a kernel does not compile",
        evidence="rejected by `source`; load_error, compile_error, not_compiled",
    ),
    Definition(
        cause=Cause.LAUNCH,
        meaning="it raises in a call, or its process dies there",
        evidence="runtime_error whose message speaks of neither shape nor dtype; signature; crash",
    ),
    Definition(
        cause=Cause.MEMORY,
        meaning="it needs more memory than there is, of the host or of the GPU",
        evidence="memory; a message that begins with OutOfResources or speaks of running out",
    ),
    Definition(
        cause=Cause.BOUNDS,
        meaning="a kernel reads or writes outside its tensors",
        evidence="out_of_bounds",
    ),
    Definition(
        cause=Cause.TIMEOUT,
        meaning="it does not end in time",
        evidence="timeout",
    ),
    Definition(
        cause=Cause.SHAPE,
        meaning="it cannot cope with a shape, or answers with another one",
        evidence="bad_shape, bad_structure; runtime_error whose message speaks of shapes",
    ),
    Definition(
        cause=Cause.DTYPE,
        meaning="it cannot cope with a dtype, or answers in another one",
        evidence="bad_dtype; runtime_error whose message speaks of dtypes",
    ),
    Definition(
        cause=Cause.TAIL,
        meaning="wrong only behind the last full block: a mask is missing or has the wrong value",
        evidence="bad_values, the pattern says tail",
    ),
    Definition(
        cause=Cause.NAN,
        meaning="NaN or infinite where a number belongs, or a number where they belong",
        evidence="bad_values, the pattern or the detail says so",
    ),
    Definition(
        cause=Cause.FACTOR,
        meaning="every wrong element is off by one factor",
        evidence="bad_values, the pattern gives the factor",
    ),
    Definition(
        cause=Cause.UNWRITTEN,
        meaning="every wrong element is zero, as if never written",
        evidence="bad_values, the pattern says so",
    ),
    Definition(
        cause=Cause.PRECISION,
        meaning="the worst element is within one percent: the formula is right, the digits are not",
        evidence=f"bad_values without one of these patterns, deviation at most {NEARLY:g}; or the "
        "pattern says TF32",
    ),
    Definition(
        cause=Cause.VALUES,
        meaning="the values are wrong in no way that has a name",
        evidence="bad_values otherwise; timed_wrong",
    ),
    Definition(
        cause=Cause.RACE,
        meaning="the answer depends on the order of programs",
        evidence="race",
    ),
    Definition(
        cause=Cause.EFFECTS,
        meaning="it changes an argument, or returns memory that is not its own",
        evidence="input_changed, bad_alias",
    ),
    Definition(
        cause=Cause.OTHER,
        meaning="anything else",
        evidence="not_interpretable, output_limit, exit, malformed, bad_device, late, stale, "
        "unknown reasons",
    ),
    Definition(
        cause=Cause.NOT_SAID,
        meaning="that it failed is known, and no more",
        evidence="broken or wrong without a reason, as in the published results",
    ),
)

_BY_REASON: dict[str, Cause] = {
    Reason.LOAD_ERROR: Cause.COMPILE,
    Reason.COMPILE_ERROR: Cause.COMPILE,
    Reason.NOT_COMPILED: Cause.COMPILE,
    Reason.RUNTIME_ERROR: Cause.LAUNCH,
    Reason.SIGNATURE: Cause.LAUNCH,
    Reason.CRASH: Cause.LAUNCH,
    Reason.MEMORY: Cause.MEMORY,
    Reason.OUT_OF_BOUNDS: Cause.BOUNDS,
    Reason.TIMEOUT: Cause.TIMEOUT,
    Reason.BAD_SHAPE: Cause.SHAPE,
    Reason.BAD_STRUCTURE: Cause.SHAPE,
    Reason.BAD_DTYPE: Cause.DTYPE,
    Reason.BAD_VALUES: Cause.VALUES,
    Reason.RACE: Cause.RACE,
    Reason.INPUT_CHANGED: Cause.EFFECTS,
    Reason.BAD_ALIAS: Cause.EFFECTS,
    Reason.TIMED_WRONG: Cause.VALUES,
}
_STAGES = {"rejected": Stage.CHECK, "broken": Stage.CALL}
_NO_ROOM = re.compile(r"^\W*OutOfResources|out of memory|out of resource|not enough memory", re.I)
_OF_SHAPE = re.compile(
    r"shapes?\b|\bdimensions?\b|\bsizes? of tensor|broadcast|\bstrides?\b|out of range"
    r"|must match the size|powers? of (2|two)",
    re.I,
)
_OF_DTYPE = re.compile(
    r"\bdtypes?\b|\bfp(8|16|32|64)\b|\bbf16\b|\bb?float(16|32|64)\b|element type|data type"
    r"|\bcomplex(64|128)\b",
    re.I,
)
_NOT_A_NUMBER = re.compile(r"\b(nan|inf) where\b|\bwhere -?(nan|inf)\b", re.I)


def cause_of(attempt: Attempt) -> Cause | None:
    """Why it failed; None where it did not fail, or where the failure is not its own."""
    failed = attempt.outcome in ("rejected", "broken", "wrong") or attempt.failed_at_scale
    if not failed or attempt.correct:
        return None
    if attempt.outcome == "rejected":
        unread = {SYNTAX_RULE: Cause.COMPILE, PROSE_RULE: Cause.NO_CODE}
        return unread.get(attempt.reason, Cause.POLICY)
    if not attempt.reason:
        return Cause.NOT_SAID
    found = _BY_REASON.get(attempt.reason, Cause.OTHER)
    if found is Cause.VALUES:
        return _of_values(attempt)
    if found in (Cause.COMPILE, Cause.LAUNCH) and _NO_ROOM.search(attempt.detail):
        return Cause.MEMORY
    if attempt.reason == Reason.RUNTIME_ERROR:
        return _of_message(attempt.detail)
    return found


def stage_of(attempt: Attempt) -> Stage:
    """Where it failed: before it ran, while it ran, by its answers, or at a timed size."""
    return Stage.PERF if attempt.failed_at_scale else _STAGES.get(attempt.outcome, Stage.EXE)


def deviation(expected: str, got: str) -> float | None:
    """Distance from what is expected as a share of it, complex too; None where it says nothing."""
    try:
        true, mine = complex(expected), complex(got)
    except ValueError:
        return None
    if not true or not math.isfinite(abs(true)) or not math.isfinite(abs(mine)):
        return None
    return abs(mine - true) / abs(true)


def _of_values(attempt: Attempt) -> Cause:
    """Where wrong elements lie says more than what they are: a tail may well be NaN."""
    pattern = attempt.pattern
    if "tail after the last full block" in pattern:
        return Cause.TAIL
    if pattern.startswith(("NaN in", "infinite in")) or _NOT_A_NUMBER.search(attempt.detail):
        return Cause.NAN
    if "off by the factor" in pattern:
        return Cause.FACTOR
    if pattern.startswith("zero in every wrong element"):
        return Cause.UNWRITTEN
    near = attempt.deviation is not None and attempt.deviation <= NEARLY
    short = pattern.startswith("consistent with TF32")
    return Cause.PRECISION if near or short else Cause.VALUES


def _of_message(detail: str) -> Cause:
    """Dtypes first: a message that names both mostly complains of the dtype."""
    if _OF_DTYPE.search(detail):
        return Cause.DTYPE
    return Cause.SHAPE if _OF_SHAPE.search(detail) else Cause.LAUNCH
