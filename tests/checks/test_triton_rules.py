"""All rules over one parse."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report
from kernelbenchx.checks.triton_rules import NO_CODE, RULES, SOURCE
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]


def test_unreadable_text_is_one_finding(examine: Examine) -> None:
    for text in ("def f(:", "\0", "x = " + "-" * 9999 + "1", "# coding: utf-7\n"):
        report = examine(text)
        assert [finding.rule for finding in report.findings] == ["source"]
        assert report.composition is Composition.NOT_A_KERNEL


PROSE = (
    "",
    "\n\n",
    "# a thought\n",
    '"""The kernel would add two vectors."""\n',
    "Sorry",
    "Hello, world",
    "I can't write this kernel.",
    "To import a class from the statement, import it by name: `import torch` would do.\n"
    "from the sizes it follows that class of kernels is slow\n",
    "Das Problem ist größer, als es aussieht.",
)
CODE = (
    "I wrote it:\ndef f(x:\n",
    "Use this.\n    import torch\n    y = x +\n",
    "It is as follows:\n@triton.jit\n",
    "class Model(nn.Module)\n",
    "first some words\nBLOCK = 1024\n",
    "from torch import nn and words\n",
)


@pytest.mark.parametrize("text", PROSE)
def test_words_without_code_are_told_apart_from_code_that_cannot_be_read(
    examine: Examine, text: str
) -> None:
    report = examine(text)
    assert [finding.rule for finding in report.fatal] == [NO_CODE]
    assert report.composition is Composition.NOT_A_KERNEL


@pytest.mark.parametrize("text", CODE)
def test_code_among_words_is_code_that_cannot_be_read(examine: Examine, text: str) -> None:
    assert [finding.rule for finding in examine(text).fatal] == [SOURCE]


def test_a_call_alone_is_code(examine: Examine) -> None:
    assert NO_CODE not in {finding.rule for finding in examine("eval('1')\n").fatal}


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
