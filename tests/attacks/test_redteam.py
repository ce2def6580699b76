"""What counts as stopped, as through and as beyond; with a pipeline that answers as it is told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec import structs

from kernelbenchx.attacks.attack import Attack, Control, timing_attacks
from kernelbenchx.attacks.batches import BATCH
from kernelbenchx.attacks.expected_times import ExpectedTimes
from kernelbenchx.attacks.redteam import TIMEOUT_S, Redteam
from kernelbenchx.attacks.results import RedteamReport
from kernelbenchx.attacks.side_effects import SideEffectMonitor
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
from kernelbenchx.core.performance import Clock, Failed, Performance
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.measure import block_times
from kernelbenchx.runner.levels import Level
from timed_kernels import comparison, timed

HERE = Environment(harness="1", python="3", torch="2", triton="3", machine="Linux")
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
    settings: ResolvedSettings
    isolation: Any = field(default_factory=lambda: SimpleNamespace(level=Level.L2, missing=()))
    zygotes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FakePipeline:
    workers: FakeWorkers
    answer: Callable[[str], Outcome]
    composition: Composition = Composition.PURE
    stage: Stage = Stage.EXE
    times: Callable[[str], Performance | None] = lambda _: None
    timing: Any = None
    environment: Environment = HERE

    @property
    def settings(self) -> ResolvedSettings:
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
            environment=self.environment,
            performance=self.times(submission.name),
        )


@dataclass
class FakeArena:
    found: list[str] = field(default_factory=list)
    known: list[Any] = field(default_factory=list)

    def harm(self, _evaluation: object, known: object) -> list[str]:
        self.known.append(known)
        return self.found


def _redteam(answer: Callable[[str], Outcome], harm: list[str], **more: Any) -> Redteam:
    settings = ResolvedSettings(device="interpreter", checks=False)
    fake: Any = FakePipeline(FakeWorkers(settings), answer, **more)
    return Redteam(fake, cast(SideEffectMonitor, FakeArena(harm)))


def _report(outcome: Outcome, attack: Attack = ATTACK, *harm: str, **more: Any) -> RedteamReport:
    redteam = _redteam(lambda _: outcome, list(harm), **more)
    return redteam.run([attack], [], lambda _: None)


def test_a_report_says_what_it_holds_for() -> None:
    report = _report(FALSE)
    assert (report.environment, report.level, report.checks) == (HERE, "L2", False)
    assert _timing(lambda _: None, checks=True).run([], [], lambda _: None).checks


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


@dataclass
class Watch:
    """Notes what is evaluated; after an attack that is called `poison` canaries are sick."""

    seen: list[str] = field(default_factory=list)
    limits: dict[str, float] = field(default_factory=dict)

    def run(self, attacks: Sequence[Attack], monkeypatch: pytest.MonkeyPatch) -> RedteamReport:
        original = FakePipeline.evaluate

        def evaluate(pipeline: FakePipeline, submission: Submission) -> Evaluation:
            self.seen.append(submission.name)
            self.limits[submission.name] = pipeline.settings.wall_s
            if submission.name == "canary_honest" and "poison" in self.seen:
                submission = structs.replace(submission, name="canary_wrong")
            return original(pipeline, submission)

        monkeypatch.setattr(FakePipeline, "evaluate", evaluate)
        return _redteam(lambda _: FALSE, []).run(attacks, [], lambda _: None)


def _named(*names: str, **changes: Any) -> list[Attack]:
    return [replace(ATTACK, name=name, **changes) for name in names]


def test_canaries_come_after_each_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch()
    names = [f"c2_{number}" for number in range(BATCH + 1)]
    assert watch.run(_named(*names), monkeypatch).held
    assert watch.seen[:BATCH] == names[:BATCH] and watch.seen[BATCH + 2] == names[BATCH]
    assert watch.seen.count("canary_honest") == watch.seen.count("canary_wrong") == 2


def test_sick_canaries_are_a_problem_of_the_whole_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    before = _named(*(f"c2_{number}" for number in range(BATCH)))
    report = Watch().run([*before, *_named("a", "poison", "z")], monkeypatch)
    assert report.stopped == report.attacks[:BATCH]
    assert [one.name for one in report.through] == ["a", "poison", "z"]
    for one in report.through:
        assert one.problems[0].startswith("the next submission was wrong, not correct")
        assert one.problems[0].endswith("try each alone to see after which: a, poison, z")


def test_above_its_level_an_attack_is_tried_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    attacks = [*_named("a"), *_named("poison", level="L3"), *_named("z")]
    watch = Watch()
    report = watch.run(attacks, monkeypatch)
    assert [one.name for one in report.stopped] == ["a"]
    assert [one.name for one in report.beyond] == ["poison"]
    assert watch.seen.count("canary_wrong") == 3


def test_only_who_ends_at_the_time_limit_has_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch()
    watch.run([*_named("waits", times_out=True), *_named("ends")], monkeypatch)
    usual = ResolvedSettings(device="interpreter").wall_s
    assert watch.limits["waits"] == TIMEOUT_S < usual
    assert watch.limits["ends"] == watch.limits["canary_honest"] == usual


@pytest.mark.parametrize("compiles", [True, False])
def test_the_honest_canary_compiles_after_an_attack_that_did(compiles: bool) -> None:
    compiler, compiled = SimpleNamespace(pid=None, served=0), []

    class Pipeline(FakePipeline):
        def evaluate(self, submission: Submission) -> Evaluation:
            compiled.extend([submission.name] if self.settings.compile else [])
            compiler.served += compiles and submission.name == ATTACK.name
            return super().evaluate(submission)

    workers = FakeWorkers(
        ResolvedSettings(device="interpreter", checks=False), zygotes={"compile": compiler}
    )
    fake: Any = Pipeline(workers, lambda _: FALSE)
    assert (
        Redteam(fake, cast(SideEffectMonitor, FakeArena())).run([ATTACK], [], lambda _: None).held
    )
    assert compiled == ["c2_zeros", "canary_honest"][: 1 + compiles]


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


CLOCK_ATTACK = replace(
    ATTACK,
    name="t7_cache",
    ident="T7",
    level="L1",
    no_checks=frozenset({"correct"}),
    composition=Composition.PURE,
    device="cuda",
    times=ExpectedTimes(no_checks=frozenset({"failed"})),
)
CAUGHT = Failed(case="large", reason=Reason.STALE, detail="", trick="kept answers")


def _timing(times: Callable[[str], Performance | None], checks: bool = False) -> Redteam:
    settings = ResolvedSettings(device="cuda", checks=checks, stage=Stage.PERF)
    fake: Any = FakePipeline(FakeWorkers(settings), lambda _: RIGHT, times=times)
    return Redteam(fake, cast(SideEffectMonitor, FakeArena()))


def _timed_report(attack: Attack, times: Callable[[str], Performance | None]) -> RedteamReport:
    return _timing(times).run([attack], [], lambda _: None)


def test_an_attack_on_the_clock_that_is_caught_is_stopped() -> None:
    (result,) = _timed_report(CLOCK_ATTACK, lambda _: CAUGHT).stopped
    assert result.got == "correct" and result.performance == "failed"
    assert result.expected_performance == "failed"
    assert result.stopped_by == "clock: stale: kept answers"


@pytest.mark.parametrize("performance", [timed(), None])
def test_a_time_that_its_file_does_not_allow_is_through(performance: Performance | None) -> None:
    report = _timed_report(CLOCK_ATTACK, lambda _: performance)
    assert [one.name for one in report.through] == ["t7_cache"] and not report.held


def test_a_time_is_compared_with_the_honest_control_which_is_timed_once() -> None:
    attack = replace(CLOCK_ATTACK, times=ExpectedTimes(no_checks=frozenset({"timed"})))
    asked: list[str] = []

    def times(name: str) -> Performance:
        asked.append(name)
        fast = name == "quick"
        return timed(comparison(speedup=2.0, candidate_us=50.0)) if fast else timed()

    report = _timing(times).run([attack, replace(attack, name="quick")], [], lambda _: None)
    assert [one.name for one in report.stopped] == ["t7_cache"]
    assert [one.name for one in report.through] == ["quick"]
    assert asked.count("timing_honest_relu") == 1


def test_a_time_that_nothing_names_is_through_where_its_file_demands_it() -> None:
    (attack,) = [one for one in timing_attacks() if one.name == "t3_patched_clocks"]
    runner: Any = None
    lying = block_times.BlockTimes()
    lying.note_claim(block_times.TimedSide("candidate", 0, runner), Clock.CALL, 40.0, 400.0, of=8)
    flagged = structs.replace(timed().cases[0], flags=tuple(lying.flags()))
    named = structs.replace(timed(), cases=(flagged,))
    assert _timed_report(attack, lambda _: named).held
    (through,) = _timed_report(attack, lambda _: timed()).through
    assert through.problems == (
        "not named by the flag that its file names: timed: replay, 1.00x over eager",
    )


def test_what_an_attack_leaves_behind_shows_in_the_honest_time_after_it() -> None:
    attack = replace(
        CLOCK_ATTACK, times=ExpectedTimes(no_checks=frozenset({"timed", "failed"}), aftermath=True)
    )
    speedups = iter([1.0, 0.5])

    def times(name: str) -> Performance:
        return timed(comparison(speedup=next(speedups) if "honest_relu" in name else 1.0))

    report = _timed_report(attack, times)
    assert "0.50x after it" in report.through[0].problems[0]
    assert _timed_report(attack, lambda _: timed()).held


def test_times_are_not_asked_for_where_verdicts_are_attacked() -> None:
    attack = replace(CLOCK_ATTACK, device="any")
    report = _redteam(lambda _: RIGHT, []).run([attack], [], lambda _: None)
    assert [one.name for one in report.stopped] == ["t7_cache"]


def test_a_control_of_the_clock_must_be_timed() -> None:
    control = Control(
        name="honest", source="", what="A kernel.", task="relu", device="cuda", stage=Stage.PERF
    )
    passed = _timing(lambda _: timed()).run([], [control], lambda _: None)
    assert passed.held and passed.controls[0].performance == "timed"
    assert (passed.controls[0].tier, passed.controls[0].speedup) == ("replay", 1.0)
    for performance in (CAUGHT, None):
        failed = _timing(lambda _: performance).run([], [control], lambda _: None)  # noqa: B023
        assert not failed.held
        assert (failed.controls[0].tier, failed.controls[0].speedup) == ("", None)


def test_a_control_that_the_checks_refuse_is_tried_without_them() -> None:
    control = Control(name="graph", source="", what="A graph.", task="relu", unchecked=True)
    assert _timing(lambda _: timed(), checks=True).run([], [control], lambda _: None).controls == []
    assert _timing(lambda _: timed()).run([], [control], lambda _: None).controls[0].ok


def test_warm_processes_without_a_submission_are_nothing_that_an_attack_left() -> None:
    timing = SimpleNamespace(list_replay_pids=lambda: frozenset({101, 102}))
    redteam = _redteam(lambda _: FALSE, [], timing=timing)
    redteam.pipeline.workers.zygotes["cuda"] = cast(Any, SimpleNamespace(pid=1 << 22, served=0))
    redteam.run([ATTACK], [], lambda _: None)
    assert cast(Any, redteam.arena).known == [{1 << 22: frozenset({101, 102})}]
