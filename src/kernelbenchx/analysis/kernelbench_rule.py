"""KernelBench's own rule beside that of kbx, and kernels that pass theirs and fail here."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import AttemptFrame, CodedColumn
from kernelbenchx.analysis.interval_cells import ends, interval
from kernelbenchx.analysis.intervals import Clusters
from kernelbenchx.analysis.table import Column, Table, Value, aside, columns

_RULE = (
    "KernelBench's rule: the answer at the published size is close to the reference's own output "
    "by `torch.allclose`, with 1e-2 or 1e-4 for both tolerances. With `--paper-rules` it is "
    "applied to one untimed call of each attempt, on a GPU. `not applied` counts the others. "
    "`ours` is the share of correct ones among the attempts it was applied to. `lucky` ones pass "
    "at 1e-2 and are not correct. Each problem has the same weight; Wilson's interval with "
    "problems for draws."
)
_LUCKY = (
    "Attempts that pass by KernelBench's rule at 1e-2 and are not correct, with the reason of our "
    "verdict. Attempts to which the rule was not applied cannot be in this list."
)
_NOT_APPLIED = "KernelBench's rule was applied to no attempt: that takes `--paper-rules` and a GPU."
_UNKNOWN = "KernelBench's rule could not be applied to {}: {}"
_MOST_NAMED = 3


def rule_tables(
    judged: AttemptFrame, groups: CodedColumn, named: tuple[Column, ...], notes: tuple[str, ...]
) -> tuple[Table, Table]:
    """Rates by both rules in these groups, whose labels have the columns `named`; lucky kernels."""
    applied = judged.flags(is_applied)
    notes = (*notes, _NOT_APPLIED) if len(judged) and not applied.any() else notes
    notes = (*notes, *_note_unknown_reasons(judged))
    return (
        Table(
            name="kernelbench_rule",
            title="KernelBench's rule beside ours",
            about=_RULE,
            columns=(
                *named,
                *columns(("applied", "applied", "count"), ("not_applied", "not applied", "count")),
                *interval("passes_1e_2", "at 1e-2", "percent"),
                *interval("passes_1e_4", "at 1e-4", "percent"),
                *interval("correct", "ours", "percent"),
                *columns(("lucky", "lucky", "count")),
            ),
            rows=tuple(_rows(judged, groups)) if applied.any() else (),
            notes=notes,
        ),
        Table(
            name="lucky",
            title="Lucky kernels: pass KernelBench's rule, fail ours",
            about=_LUCKY,
            columns=(
                *named,
                *columns(("problem", "problem"), ("submission", "submission")),
                *columns(("passes_1e_4", "at 1e-4")),
                *columns(("verdict", "verdict"), ("reason", "reason")),
                *aside(columns(("detail", "detail"))),
            ),
            rows=tuple(_lucky(judged, groups)),
            notes=notes,
        ),
    )


def is_applied(attempt: Attempt) -> bool:
    """Whether KernelBench's rule was applied to an answer of it."""
    return attempt.passes_1e_2 is not None


def is_lucky(attempt: Attempt) -> bool:
    """Passes by their rule at the looser tolerance, and is not correct."""
    return bool(attempt.passes_1e_2) and not attempt.correct


def _note_unknown_reasons(judged: AttemptFrame) -> Iterator[str]:
    """The commonest reasons, each with the number of attempts."""
    whys = Counter(one.rule_unknown for one in judged.attempts if one.rule_unknown)
    for why, count in whys.most_common(_MOST_NAMED):
        yield _UNKNOWN.format("1 attempt" if count == 1 else f"{count} attempts", why)


def _rows(judged: AttemptFrame, groups: CodedColumn) -> Iterator[tuple[Value, ...]]:
    applied = judged.flags(is_applied)
    count = len(groups.labels)
    clusters = Clusters(judged.task.codes[applied], groups.codes[applied], count)
    loose, strict, ours = (
        clusters.shares(flags[applied])
        for flags in (
            judged.flags(lambda one: bool(one.passes_1e_2)),
            judged.flags(lambda one: bool(one.passes_1e_4)),
            judged.flags(lambda one: one.correct),
        )
    )
    others = np.bincount(groups.codes[~applied], minlength=count)
    lucky = np.bincount(groups.codes[judged.flags(is_lucky)], minlength=count)
    for row, label in enumerate(groups.labels):
        yield (
            *label,
            int(loose.n[row]),
            int(others[row]),
            *ends(loose, row),
            *ends(strict, row),
            *ends(ours, row),
            int(lucky[row]),
        )


def _lucky(judged: AttemptFrame, groups: CodedColumn) -> Iterator[tuple[Value, ...]]:
    for code, one in zip(groups.codes.tolist(), judged.attempts, strict=True):
        if is_lucky(one):
            named = *groups.labels[code], one.task, one.submission
            yield *named, bool(one.passes_1e_4), one.verdict, one.reason, one.detail
