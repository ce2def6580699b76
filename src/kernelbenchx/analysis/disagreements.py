"""Attempts of which the paper's own rule and our verdict say different things, with the reasons."""

from collections.abc import Iterator, Sequence

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import AttemptFrame, frame_of
from kernelbenchx.analysis.paper_judgements import BY_RULE
from kernelbenchx.analysis.published_attempts import RUN
from kernelbenchx.analysis.table import Table, Value, aside, columns

LUCKY, INFEASIBLE = "lucky", "infeasible"
_ABOUT = (
    "`lucky`: passes the rule of the paper that published the task, and is not correct here. "
    "`ours` says which calls fail. `infeasible`: correct here and fails that rule, or no honest "
    "kernel passes it. `theirs` names the first result of the published test that differs. "
    "Correct means what `--correct` asks for. Kernels kept at the end, where the run applied the "
    "rule (`kbx eval --paper-rules`)."
)
_NOT_APPLIED = "The papers' rules were applied to no attempt: use `kbx eval --paper-rules`."


def tables(attempts: Sequence[Attempt], frame: AttemptFrame | None = None) -> list[Table]:
    """One table; lucky attempts come first."""
    last = (frame or frame_of(attempts)).last
    known = BY_RULE.flag_judged(last) & last.flags(lambda one: one.run != RUN)
    notes = last.notes if known.any() or not len(last) else (*last.notes, _NOT_APPLIED)
    return [
        Table(
            name="disagreements",
            title="Where the paper's rule and ours disagree",
            about=_ABOUT,
            columns=(
                *columns(("gpu", "GPU"), ("method", "method"), ("kind", "kind")),
                *columns(("task", "task"), ("submission", "submission")),
                *columns(("ours", "ours"), ("theirs", "theirs")),
                *aside(columns(("detail", "detail"))),
            ),
            rows=tuple(sorted(_rows(last.pick(known)), key=_by_kind)),
            notes=notes,
        )
    ]


def kind_of(one: Attempt) -> str:
    """`lucky`, `infeasible`, or nothing where both agree or one of them says nothing."""
    theirs = BY_RULE.correct(one)
    if theirs is None or one.outcome == "reached":
        return ""
    if theirs:
        return "" if one.correct else LUCKY
    return INFEASIBLE if one.correct or one.paper_infeasible else ""


def _rows(frame: AttemptFrame) -> Iterator[tuple[Value, ...]]:
    named = zip(frame.card.codes.tolist(), frame.author.codes.tolist(), frame.attempts, strict=True)
    for card, author, one in named:
        if kind := kind_of(one):
            ours = "correct" if one.correct else _explain_our_verdict(one)
            who = frame.card.labels[card], frame.author.labels[author]
            yield (
                *who,
                kind,
                one.task,
                one.submission,
                ours,
                _explain_their_verdict(one),
                one.detail,
            )


def _by_kind(row: tuple[Value, ...]) -> tuple[bool, str, str, str, str]:
    gpu, method, kind, task, submission, *_ = map(str, row)
    return kind != LUCKY, gpu, method, task, submission


def _explain_our_verdict(one: Attempt) -> str:
    """`bad_values: 2 of 3 core calls in float16 fail`: the first scope and dtype that fails."""
    failing = next((each for each in one.scopes if each.failed), None)
    if failing is None:
        return one.reason or one.verdict
    dtype = f" in {failing.dtype}" if failing.dtype else ""
    return f"{one.reason}: {failing.failed} of {failing.total} {failing.scope} calls{dtype} fail"


def _explain_their_verdict(one: Attempt) -> str:
    if BY_RULE.correct(one):
        return "passes"
    if one.paper_infeasible:
        return f"no honest kernel passes: {one.paper_infeasible}"
    return one.paper_detail or "fails at 1e-2"
