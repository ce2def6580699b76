"""What methods saw is read beside verdicts; a whole run of a method shows what it kept."""

import json
from pathlib import Path

import msgspec
import pytest

from desks import FakeBench, FakeModel, office
from kernelbenchx.analysis import iterations, rates
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import CaseResult, CaseState, Outcome, Reason, Void, Wrong
from kernelbenchx.core.performance import Performance
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.submission import Origin
from kernelbenchx.core.transcript import Request
from kernelbenchx.core.trial import Trial
from kernelbenchx.generate.methods.geak import CRITERIA, Geak
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.task_context import TaskContext
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.trials import KeptTrial
from samples import evaluation, timed

LOST = Wrong(reason=Reason.BAD_VALUES, detail="off", case="c")
GONE = Void(reason=Reason.EVALUATOR, detail="gone")


def _one(
    outcome: Outcome | None = None, performance: Performance | None = None, step: str = "round 0"
) -> Evaluation:
    one = evaluation("relu__round0", outcome, performance)
    return msgspec.structs.replace(one, origin=Origin(method="m", model="x", round="0", step=step))


def _read(folder: Path, verdict: Evaluation, *feedback: Evaluation) -> Attempt:
    with writing(RunFolder(folder)) as database:
        database.append("key", verdict, "source")
        for one in feedback:
            database.keep_feedback("key", one)
    (found,) = read_attempts([folder])
    return found


def test_what_was_seen_stands_beside_the_verdict(tmp_path: Path) -> None:
    found = _read(tmp_path, _one(LOST), _one(None, timed(2.0)))
    assert found.outcome == "wrong" and found.seen is not None
    assert found.seen.correct and found.seen.called and found.seen.pure
    assert found.seen.speedup == pytest.approx(2.0)


def test_wrong_answers_were_called_and_have_no_speed(tmp_path: Path) -> None:
    found = _read(tmp_path, _one(), _one(LOST))
    assert found.seen is not None
    assert (found.seen.correct, found.seen.called, found.seen.speedup) == (False, True, None)


@pytest.mark.parametrize(("standard", "correct"), [("core", True), ("strict", False), ("", False)])
def test_what_was_seen_is_judged_by_the_standard_of_its_run(
    tmp_path: Path, standard: str, correct: bool
) -> None:
    cases = (
        CaseResult("a", CaseState.PASSED),
        CaseResult("b", CaseState.WRONG, needs=(Scope.LAYOUT,)),
    )
    near = msgspec.structs.replace(_one(LOST), cases=cases, core_performance=timed(2.0))
    with writing(RunFolder(tmp_path)) as database:
        database.note("generation", json.dumps({"evaluation": {"correct": standard}}))
    found = _read(tmp_path, _one(LOST), near)
    assert found.seen is not None and found.seen.correct is correct
    assert found.seen.speedup == (pytest.approx(2.0) if correct else None)


@pytest.mark.parametrize("feedback", [(), (_one(GONE),)])
def test_what_was_not_looked_at_or_not_judged_was_not_seen(
    tmp_path: Path, feedback: tuple[Evaluation, ...]
) -> None:
    assert _read(tmp_path, _one(), *feedback).seen is None


def test_files_from_elsewhere_were_seen_by_no_method(tmp_path: Path) -> None:
    assert _read(tmp_path, _one(step=""), _one()).seen is None


def test_a_run_judged_once_more_is_told_by_the_first_run_what_was_seen(tmp_path: Path) -> None:
    _read(tmp_path / "first", _one(), _one(LOST))
    with writing(RunFolder(tmp_path / "again")) as database:
        database.append("other", _one(), "source")
    both = read_attempts([tmp_path / "first", tmp_path / "again"])
    assert [one.seen is not None and one.seen.called for one in both] == [True, True]
    (alone,) = read_attempts([tmp_path / "again"])
    assert alone.seen is None


@pytest.mark.parametrize("passed", [True, False])
def test_a_test_of_the_model_is_known_by_its_step(tmp_path: Path, passed: bool) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.append("key", _one(), "source")
        database.append("other", _one(step="round 1"), "source")
        database.keep_trial(
            KeptTrial(
                key="t",
                task="activation/relu",
                method="m",
                step="round 0",
                test="",
                trial=Trial(passed=passed),
            )
        )
    found = {one.step: one.passed_own_test for one in read_attempts([tmp_path])}
    assert found == {"round 0": passed, "round 1": None}


def test_geak_shows_the_task_it_solved_at_first_in_every_round(tmp_path: Path) -> None:
    """One of two tasks in round 0, by one of four candidates: half after every round."""

    def said(request: Request, step: MethodStep) -> str:
        place, _, role = step.path.rpartition("/")
        if role != "generator":
            return json.dumps(dict.fromkeys(CRITERIA, 0.5))
        good = step.task == "activation/relu" and place.endswith("candidate 1")
        word = "right" if good and not place.startswith("round 1") else "no"
        return json.dumps({"strategy": "s", "code": f"# {word}: {step.task} {place}\n"})

    with writing(RunFolder(tmp_path)) as database:
        for task in ("activation/relu", "activation/gelu"):
            bench = FakeBench()
            shared = office(FakeModel(said), bench=bench)
            Geak().run(statement(task), TaskContext(task, shared))
            for name, one in bench.kept.items():
                database.append(name, one, "source")
            for name in bench.looked:
                database.keep_feedback(name, bench.kept[name])
    attempts = read_attempts([tmp_path])
    kept, candidates = iterations.tables(attempts)[:2]
    assert [row["correct"] for row in kept.records()] == [0.5, 0.5, 0.5]
    assert [row["correct"] for row in candidates.records()] == [0.125, 0.0, 0.125]
    (row,) = rates.tables(attempts)[0].records()
    assert (row["correct"], row["solved"]) == (0.5, 0.5)
