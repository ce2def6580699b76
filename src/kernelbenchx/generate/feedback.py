"""Feedback to the author of a kernel: short, structured, its own lines quoted.

Nothing in here is a value of an input. The pattern comes first: which kinds of inputs fail, and
what those have in common. Then one of them is described.
"""

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.failed_scopes import describe_failed_scopes
from kernelbenchx.core.headline import headline
from kernelbenchx.core.outcome import (
    Broken,
    CaseState,
    Composition,
    Correct,
    Finding,
    Reached,
    Reason,
    Rejected,
    Void,
    Worst,
    Wrong,
)
from kernelbenchx.core.record import Record
from kernelbenchx.core.scopes import Scope, sum_dtypes
from kernelbenchx.generate.case_description import case_words, in_common
from kernelbenchx.generate.error_hints import clean_message, meaning
from kernelbenchx.generate.rounding import compare_numbers
from kernelbenchx.generate.source_quotes import ErrorLocation, locate_error, quote_line
from kernelbenchx.generate.speed_description import (
    profile_words,
    scale_failure,
    scale_words,
    time_words,
)

MOST_FINDINGS = 4


class FeedbackKinds(Record, frozen=True, kw_only=True):
    """Which kinds of feedback an author gets."""

    errors: bool = True
    """What rules, compiler and calls said."""
    answers: bool = True
    """How an answer is wrong."""
    times: bool = True
    """Time of every timed case, against PyTorch and against the roofline of the GPU."""
    profile: bool = True
    """Registers, shared memory, bandwidth, arithmetic."""


_BROKEN = {
    Reason.LOAD_ERROR: "the file cannot be imported",
    Reason.COMPILE_ERROR: "a kernel does not compile",
    Reason.NOT_COMPILED: "a kernel that was launched could not be compiled",
    Reason.RUNTIME_ERROR: "a call raised an error",
    Reason.SIGNATURE: "a call gives an argument that the signature lacks",
    Reason.OUT_OF_BOUNDS: "a kernel reaches outside a tensor",
    Reason.TIMEOUT: "it did not end in time",
    Reason.CRASH: "the process crashed",
    Reason.MEMORY: "it ran out of memory",
    Reason.OUTPUT_LIMIT: "it printed or wrote too much",
    Reason.EXIT: "it ended the process",
    Reason.MALFORMED: "it disturbed the process that runs it",
}
_UNJUDGED = {
    Reason.NOT_INTERPRETABLE: "a kernel uses what cannot be checked without a GPU",
    Reason.TOO_SLOW: "its programs take too long without a GPU to be checked",
    Reason.WEIGHTS: "the weights of the module cannot be loaded into it",
}
_WRONG = {
    Reason.BAD_STRUCTURE: "it returns something else than expected",
    Reason.BAD_SHAPE: "an output has the wrong shape",
    Reason.BAD_DTYPE: "an output has the wrong dtype",
    Reason.BAD_DEVICE: "an output lies on the wrong device",
    Reason.BAD_VALUES: "wrong values",
    Reason.BAD_ALIAS: "an output shares memory that it must not share, or not the memory it must",
    Reason.INPUT_CHANGED: "an argument was changed that must stay as it is",
    Reason.RACE: "the answer depends on the order in which programs run",
}
_HINTS = {
    Reason.OUT_OF_BOUNDS: "mask this access, or compute its offsets from the tensor's strides",
    Reason.TIMEOUT: "look for a loop that does not end, or for far too many programs",
}
_SCOPES = {
    Scope.CORE: "contiguous tensors in the main dtypes, ordinary values and sizes",
    Scope.LAYOUT: "strided, transposed, offset or expanded tensors, `out`, in-place",
    Scope.DTYPE: "other dtypes than the main ones",
    Scope.VALUES: "NaN, infinities, very large or very small values",
    Scope.DEGENERATE: "empty tensors, 0-d tensors, dimensions of 1",
    Scope.SCALE: "large sizes",
    Scope.COMBINED: "several of these at once",
}
_UNTIMED = "Times and use of the GPU: not measured."
_TF32 = (
    'a tl.dot of float32 blocks rounded its operands to TF32: pass input_precision="ieee"'
    " where that is not allowed"
)


def feedback(
    evaluation: Evaluation, source: str, statement: Statement, told: FeedbackKinds | None = None
) -> str:
    """Paragraphs for the next prompt; empty where the chosen kinds have nothing to report."""
    told = told or FeedbackKinds()
    outcome = evaluation.outcome
    parts: list[str] = []
    if isinstance(outcome, Correct) and not evaluation.solved:
        parts = _failed_at_scale(evaluation, statement, told)
    elif isinstance(outcome, Correct):
        parts = _correct(evaluation, source, statement, told)
    elif isinstance(outcome, Rejected) and told.errors:
        parts = [_result(evaluation), *_findings(outcome.findings, source, statement)]
    elif isinstance(outcome, Broken) and told.errors:
        pattern = _pattern(evaluation, statement)
        parts = [
            _result(evaluation),
            pattern,
            *_describe_broken(outcome, evaluation, source, statement),
        ]
    elif isinstance(outcome, Wrong) and told.answers:
        pattern = _pattern(evaluation, statement)
        parts = [_result(evaluation), pattern, *_wrong(outcome, evaluation, statement)]
    elif isinstance(outcome, Reached):
        parts = [_result(evaluation)]
    elif isinstance(outcome, Void) and outcome.reason in _UNJUDGED and told.errors:
        slow = outcome.reason is Reason.TOO_SLOW  # whose detail names seconds
        parts = [_result(evaluation), "" if slow else clean_message(outcome.detail)]
    return "\n\n".join(part for part in parts if part)


def summary(evaluation: Evaluation) -> str:
    """One line without a source location, for a list of earlier attempts."""
    outcome = evaluation.outcome
    if isinstance(outcome, Correct) and not evaluation.solved:
        return f"right on small inputs; on a large one {scale_failure(evaluation.scale)}"
    if isinstance(outcome, Correct):
        over = headline(evaluation.performance).speedup
        return "correct" if over is None else f"correct, {over:.2f}x the speed of PyTorch"
    if isinstance(outcome, Rejected):
        unread = any(one.rule == "source" for one in outcome.findings)
        return "it is not Python" if unread else "not accepted: it breaks a rule"
    if isinstance(outcome, Broken):
        return _BROKEN[outcome.reason]
    if isinstance(outcome, Wrong):
        return _WRONG[outcome.reason]
    if isinstance(outcome, Reached):
        return "it runs; its answers were not compared"
    if isinstance(outcome, Void) and outcome.reason in _UNJUDGED:
        return f"not checked: {_UNJUDGED[outcome.reason]}"
    return "not judged: the evaluation itself failed"


def _result(evaluation: Evaluation) -> str:
    return f"Result: {summary(evaluation)}."


def _failed_at_scale(
    evaluation: Evaluation, statement: Statement, told: FeedbackKinds
) -> list[str]:
    """The failure at a timed size; reported where errors or answers are."""
    parts = []
    if told.errors or told.answers:
        parts = [_result(evaluation), "\n".join(scale_words(evaluation.scale, statement))]
    if told.profile:
        parts.append("\n".join(profile_words(evaluation, statement)))
    return parts


def _correct(
    evaluation: Evaluation, source: str, statement: Statement, told: FeedbackKinds
) -> list[str]:
    parts = []
    if told.answers:
        all_of = f"all {len(evaluation.cases)} tests" if evaluation.cases else "every test"
        parts.append(f"Result: correct in {all_of}.")
        parts += _remarks(evaluation, source)
    if told.times:
        parts.append("\n".join(time_words(evaluation, statement)))
    if told.profile:
        parts.append("\n".join(profile_words(evaluation, statement)))
    if evaluation.performance is None and (told.times or told.profile):
        parts.append(_UNTIMED)
    return parts


def _remarks(evaluation: Evaluation, source: str) -> list[str]:
    """What makes a right answer count for less."""
    parts = []
    if evaluation.composition is not Composition.PURE:
        at = sorted({one.line for one in evaluation.findings if one.rule == "composition"})
        said = "But PyTorch computes a part of it: move that into a kernel."
        parts.append("\n".join([said, *(quote_line(source, line) for line in at[:MOST_FINDINGS])]))
    races = [flag for flag in evaluation.flags if flag.startswith("race")]
    if races:
        parts.append(f"Hint: {_describe_race(races[0])}.")
    return parts


def _describe_race(flag: str) -> str:
    where = flag.removeprefix("race: ")
    return f"programs touch the same elements ({where}): use atomics, or a second kernel"


def _findings(findings: tuple[Finding, ...], source: str, statement: Statement) -> list[str]:
    if not source.strip():
        return ["The reply held no program. Reply with the whole file in one ```python block."]
    parts = []
    for one in findings[:MOST_FINDINGS]:
        if one.rule == "entry" and one.line <= 1:
            parts.append(f"The file must define `{statement.entry}`: it {one.why}.")
            continue
        place = f"Line {one.line}: " if one.line else ""
        parts.append("\n".join(filter(None, [f"{place}{one.why}.", quote_line(source, one.line)])))
    return parts


def _describe_broken(
    outcome: Broken, evaluation: Evaluation, source: str, statement: Statement
) -> list[str]:
    place = locate_error(outcome.detail, source) or ErrorLocation(0, 0, outcome.detail)
    if not place.line:
        columns = [one.column for one in evaluation.kernels if one.line == outcome.line]
        place = ErrorLocation(outcome.line, columns[0] if columns else 0, place.said)
    lines = [quote_line(source, place.line, place.column), clean_message(place.said)]
    hint = meaning(outcome.detail) or _HINTS.get(outcome.reason, "")
    if hint:
        lines.append(f"Hint: {hint}.")
    where = case_words(outcome.case, statement) if outcome.case else ""
    return ["\n".join(filter(None, lines)), f"It happened with {where}." if where else ""]


def _wrong(outcome: Wrong, evaluation: Evaluation, statement: Statement) -> list[str]:
    where = case_words(outcome.case, statement)
    lines = [f"Failing input: {where or 'the only one'}"]
    if outcome.reason is not Reason.BAD_VALUES or outcome.worst is None:
        lines.append(clean_message(outcome.detail))
    if outcome.worst is not None:
        lines += _values(outcome.pattern, outcome.worst)
    hint = _TF32 if "tf32" in evaluation.flags else ""
    races = [flag for flag in evaluation.flags if flag.startswith("race")]
    if races:
        hint = _describe_race(races[0])
    return ["\n".join(filter(None, lines)), f"Hint: {hint}." if hint else ""]


def _pattern(evaluation: Evaluation, statement: Statement) -> str:
    """How many tests pass, which kinds of inputs fail, and what failing ones have in common."""
    if not evaluation.cases:
        return ""
    right = sum(one.state is CaseState.PASSED for one in evaluation.cases)
    lines = [f"Tests passed: {right} of {len(evaluation.cases)}"]
    if phrase := describe_failed_scopes(evaluation):
        failed = [one.scope for one in sum_dtypes(evaluation.scopes) if one.failed]
        named = dict.fromkeys([*([Scope.CORE] if evaluation.core_correct else []), *failed])
        lines.append(f"Pattern: {phrase}")
        lines.append(f"({'; '.join(f'{one.value}: {_SCOPES[one]}' for one in named)})")
    return "\n".join(filter(None, [*lines, in_common(evaluation.cases, statement)]))


def _values(pattern: str, worst: Worst) -> list[str]:
    lines = [f"Wrong elements: {worst.bad} of {worst.total}" + (f"; {pattern}" if pattern else "")]
    at = f"{worst.output}[{', '.join(map(str, worst.index))}]"
    far = f"; {worst.error:.3g} times the error that is allowed" if worst.error < 1e30 else ""
    lines.append(f"Worst: {at} is {compare_numbers(worst.got, worst.expected)}{far}")
    return lines
