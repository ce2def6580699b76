import math
from pathlib import Path

import pytest

from attempt_samples import attempt
from kernelbenchx.analysis.causes import DEFINITIONS, Cause, cause_of, deviation, stage_of
from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.rule import Expectation
from kernelbenchx.core.outcome import NOTHING_TO_RETRY, Reason, Stage
from kernelbenchx.judge import error_patterns

TAIL = "only in the tail after the last full block of 1024 (from element 3072 on)"
FAR = "3 of 64 elements are further from the exact result than rounding explains"


@pytest.mark.parametrize(
    ("reason", "detail", "cause"),
    [
        ("load_error", "ImportError: cannot import name 'x'", Cause.COMPILE),
        ("compile_error", "CompilationError: at 9:12: incompatible types", Cause.COMPILE),
        ("compile_error", "OutOfResources: shared memory, required 262144", Cause.MEMORY),
        ("not_compiled", "no compiled kernel for: _a", Cause.COMPILE),
        ("runtime_error", "TypeError: missing 1 required positional argument", Cause.LAUNCH),
        ("runtime_error", "ValueError: Expected dtype ['fp32'] but got bf16", Cause.DTYPE),
        ("runtime_error", "KeyError: 'complex64'", Cause.DTYPE),
        ("runtime_error", "RuntimeError: shape '[4, 16]' is invalid for input", Cause.SHAPE),
        ("runtime_error", "IndexError: tuple index out of range", Cause.SHAPE),
        ("runtime_error", "RuntimeError: CUDA out of memory", Cause.MEMORY),
        ("crash", "killed by SIGSEGV", Cause.LAUNCH),
        ("memory", "held more memory than allowed", Cause.MEMORY),
        ("out_of_bounds", "OutOfBounds: load outside the tensor", Cause.BOUNDS),
        ("timeout", "not finished within the time limit (60.0 s)", Cause.TIMEOUT),
        ("not_interpretable", "inline assembly", Cause.OTHER),
        ("exit", "ended itself with exit code 1", Cause.OTHER),
        ("a word of a later version", "", Cause.OTHER),
        ("", "", Cause.NOT_SAID),
    ],
)
def test_what_broke(reason: str, detail: str, cause: Cause) -> None:
    assert cause_of(attempt(outcome="broken", reason=reason, detail=detail)) is cause


@pytest.mark.parametrize(
    ("reason", "pattern", "detail", "cause"),
    [
        ("bad_shape", "", "output has shape (4,), expected (4, 1)", Cause.SHAPE),
        ("bad_structure", "", "returned 1 values, expected 2", Cause.SHAPE),
        ("bad_dtype", "", "output has dtype float32", Cause.DTYPE),
        ("race", TAIL, "the answer depends on the order of programs", Cause.RACE),
        ("input_changed", "", "argument x was changed by the call", Cause.EFFECTS),
        ("bad_alias", "", "output 0 shares its memory", Cause.EFFECTS),
        ("bad_values", TAIL, FAR, Cause.TAIL),
        ("bad_values", f"NaN in every wrong element, {TAIL}", FAR, Cause.TAIL),
        ("bad_values", "NaN in every wrong element, all in row 3", FAR, Cause.NAN),
        ("bad_values", "", "the worst is nan where a number is expected", Cause.NAN),
        ("bad_values", "", "the worst is a number where -inf is expected", Cause.NAN),
        ("bad_values", "every wrong element is off by the factor 0.5", FAR, Cause.FACTOR),
        ("bad_values", "zero in every wrong element, as if never written", FAR, Cause.UNWRITTEN),
        ("bad_values", "every element is wrong", FAR, Cause.VALUES),
    ],
)
def test_what_was_wrong(reason: str, pattern: str, detail: str, cause: Cause) -> None:
    found = attempt(outcome="wrong", reason=reason, pattern=pattern, detail=detail)
    assert cause_of(found) is cause


def test_nearly_right_values_are_a_matter_of_precision_and_others_are_not() -> None:
    given = {"outcome": "wrong", "reason": "bad_values", "detail": FAR}
    assert cause_of(attempt(**given, deviation=0.002)) is Cause.PRECISION
    assert cause_of(attempt(**given, deviation=0.2)) is Cause.VALUES
    assert cause_of(attempt(**given)) is Cause.VALUES, "nobody knows how far"


def test_rejected_is_policy_unless_it_is_not_python() -> None:
    assert cause_of(attempt(outcome="rejected", reason="kernels")) is Cause.POLICY
    assert cause_of(attempt(outcome="rejected", reason="source")) is Cause.COMPILE


def test_words_alone_are_no_code_and_no_failure_to_compile() -> None:
    for text, cause in (
        ("I cannot write this kernel, because its sizes are not known.", Cause.NO_CODE),
        ("", Cause.NO_CODE),
        ("Sorry", Cause.NO_CODE),
        ("Here it is:\n\ndef relu(x:\n    return x\n", Cause.COMPILE),
        ("import torch\n", Cause.POLICY),
    ):
        first, *_ = check(text, Expectation(entries=("relu",))).fatal
        assert cause_of(attempt(outcome="rejected", reason=first.rule)) is cause, text


@pytest.mark.parametrize("outcome", ["correct", "reached", "void"])
def test_what_did_not_fail_has_no_cause(outcome: str) -> None:
    assert cause_of(attempt(outcome=outcome, reason="evaluator")) is None


def test_the_stage_is_where_it_ended() -> None:
    stages = [stage_of(attempt(outcome=one)) for one in ("rejected", "broken", "wrong")]
    assert stages == [Stage.CHECK, Stage.CALL, Stage.EXE]


def test_every_cause_is_defined_once_and_every_reason_of_a_submission_is_named() -> None:
    assert [one.cause for one in DEFINITIONS] == list(Cause)
    own = {Reason.IMPOSSIBLE, Reason.DISTURBED, Reason.EVALUATOR, Reason.DEADLINE, Reason.NODE_LOST}
    nobodys = own | NOTHING_TO_RETRY
    timed = {Reason.TIMED_WRONG, Reason.LATE, Reason.STALE}
    told = " ".join(one.evidence for one in DEFINITIONS)
    for reason in set(Reason) - nobodys - timed:
        assert reason.value in told


def test_the_judge_still_speaks_the_words_that_are_looked_for() -> None:
    torch = pytest.importorskip("torch")
    truth = torch.ones(100) * torch.arange(1, 101)
    bad = torch.zeros(100, dtype=torch.bool)
    bad[64:] = True
    everywhere = torch.ones(100, dtype=torch.bool)
    given = [
        (torch.where(bad, truth + torch.rand(100), truth), bad, Cause.TAIL),
        (truth / 2, everywhere, Cause.FACTOR),
        (torch.full((100,), math.nan), everywhere, Cause.NAN),
        (torch.zeros(100), everywhere, Cause.UNWRITTEN),
    ]
    for actual, where, cause in given:
        said = error_patterns.describe(actual, truth, where)
        found = attempt(outcome="wrong", reason="bad_values", detail=FAR, pattern=said)
        assert cause_of(found) is cause, said


def test_deviation_is_a_share_of_what_is_expected() -> None:
    assert deviation("2", "2.5") == 0.25
    assert deviation("(3+4j)", "(3+4.5j)") == 0.1
    assert deviation("0", "1e-9") is None
    assert deviation("1", "nan") is None
    assert deviation("inf", "inf") is None
    assert deviation("an index that is there", "7") is None


def test_the_document_defines_every_cause_in_the_same_words() -> None:
    document = (
        Path(__file__).parents[2] / "docs" / "reference" / "analysis" / "failures.md"
    ).read_text()
    for one in DEFINITIONS:
        assert f"| {one.cause.value} | {one.meaning} | {one.evidence} |" in document


@pytest.mark.parametrize(
    ("reason", "detail", "cause"),
    [
        ("timed_wrong", "out[3] is 0.0, expected 1.0; 7 of 9 elements", Cause.VALUES),
        ("runtime_error", "OutOfResources: out of resource: shared memory", Cause.MEMORY),
        ("timeout", "Hung: no answer within 60 s", Cause.TIMEOUT),
        ("late", "nothing was written when the clock stopped", Cause.OTHER),
    ],
)
def test_what_fails_at_a_timed_size_has_a_cause_and_a_stage_of_its_own(
    reason: str, detail: str, cause: Cause
) -> None:
    failed = attempt(outcome="correct", performance="failed", reason=reason, detail=detail)
    assert (cause_of(failed), stage_of(failed)) == (cause, Stage.PERF)
    assert cause_of(attempt(outcome="correct", performance="unmeasured")) is None
