"""Who is lucky, and what is infeasible."""

import msgspec
import pytest

from kernelbenchx.core.disagreements import is_infeasible, is_lucky
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Outcome, Reached, Reason, Stage, Void, Wrong
from kernelbenchx.core.rules import Rules
from ruled import by_kernelbenchx
from samples import evaluation

WRONG = Wrong(case="a", reason=Reason.BAD_VALUES, detail="3 of 9 elements differ")
RIGHT = by_kernelbenchx(called=True, correct=True)
DIFFERS = by_kernelbenchx(called=True, correct=False)
UNCALLED = by_kernelbenchx(called=False, correct=False)
NOBODY = by_kernelbenchx(called=True, correct=False, infeasible="it compares objects of torch")


def _with(rules: Rules | None, outcome: Outcome | None = None) -> Evaluation:
    return msgspec.structs.replace(evaluation(outcome=outcome), rules=rules)


@pytest.mark.parametrize(
    ("rules", "outcome", "lucky", "infeasible"),
    [
        (RIGHT, WRONG, True, False),
        (RIGHT, None, False, False),
        (DIFFERS, WRONG, False, False),
        (DIFFERS, None, False, True),
        (UNCALLED, None, False, True),
        (NOBODY, WRONG, False, True),
        (RIGHT, Void(reason=Reason.EVALUATOR, detail=""), False, False),
        (RIGHT, Reached(stage=Stage.CALL), False, False),
        (Rules(), None, False, False),
        (None, WRONG, False, False),
    ],
)
def test_where_both_disagree(
    rules: Rules | None, outcome: Outcome | None, lucky: bool, infeasible: bool
) -> None:
    one = _with(rules, outcome)
    assert (is_lucky(one), is_infeasible(one)) == (lucky, infeasible)
