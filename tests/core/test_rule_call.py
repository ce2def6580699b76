"""The untimed call that KernelBench's rule is applied to, in a record."""

import msgspec
import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.core.performance import Failed, PublishedRule
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.rule_call import (
    FAILS,
    RuleCall,
    combined_rule,
    no_answer,
    not_known,
    rules_of,
)
from samples import evaluation, timed

BOTH = PublishedRule(passes_1e_2=True, passes_1e_4=True)
LOOSE = PublishedRule(passes_1e_2=True, passes_1e_4=False)
WRONG = Wrong(case="a", reason=Reason.BAD_VALUES, detail="3 of 9 elements differ")
AT_SCALE = Failed(case="c", reason=Reason.TIMED_WRONG, detail="wrong", published_rule=LOOSE)


def _with(call: RuleCall | None, **change: object) -> Evaluation:
    return msgspec.structs.replace(evaluation(outcome=WRONG), rule_call=call, **change)


def test_it_is_kept() -> None:
    one = _with(RuleCall(case="rows=2", rule=LOOSE))
    assert from_json(to_json(one), Evaluation) == one
    assert _with(None).published_rule is None


@pytest.mark.parametrize(
    ("call", "times", "said"),
    [
        (RuleCall(rule=BOTH), None, BOTH),
        (RuleCall(rule=BOTH), AT_SCALE, BOTH),
        (not_known("no memory"), AT_SCALE, LOOSE),
        (not_known("no memory"), None, None),
        (None, AT_SCALE, LOOSE),
        (None, timed(), None),
        (no_answer(Reason.TIMEOUT, "hung"), None, FAILS),
    ],
)
def test_it_counts_before_timed_cases(
    call: RuleCall | None, times: Failed | None, said: PublishedRule | None
) -> None:
    assert _with(call, performance=times).published_rule == said


def test_no_verdict_follows_from_it() -> None:
    bare, lucky = _with(None), _with(RuleCall(rule=BOTH))
    for name in ("verdict", "solved", "scale", "scopes", "core_correct", "rests_on_calls"):
        assert getattr(bare, name) == getattr(lucky, name)


def test_a_submission_passes_if_all_its_answers_do() -> None:
    assert combined_rule([BOTH, LOOSE]) == LOOSE
    assert combined_rule([BOTH, BOTH]) == BOTH
    assert combined_rule([]) is None
    assert list(rules_of(AT_SCALE)) == [LOOSE] and list(rules_of(None)) == []


def test_words_are_bounded() -> None:
    assert len(no_answer(Reason.CRASH, "x" * 5000).detail) == 1000
    assert len(not_known("x" * 5000).detail) == 300
