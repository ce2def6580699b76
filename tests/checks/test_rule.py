"""The vocabulary of the rules."""

from kernelbenchx.checks.rule import Report, in_order
from kernelbenchx.core.outcome import Composition, Finding


def test_findings_come_once_by_line_with_refusals_first() -> None:
    note = Finding(rule="b", line=2, why="note", fatal=False)
    refusal = Finding(rule="c", line=2, why="refusal")
    first = Finding(rule="a", line=1, why="first")
    assert in_order([note, refusal, first, note]) == (first, refusal, note)


def test_only_fatal_findings_reject() -> None:
    note = Finding(rule="b", line=2, why="note", fatal=False)
    refusal = Finding(rule="c", line=2, why="refusal")
    report = Report(findings=(note, refusal), composition=Composition.PURE, entry="f")
    assert report.fatal == (refusal,)
    assert Report(findings=(note,), composition=Composition.PURE, entry="f").fatal == ()
