"""Runs attacks and controls through the real pipeline and says what stopped what."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from kernelbenchx import catalog
from kernelbenchx.attacks import time_checks
from kernelbenchx.attacks.attack import Attack, Control, yardstick
from kernelbenchx.attacks.batches import batches, contains, tried_controls
from kernelbenchx.attacks.canaries import HONEST, WRONG
from kernelbenchx.attacks.results import RedteamReport, Result
from kernelbenchx.attacks.side_effects import SideEffectMonitor, running
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Correct, Rejected, Stage, Void, Wrong
from kernelbenchx.core.performance import Performance, Timed
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline

TIMEOUT_S = 3.0
"""The time limit of attacks that end only there; all others have the limit of the settings."""


@dataclass(frozen=True)
class Redteam:
    """One run against one installation."""

    pipeline: Pipeline
    arena: SideEffectMonitor
    honest: dict[str, Timed | None] = field(default_factory=dict)
    """By task: how the honest control was timed, measured when it is first needed."""

    def run(
        self,
        attacks: Sequence[Attack],
        controls: Sequence[Control],
        tell: Callable[[Result], None],
    ) -> RedteamReport:
        """Attacks one after another, canaries after each batch that ran; then the controls."""
        isolation, settings = self.pipeline.workers.isolation, self.pipeline.settings
        report = RedteamReport(
            level=isolation.level.value,
            missing=isolation.missing,
            environment=self.pipeline.environment,
            checks=settings.checks,
        )
        for batch in batches(attacks, settings.device, isolation.level.value):
            for result in self.attack(batch):
                report.attacks.append(result)
                tell(result)
        for control in tried_controls(controls, settings):
            report.controls.append(self.control(control))
            tell(report.controls[-1])
        return report

    def attack(self, batch: Sequence[Attack]) -> list[Result]:
        """Each of the batch, then canaries: those that ran share what happens to these."""
        compiled = self._count_compilations()
        tried = [self._try_attack(attack) for attack in batch]
        ran = [result.name for result, has_run in tried if has_run]
        sick = self._canaries(compiling=self._count_compilations() > compiled) if ran else []
        if len(ran) > 1:
            sick = [f"{one}; try each alone to see after which: {', '.join(ran)}" for one in sick]
        return [_with_problems(result, sick if has_run else []) for result, has_run in tried]

    def _contains(self, attack: Attack) -> bool:
        return contains(self.pipeline.workers.isolation.level.value, attack)

    def _try_attack(self, attack: Attack) -> tuple[Result, bool]:
        """One attack, and whether anything of it ran."""
        contained = self._contains(attack)
        checks = self.pipeline.settings.checks
        if attack.dangerous and not contained and not checks:
            return _result(attack, got="", by="not tried", contained=False, checks=checks), False
        before = running(self._parents())
        # An attack that ends only at the time limit has a short one, on a busy machine too.
        judge = self._with(wall_s=TIMEOUT_S) if attack.times_out else self.pipeline
        evaluation, problem = _evaluate_source(judge, attack.name, attack.task, attack.source)
        problems = [problem] if problem else []
        if evaluation is not None:
            problems += _list_unearned(attack, evaluation, checks=checks)
            problems += self._unearned_time(attack, evaluation)
        ours = self._replaying()
        known = {parent: children | ours for parent, children in before.items()}
        problems += self.arena.harm(evaluation, known)
        problems += self._aftermath(attack)
        got = _kind(evaluation) if evaluation is not None else "a failure of the judge"
        by = _stopped_by(evaluation) if evaluation is not None else ""
        result = _result(
            attack, got=got, by=by, contained=contained, checks=checks, problems=problems
        )
        performance = time_checks.times_of(evaluation) if evaluation is not None else None
        return _with_times(result, performance), evaluation is None or evaluation.ran

    def control(self, control: Control) -> Result:
        """An honest submission must be correct and have the composition that it states."""
        evaluation, problem = _evaluate_source(
            self.pipeline, control.name, control.task, control.source
        )
        problems, got = [problem] if problem else [], "a failure of the judge"
        if evaluation is not None:
            got = _kind(evaluation)
            if got != "correct" or evaluation.composition is not control.composition:
                problems.append(f"{got}, {evaluation.composition}: {_stopped_by(evaluation)}")
            elif evaluation.weights != control.weights:
                problems.append(f"weights by {evaluation.weights!r}, not {control.weights!r}")
            elif self._is_timing:
                problems += time_checks.explain_missing_time(time_checks.times_of(evaluation))
        performance = time_checks.times_of(evaluation) if evaluation is not None else None
        result = Result(
            name=control.name,
            ident="",
            what=control.what,
            expected=f"correct, {control.composition}",
            got=got,
            stopped_by="",
            level="",
            ok=not problems,
            contained=True,
            problems=tuple(problems),
            expected_performance="timed" if self._is_timing else "",
        )
        return _with_times(result, performance)

    @property
    def _is_timing(self) -> bool:
        return self.pipeline.settings.stage is Stage.PERF

    def _unearned_time(self, attack: Attack, evaluation: Evaluation) -> list[str]:
        """What the times of a correct attack are worth beside an honest kernel's."""
        if not self._is_timing or attack.times is None or _kind(evaluation) != "correct":
            return []
        timed = isinstance(time_checks.times_of(evaluation), Timed)
        return time_checks.list_unearned(
            attack.times,
            time_checks.times_of(evaluation),
            checks=self.pipeline.settings.checks,
            honest=self._honest_time(attack.task) if timed else None,
        )

    def _aftermath(self, attack: Attack) -> list[str]:
        """An honest kernel is as fast after the attack as it was before."""
        if not self._is_timing or attack.times is None or not attack.times.aftermath:
            return []
        return time_checks.compare_honest(
            self._honest_time(attack.task), self._time_of(attack.task)
        )

    def _honest_time(self, task: str) -> Timed | None:
        if task not in self.honest:
            self.honest[task] = self._time_of(task)
        return self.honest[task]

    def _time_of(self, task: str) -> Timed | None:
        control = yardstick(task)
        evaluation, _ = _evaluate_source(self.pipeline, control.name, task, control.source)
        performance = time_checks.times_of(evaluation) if evaluation is not None else None
        return performance if isinstance(performance, Timed) else None

    def _parents(self) -> list[int]:
        zygotes = self.pipeline.workers.zygotes.values()
        return [zygote.pid for zygote in zygotes if zygote.pid is not None]

    def _replaying(self) -> frozenset[int]:
        """Warm processes with no submission in them: they stay for the next one."""
        timing = self.pipeline.timing
        return frozenset() if timing is None else timing.list_replay_pids()

    def _count_compilations(self) -> int:
        """How often the compiling worker was used."""
        zygote = self.pipeline.workers.zygotes.get("compile")
        return zygote.served if zygote is not None else 0

    def _with(self, **changes: Any) -> Pipeline:
        """The same workers under other settings."""
        workers = self.pipeline.workers
        settings = msgspec.structs.replace(workers.settings, **changes)
        return replace(self.pipeline, workers=replace(workers, settings=settings))

    def _canaries(self, *, compiling: bool) -> list[str]:
        """An honest and a wrong submission, judged by the workers that the attacks have used.

        What compiles decides nothing about values: only the honest one has to get past it.
        """
        judge = self._with(compile=False, stage=Stage.EXE)
        compiler = self._with(compile=compiling, stage=Stage.EXE)
        with ThreadPoolExecutor(2) as pool:
            honest = pool.submit(_evaluate_source, compiler, "canary_honest", "relu", HONEST)
            wrong = pool.submit(_evaluate_source, judge, "canary_wrong", "relu", WRONG)
            pairs = (("correct", honest.result()), ("wrong", wrong.result()))
        problems = []
        for expected, (evaluation, problem) in pairs:
            got = problem or (_kind(evaluation) if evaluation else "nothing")
            if got != expected:
                said = _stopped_by(evaluation) if evaluation else ""
                problems.append(f"the next submission was {got}, not {expected} ({said})")
        return problems


def _evaluate_source(
    judge: Pipeline, name: str, task: str, source: str
) -> tuple[Evaluation | None, str]:
    """The evaluation as it is after it was stored and read back, or why there is none."""
    submission = Submission(name=name, task=catalog.select(task)[0], source=source)
    try:
        return from_json(to_json(judge.evaluate(submission)), Evaluation), ""
    except Exception as error:  # noqa: BLE001 - whatever an attack makes the judge do is the result
        return None, f"the judge failed: {type(error).__name__}: {str(error)[:200]}"


def _result(
    attack: Attack,
    *,
    got: str,
    by: str,
    contained: bool,
    checks: bool,
    problems: Sequence[str] = (),
) -> Result:
    return Result(
        name=attack.name,
        ident=attack.ident,
        what=attack.what,
        expected="|".join(sorted(attack.allowed_outcomes(checks=checks))),
        got=got,
        stopped_by=by,
        level=attack.level,
        ok=not problems,
        contained=contained,
        problems=tuple(problems),
        expected_performance=_times(attack, checks=checks),
    )


def _with_problems(result: Result, problems: Sequence[str]) -> Result:
    found = (*result.problems, *problems)
    return replace(result, ok=not found, problems=found)


def _with_times(result: Result, performance: Performance | None) -> Result:
    return replace(
        result,
        performance=time_checks.kind_of(performance),
        tier=performance.tier.value if isinstance(performance, Timed) else "",
        speedup=time_checks.speedup_of(performance),
    )


def _times(attack: Attack, *, checks: bool) -> str:
    return (
        "|".join(sorted(attack.times.allowed_performances(checks=checks))) if attack.times else ""
    )


def _list_unearned(attack: Attack, evaluation: Evaluation, *, checks: bool) -> list[str]:
    got = _kind(evaluation)
    if got not in attack.allowed_outcomes(checks=checks):
        return [f"{got}: {_stopped_by(evaluation)}"]
    if got == "correct" and evaluation.composition is not attack.composition:
        return [f"correct and {evaluation.composition}, not {attack.composition}"]
    return []


def _kind(evaluation: Evaluation) -> str:
    return type(evaluation.outcome).__name__.lower()


def _stopped_by(evaluation: Evaluation) -> str:
    """The rule, limit or reason that ended it."""
    outcome = evaluation.outcome
    if isinstance(outcome, Rejected):
        first = outcome.findings[0]
        who = "the trace" if first.rule == "authorship" else f"check `{first.rule}`"
        return f"{who}: {first.why}"
    if isinstance(outcome, Broken):
        return f"worker: {outcome.reason}: {' '.join(outcome.detail.split())[:160]}"
    if isinstance(outcome, Wrong):
        return f"judge: {outcome.reason}: {outcome.detail[:160]}"
    if isinstance(outcome, Void):
        return f"void: {outcome.detail[:160]}"
    assert isinstance(outcome, Correct)
    if (performance := time_checks.times_of(evaluation)) is not None:
        return time_checks.said_of(performance)
    return f"reported as {evaluation.composition}, counted apart"
