"""What the papers' rules say, in words."""

import msgspec
import pytest

from kernelbenchx.cli.published_rules import kernelbenchx_words, rule_lines, rules_summary
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Outcome, Reason, Wrong
from kernelbenchx.core.rules import KernelBenchXRule, Rules
from ruled import by_kernelbenchx
from samples import evaluation

WRONG = Wrong(case="c", reason=Reason.BAD_VALUES, detail="off")
DIFFERS = KernelBenchXRule(
    called=True,
    correct=False,
    key="test_case_2[0]",
    detail="3 of 9 values differ",
    tolerance="exact",
)


def _with(rules: Rules | None, outcome: Outcome | None = None) -> Evaluation:
    return msgspec.structs.replace(evaluation(outcome=outcome), rules=rules)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (KernelBenchXRule(called=True, correct=True), "called and correct"),
        (DIFFERS, "called, not correct: test_case_2[0]: 3 of 9 values differ (exact)"),
        (KernelBenchXRule(called=False, correct=False, detail="raised"), "not called: raised"),
        (KernelBenchXRule(called=True, detail="x"), "called, correct or not is not known: x"),
        (KernelBenchXRule(detail="no test"), "not known: no test"),
    ],
)
def test_a_rule_in_one_line(rule: KernelBenchXRule, said: str) -> None:
    assert kernelbenchx_words(rule) == f"KernelBench-X: {said}"
    marked = msgspec.structs.replace(rule, provisional=True, infeasible="compares objects")
    words = kernelbenchx_words(marked)
    assert words.endswith("; no honest kernel passes: compares objects; provisional, without a GPU")


def test_where_no_rule_was_asked_nothing_is_said() -> None:
    assert not list(rule_lines(_with(None))) and not rules_summary([_with(None)])
    assert len(list(rule_lines(_with(Rules(kernelbenchx=DIFFERS))))) == 1


def test_a_summary_counts_stages_and_disagreements() -> None:
    right = by_kernelbenchx(called=True, correct=True)
    unknown = Rules(kernelbenchx=KernelBenchXRule(provisional=True, detail="no test"))
    differs = Rules(kernelbenchx=DIFFERS)
    agreeing = [_with(right), _with(differs, WRONG), _with(unknown)]
    assert rules_summary(agreeing) == [
        "by the papers' rules: 2 called, 1 correct of 2, provisional without a GPU; not known of 1"
    ]
    lines = rules_summary([_with(right, WRONG), _with(differs)])
    assert lines[1].startswith("lucky (pass theirs, fail ours): 1; infeasible")
    assert lines[1].endswith(": 1")
