import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from kernelbenchx.cli.evaluation_table import ROOMIER, ROOMY, print_evaluations, why
from kernelbenchx.core.evaluation import Evaluation
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
from kernelbenchx.core.performance import FELL_BACK, Failed, Unmeasured
from samples import LARGE, SMALL, evaluation, on_a_card, timed

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
        (
            Reached(stage=Stage.CALL),
            ["runs; stopped at the requested stage, correctness not checked"],
        ),
        (
            Reached(stage=Stage.CHECK),
            ["passed the source checks; stopped at the requested stage, not run"],
        ),
    ],
)
def test_every_outcome_says_why(outcome: object, words: list[str]) -> None:
    said = why(evaluation(outcome=outcome))  # type: ignore[arg-type]
    for word in words:
        assert word in said


@pytest.mark.parametrize(
    ("got", "error", "said"),
    [
        ("2.5", 746.2, "is 2.5, expected 1.5: 746 times the budget; 2 of 9"),
        ("2.5", float("inf"), "is 2.5, expected 1.5: must be equal; 2 of 9"),
        ("True", float("inf"), "is True, expected 1.5: must be equal; 2 of 9"),
        ("nan", float("inf"), "is nan, expected 1.5; 2 of 9"),
    ],
)
def test_how_far_it_is_off_is_said_where_there_is_a_budget(
    got: str, error: float, said: str
) -> None:
    far = msgspec.structs.replace(WORST, got=got, error=error)
    wrong = Wrong(case="n=3", reason=Reason.BAD_VALUES, detail="far", worst=far, pattern="tail")
    assert said in why(evaluation(outcome=wrong))


def test_where_nothing_ran_nothing_is_provisional() -> None:
    ran = evaluation()
    looked_at = msgspec.structs.replace(
        evaluation(outcome=Reached(stage=Stage.CHECK)), stage=Stage.CHECK
    )
    assert "provisional" in " ".join(_printed(looked_at, ran, width=160))
    assert "provisional" not in " ".join(_printed(looked_at, width=160))


def test_only_a_void_that_may_pass_is_tried_again() -> None:
    lasting = evaluation("a", Void(reason=Reason.UNSUPPORTED, detail="cuda"))
    passing = evaluation("b", Void(reason=Reason.EVALUATOR, detail="lost"))
    assert "could not judge them; run the same command" in " ".join(
        _printed(lasting, passing, width=160)
    )
    said = " ".join(_printed(lasting, width=160))
    assert "void results are not scored" in said and "retry" not in said


def test_a_table_says_what_its_verdicts_rest_on(capsys: pytest.CaptureFixture[str]) -> None:
    void = Void(reason=Reason.EVALUATOR, detail="lost [markup]")
    print_evaluations([evaluation(), evaluation("two", void)], Path("runs/x"))
    said = capsys.readouterr().out
    for word in (
        "1 correct, 1 void",
        "provisional",
        "isolation L3",
        "runs/x",
        "run the same command to retry",
    ):
        assert word in said
    assert "[markup]" in said


def _printed(*evaluations: Evaluation, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    print_evaluations(evaluations, Path("runs/x"), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


STALE = Failed(case="n=3", reason=Reason.STALE, detail="as before", trick="a cache")
LOST = Unmeasured(reason=Reason.DISTURBED, detail="a stranger")


@pytest.mark.parametrize("width", [80, 100, 115, 160])
def test_times_stand_in_the_table_at_every_width(width: int) -> None:
    times = timed(1.25, baselines=("eager", "compile"))
    lines = _printed(
        on_a_card(evaluation("relu__fast", performance=times)),
        on_a_card(evaluation("relu__cached", performance=STALE)),
        on_a_card(evaluation("relu__lost", performance=LOST)),
        on_a_card(evaluation("relu__void", Void(reason=Reason.EVALUATOR, detail="lost"))),
        width=width,
    )
    assert max(map(len, lines)) <= width
    (fast,) = (line.split() for line in lines if line.startswith("relu__fast"))
    assert " ".join(fast).count("1.25x [1.23, 1.27]") == (1 if width < ROOMY else 2)
    assert ("task" in lines[0]) is (width >= ROOMIER)
    assert {"correct", "pure", "faster", "replay", "0.80"} <= set(fast)
    (cached,) = (
        line.split() for line in lines if line.startswith("relu__cached") and "pure" in line
    )
    assert "correct" not in cached and "failed" in cached[1:3]
    told = " ".join(" ".join(lines).split())
    for words in (
        "failed at scale, stale: as before, looks like a cache [n=3]",
        "1 failed at scale (1 stale): right on the check cases, not at a timed size",
        "unmeasured, disturbed: a stranger",
        "1 unmeasured (1 disturbed): not scored",
        "* includes overhead-bound cases",
        "evaluator: lost",
    ):
        assert words in told, words


def test_what_failed_at_a_timed_size_is_not_counted_as_correct() -> None:
    lines = _printed(
        on_a_card(evaluation("right", performance=timed())),
        on_a_card(evaluation("too_large", performance=STALE)),
        on_a_card(evaluation("lost", performance=LOST)),
        width=100,
    )
    assert "2 correct, 1 failed at scale" in lines


def test_a_speedup_near_one_is_told_from_a_tie_in_80_columns() -> None:
    near = on_a_card(evaluation("activation_relu_7", performance=timed(1.012)))
    lines = _printed(near, width=80)
    assert max(map(len, lines)) <= 80
    (line,) = [line for line in lines if line.startswith("activation_relu_7")]
    assert "1.012x [" in line and "[0.9" in line and "replay" in line


def test_where_torch_compile_is_eager_its_speedup_is_marked() -> None:
    times = timed(1.25, baselines=("eager", "compile"), cases=(LARGE,))
    case = msgspec.structs.replace(times.cases[0], flags=(FELL_BACK,))
    back = msgspec.structs.replace(times, cases=(case,))
    for marked, one, width in ((True, back, 160), (False, times, 160), (False, back, ROOMY - 1)):
        lines = _printed(on_a_card(evaluation(performance=one)), width=width)
        (line,) = [line for line in lines if line.startswith("one")]
        assert ("1.27]=" in line) is marked
        assert any(line.startswith(f"= {FELL_BACK}") for line in lines) is marked


def test_it_is_said_what_more_a_wider_terminal_shows() -> None:
    def said(*baselines: str, width: int) -> list[str]:
        one = on_a_card(evaluation(performance=timed(baselines=baselines)))
        lines = _printed(one, width=width)
        return [line for line in lines if line.startswith("a terminal with more columns shows: ")]

    both = ("eager", "compile")
    (line,) = said(*both, width=80)
    assert line.endswith(f": over compile (from {ROOMY}), task (from {ROOMIER})")
    (line,) = said(*both, width=ROOMY)
    assert line.endswith(f": task (from {ROOMIER})")
    (line,) = said("eager", width=80)
    assert line.endswith(f": task (from {ROOMY})")
    assert said(*both, width=ROOMIER) == said("eager", width=ROOMY) == []
    assert "columns" not in " ".join(_printed(evaluation(), width=80))


def test_without_small_cases_nothing_is_marked() -> None:
    (line,) = [
        line
        for line in _printed(on_a_card(evaluation(performance=timed(cases=(LARGE,)))), width=80)
        if line.startswith("one")
    ]
    assert "1.27] " in line and "*" not in line
    marked = _printed(on_a_card(evaluation(performance=timed(cases=(SMALL,)))), width=80)
    assert any("1.27]*" in line for line in marked)
