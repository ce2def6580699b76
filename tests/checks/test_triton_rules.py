"""All rules over one parse."""

from collections.abc import Callable

from kernelbenchx.checks.rule import Report
from kernelbenchx.checks.triton_rules import RULES
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]


def test_unreadable_text_is_one_finding(examine: Examine) -> None:
    for text in ("def f(:", "\0", "x = " + "-" * 9999 + "1", "# coding: utf-7\n"):
        report = examine(text)
        assert [finding.rule for finding in report.findings] == ["source"]
        assert report.composition is Composition.NOT_A_KERNEL


def test_every_rule_is_applied_once() -> None:
    assert len(set(RULES)) == len(RULES)


def test_a_clean_submission_has_no_findings_at_all(around: Examine) -> None:
    report = around("def f(x, y):\n    return launch(x)\n")
    assert report.findings == ()
    assert report.entry == "f"


def test_several_faults_are_all_reported(around: Examine) -> None:
    report = around("import os\ndef f(x):\n    eval('1')\n    return os\n")
    assert {finding.rule for finding in report.fatal} == {
        "entry",
        "imports",
        "introspection",
        "kernels",
    }
