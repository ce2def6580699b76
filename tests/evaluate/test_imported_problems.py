"""Submissions for published problems, from their file to the verdict."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.problem_folders import add_problems
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.grades import Grade
from kernelbenchx.core.outcome import Correct, Reason, Void, Wrong
from kernelbenchx.core.performance import Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.gpu_slots import GpuSlots
from kernelbenchx.evaluate.imported_problems import select_preparable
from kernelbenchx.evaluate.performance_stage import PerformanceStage
from kernelbenchx.evaluator import Evaluator
from kernelbenchx.store.evaluation_lookup import newest
from kernelbenchx.store.known_tasks import known_task
from problem_files import WITNESS
from published_problems import (
    FORWARD,
    RAISES,
    SCALED,
    write_published,
)

Judge = Callable[[str, str, str], Evaluation]
NAMES = iter(range(920, 1000))
OTHER_NAME = WITNESS.replace("self.scale", "self.factor")
PACKED = WITNESS.replace(
    "torch.nn.Parameter(torch.empty(wide))",
    "torch.nn.Parameter(torch.randn(wide))\n"
    "        self.register_buffer('packed', self.scale.detach().clone())",
).replace("(x, self.scale, out", "(x, self.packed, out")


@pytest.fixture
def judge(warm_workers: None, warm_problems: None, tmp_path: Path) -> Judge:
    """The verdict on a submission for a problem file of its own."""

    def evaluated(problem: str, source: str, suffix: str = "") -> Evaluation:
        name = f"level1/{next(NAMES)}_Own"
        add_problems(write_published(tmp_path / name, problem, f"{name}.py"))
        settings = Settings(device="interpreter", jobs=1, seed=1, compile=False)
        submission = Submission(name="own", task=name + suffix, source=source)
        with Evaluator(settings, out=tmp_path / "run") as evaluator:
            return evaluator.evaluate(submission)

    return evaluated


def test_a_right_kernel_is_correct(judge: Judge, tmp_path: Path) -> None:
    found = judge(SCALED, WITNESS, "")
    assert isinstance(found.outcome, Correct) and found.outcome.cases == 3
    assert found.weights == "name"
    (kept,) = newest(tmp_path / "run")
    assert kept.evaluation == found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tl.maximum(x * scale + 1.0, 0.0)", "x * scale + 1.0"),
        ("x * scale + 1.0", "x + 1.0"),
    ],
    ids=["no ReLU", "no weights"],
)
def test_a_wrong_one_is_wrong(judge: Judge, old: str, new: str) -> None:
    assert old in WITNESS
    found = judge(SCALED, WITNESS.replace(old, new), "")
    assert isinstance(found.outcome, Wrong) and found.outcome.reason is Reason.BAD_VALUES


def test_weights_by_place_and_by_seed(judge: Judge) -> None:
    found = judge(SCALED, OTHER_NAME, "")
    assert isinstance(found.outcome, Correct) and found.weights == "place"
    found = judge(SCALED, PACKED, "")
    assert isinstance(found.outcome, Correct) and found.weights == "seed"


def test_another_precision(judge: Judge) -> None:
    assert isinstance(judge(SCALED, WITNESS, ":bf16").outcome, Correct)


def test_a_problem_that_fails_costs_its_verdicts_alone(judge: Judge) -> None:
    found = judge(RAISES, WITNESS, "")
    assert isinstance(found.outcome, Void) and found.outcome.reason is Reason.PROBLEM
    assert found.outcome.detail.startswith("the problem's own file: ")
    assert "no_such_method" in found.outcome.detail and "\n" not in found.outcome.detail
    assert isinstance(judge(SCALED, WITNESS, "").outcome, Correct)


def test_verdicts_on_an_unsound_problem_are_not_pooled(judge: Judge, tmp_path: Path) -> None:
    """Also where the folder of problems is gone."""
    found = judge(SCALED.replace(FORWARD, "x * self.scale * 0"), WITNESS, "")
    import sqlite3

    with sqlite3.connect(next((tmp_path / "run").glob("*.sqlite*"))) as database:
        (stated,) = database.execute("SELECT * FROM statements").fetchone()[1:]
    assert known_task("level1/none_such", stated).grade is Grade.UNSOUND
    assert known_task(found.task, stated).level == 1
    plain = stated.replace("a trivial answer passes", "").replace('"unsound":"', '"task_":"')
    assert known_task("level1/none_such", plain).grade is Grade.IMPORTED


def test_a_bench_does_not_look_at_published_problems_ahead(tmp_path: Path) -> None:
    """It has processes for one of them at a time."""
    name = f"level1/{next(NAMES)}_Own"
    add_problems(write_published(tmp_path, SCALED, f"{name}.py"))
    assert select_preparable([name, "activation/relu"]) == ["activation/relu"]


def test_published_problems_are_timed_as_others_are(tmp_path: Path) -> None:
    name = f"level1/{next(NAMES)}_Own"
    add_problems(write_published(tmp_path, SCALED, f"{name}.py"))
    attempt = EvaluationState(
        Submission(name="own", task=name, source=WITNESS), facts(name), ("ModelNew",)
    )
    asked = []
    found = Unmeasured(reason=Reason.DISTURBED, detail="only looked")

    class Asked:
        def time_submission(self, one: EvaluationState, card: object, tell: object) -> Unmeasured:
            del card, tell
            asked.append(one.submission.task)
            return found

    stage = PerformanceStage(None, GpuSlots(()), Asked(), None)  # type: ignore[arg-type]
    stage.run(attempt, Correct(cases=1, worst=0.0), None, lambda _: None)  # type: ignore[arg-type]
    assert attempt.performance == found and asked == [name]
