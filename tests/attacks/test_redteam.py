"""What counts as stopped, as through and as beyond; with a pipeline that answers as it is told."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kernelbenchx.attacks.arena import Arena
from kernelbenchx.attacks.attack import Attack, Control
from kernelbenchx.attacks.redteam import Redteam, Report
from kernelbenchx.core.environment import Environment, Isolation
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    Broken,
    Composition,
    Correct,
    Finding,
    Outcome,
    Reason,
    Rejected,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.runner.levels import Level

RIGHT, FALSE = Correct(cases=1, worst=0.0), Wrong(case="", reason=Reason.BAD_VALUES, detail="")
ATTACK = Attack(
    name="c2_zeros",
    source="",
    what="Answers zeros.",
    ident="C2",
    task="relu",
    checks=frozenset({"rejected"}),
    no_checks=frozenset({"wrong"}),
    level="L2",
)


@dataclass(frozen=True)
class FakeWorkers:
    settings: Settings
    isolation: Any = field(default_factory=lambda: SimpleNamespace(level=Level.L2, missing=()))
    zygotes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FakePipeline:
    workers: FakeWorkers
    answer: Callable[[str], Outcome]
    composition: Composition = Composition.PURE
    stage: Stage = Stage.EXE

    @property
    def settings(self) -> Settings:
        return self.workers.settings

    def evaluate(self, submission: Submission) -> Evaluation:
        canaries: dict[str, Outcome] = {"canary_honest": RIGHT, "canary_wrong": FALSE}
        outcome = canaries.get(submission.name) or self.answer(submission.name)
        return Evaluation(
            submission=submission.name,
            task=submission.task,
            digest="",
            origin=Origin(),
            outcome=outcome,
            composition=self.composition,
            stage=self.stage,
            provisional=True,
            device="interpreter",
            isolation=Isolation(level="L2", missing=()),
            checks=False,
            seed=1,
            seconds=0.0,
            environment=Environment(harness="", python="", torch="", triton="", machine="", gpu=""),
        )


@dataclass
class FakeArena:
    found: list[str] = field(default_factory=list)

    def harm(self, *_: object) -> list[str]:
        return self.found


def _redteam(answer: Callable[[str], Outcome], harm: list[str], **more: Any) -> Redteam:
    settings = Settings(device="interpreter", checks=False)
    fake: Any = FakePipeline(FakeWorkers(settings), answer, **more)
    return Redteam(fake, cast(Arena, FakeArena(harm)))


def _report(outcome: Outcome, attack: Attack = ATTACK, *harm: str, **more: Any) -> Report:
    redteam = _redteam(lambda _: outcome, list(harm), **more)
    return redteam.run([attack], [], lambda _: None)


def test_the_outcome_of_its_file_is_stopped() -> None:
    report = _report(FALSE)
    assert [one.name for one in report.stopped] == ["c2_zeros"]
    assert not report.through and not report.beyond and report.held
    assert report.stopped[0].stopped_by.startswith("judge: bad_values")


@pytest.mark.parametrize(
    "outcome",
    [
        RIGHT,
        Broken(stage=Stage.CALL, reason=Reason.EXIT, detail=""),
        Rejected(findings=(Finding(rule="imports", line=1, why="os"),)),
        Void(reason=Reason.EVALUATOR, detail="gone"),
    ],
)
def test_any_other_outcome_is_through_also_a_harmless_one(outcome: Outcome) -> None:
    report = _report(outcome)
    assert [one.name for one in report.through] == ["c2_zeros"]
    assert not report.stopped and not report.held


def test_harm_is_through_whatever_the_outcome() -> None:
    report = _report(FALSE, ATTACK, "a file was left")
    assert report.through[0].problems == ("a file was left",)


def test_a_judge_that_fails_is_through() -> None:
    def fail(_: str) -> Outcome:
        raise KeyError("an attack did this")

    report = _redteam(fail, []).run([ATTACK], [], lambda _: None)
    assert report.through[0].problems[0].startswith("the judge failed: KeyError")


def test_a_canary_with_another_outcome_is_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernelbenchx.attacks.redteam.HONEST", "")
    redteam = _redteam(lambda _: FALSE, [])
    original = FakePipeline.evaluate

    def evaluate(self: FakePipeline, submission: Submission) -> Evaluation:
        spoiled = "canary_wrong" if submission.name == "canary_honest" else submission.name
        return original(self, Submission(name=spoiled, task=submission.task, source=""))

    monkeypatch.setattr(FakePipeline, "evaluate", evaluate)
    report = redteam.run([ATTACK], [], lambda _: None)
    assert "the next submission was wrong, not correct" in report.through[0].problems[0]


def test_an_attack_above_the_level_is_beyond_and_never_through() -> None:
    report = _report(RIGHT, replace(ATTACK, level="L3"))
    assert [one.name for one in report.beyond] == ["c2_zeros"]
    assert not report.through and not report.stopped and report.held


def test_a_dangerous_attack_above_the_level_is_not_tried() -> None:
    def tried(_: str) -> Outcome:
        raise AssertionError("it was tried")

    attack = replace(ATTACK, level="L3", dangerous=True)
    report = _redteam(tried, []).run([attack], [], lambda _: None)
    assert report.beyond[0].stopped_by == "not tried"


def test_correct_counts_only_with_the_composition_that_was_said() -> None:
    attack = replace(ATTACK, no_checks=frozenset({"correct"}), composition=Composition.MIXED)
    assert _report(RIGHT, attack, composition=Composition.MIXED).held
    assert not _report(RIGHT, attack, composition=Composition.PURE).held


def test_a_control_must_be_correct_and_made_of_what_it_says() -> None:
    control = Control(name="honest", source="", what="A kernel.", task="relu")
    passed = _redteam(lambda _: RIGHT, []).run([], [control], lambda _: None)
    assert passed.held and passed.controls[0].ok
    for redteam in (
        _redteam(lambda _: FALSE, []),
        _redteam(lambda _: RIGHT, [], composition=Composition.MIXED),
    ):
        assert not redteam.run([], [control], lambda _: None).held


def test_what_is_for_another_device_is_left_out() -> None:
    assert _report(RIGHT, replace(ATTACK, device="cuda")).attacks == []
