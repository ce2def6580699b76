"""What the papers' own rules say of a submission, in a record."""

import msgspec
import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Outcome, Reason, Wrong
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.rules import KernelBenchXRule, Rules, make_failed_rule, make_unknown_rule
from ruled import BOTH, FAILS, LOOSE, by_kernelbench, by_kernelbenchx, passed
from samples import evaluation

WRONG = Wrong(case="a", reason=Reason.BAD_VALUES, detail="3 of 9 elements differ")
RIGHT = by_kernelbenchx(called=True, correct=True)
DIFFERS = by_kernelbenchx(called=True, correct=False)
UNCALLED = by_kernelbenchx(called=False, correct=False)
NOBODY = by_kernelbenchx(called=True, correct=False, infeasible="it compares objects of torch")


def _with(rules: Rules | None, outcome: Outcome | None = None) -> Evaluation:
    return msgspec.structs.replace(evaluation(outcome=outcome), rules=rules)


@pytest.mark.parametrize("rules", [RIGHT, by_kernelbench(LOOSE), Rules(), None])
def test_it_is_kept(rules: Rules | None) -> None:
    one = _with(rules, WRONG)
    assert from_json(to_json(one), Evaluation) == one


@pytest.mark.parametrize(
    ("rules", "called", "passes"),
    [
        (RIGHT, True, True),
        (DIFFERS, True, False),
        (UNCALLED, False, False),
        (by_kernelbench(BOTH), True, True),
        (by_kernelbench(LOOSE), True, True),
        (by_kernelbench(FAILS), True, False),
        (Rules(kernelbench=make_failed_rule(Reason.TIMEOUT, "hung")), False, False),
        (Rules(kernelbench=make_unknown_rule("no memory")), None, None),
        (Rules(kernelbenchx=KernelBenchXRule(detail="no test")), None, None),
        (Rules(), None, None),
    ],
)
def test_both_papers_have_stages_that_can_be_compared(
    rules: Rules, called: bool | None, passes: bool | None
) -> None:
    assert (rules.called, rules.passes) == (called, passes)


def test_only_a_fault_of_ours_is_tried_again() -> None:
    for reason, known in ((Reason.EVALUATOR, False), (Reason.UNSUPPORTED, True), (None, True)):
        assert Rules(kernelbench=make_unknown_rule("why", reason=reason)).known is known
    assert not Rules().known


def test_no_verdict_follows_from_it() -> None:
    bare, lucky = _with(None, WRONG), _with(RIGHT, WRONG)
    for name in ("verdict", "solved", "scale", "scopes", "core_correct", "rests_on_calls"):
        assert getattr(bare, name) == getattr(lucky, name)


def test_words_are_bounded() -> None:
    assert len(make_failed_rule(Reason.CRASH, "x" * 5000).detail) == 1000
    assert len(make_unknown_rule("x" * 5000).detail) == 300
    assert passed(make_failed_rule(Reason.CRASH, "")) == FAILS
