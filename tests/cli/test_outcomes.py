from pathlib import Path

import pytest

from kernelbenchx.cli.outcomes import print_evaluations, why
from kernelbenchx.core.outcome import (
    Broken,
    Correct,
    Finding,
    Reached,
    Reason,
    Rejected,
    Stage,
    Void,
    Worst,
    Wrong,
)
from samples import evaluation

WORST = Worst(output="out", index=(2, 3), expected="1.5", got="nan", error=7.0, bad=2, total=9)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Correct(cases=12, worst=0.25), ["12 cases", "0.25 of the budget"]),
        (Rejected(findings=(Finding(rule="imports", line=4, why="os"),)), ["imports, line 4: os"]),
        (
            Broken(stage=Stage.CALL, reason=Reason.TIMEOUT, detail="20 s", case="n=3", line=8),
            ["timeout (line 8): 20 s", "n=3"],
        ),
        (
            Wrong(case="n=3", reason=Reason.BAD_VALUES, detail="far", worst=WORST, pattern="tail"),
            ["tail", "out[2, 3] is nan, expected 1.5", "2 of 9 elements", "n=3"],
        ),
        (Void(reason=Reason.EVALUATOR, detail="lost"), ["evaluator: lost"]),
        (Reached(stage=Stage.CALL), ["stage call", "not judged"]),
    ],
)
def test_every_outcome_says_why(outcome: object, words: list[str]) -> None:
    said = why(evaluation(outcome=outcome))  # type: ignore[arg-type]
    for word in words:
        assert word in said


def test_a_table_says_what_its_verdicts_rest_on(capsys: pytest.CaptureFixture[str]) -> None:
    void = Void(reason=Reason.EVALUATOR, detail="lost [markup]")
    print_evaluations([evaluation(), evaluation("two", void)], Path("runs/x"))
    said = capsys.readouterr().out
    for word in ("1 correct, 1 void", "provisional", "isolation L3", "runs/x", "run again to try"):
        assert word in said
    assert "[markup]" in said
