"""One timing case of one submission: runners made ready, blocks until enough is known, outputs
judged."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import (
    COMPILED_WRONG,
    FELL_BACK,
    Card,
    Clock,
    Comparison,
    Efficiency,
    Failed,
    Part,
    Tier,
    TimedCase,
    Unmeasured,
)
from kernelbenchx.measure.blocks import Block, Inputs
from kernelbenchx.measure.judging import Drawing, Taken, failure, judged
from kernelbenchx.measure.parts import where_time_goes
from kernelbenchx.measure.roofline import efficiency, impossible, rate_of
from kernelbenchx.measure.runners import Runner, RunnerFailed, awake
from kernelbenchx.measure.sampling import CALL_BLOCKS, Sampling, Side
from kernelbenchx.measure.spec_sheets import sheet_of
from kernelbenchx.measure.statistics import (
    PLANS,
    QUEUED,
    WALL,
    WALL_WAITING,
    Plan,
    measured,
    next_look,
    typical_us,
)
from kernelbenchx.measure.waiting import NEVER, Waiting, waiting
from kernelbenchx.measure.walls import monotonic_ns
from kernelbenchx.replay.plan import Replayable, replayable
from kernelbenchx.spec.contract import Rung
from kernelbenchx.worker.timing.clocks import Clock as DeviceClock
from kernelbenchx.worker.timing.operators import READS

OVERHEAD_US = 20.0
"""Below this the host's launch, not the kernel, decides how long a caller waits."""
JUDGED = 2
"""Outputs of each process that are compared with the truth."""


@dataclass(frozen=True)
class Crew:
    """The processes around one submission; the lists are of pairs."""

    entries: Sequence[Runner]
    replays: Sequence[Runner]
    baselines: dict[str, Sequence[Runner]]


@dataclass
class CaseTiming:
    """Everything that is measured of one case."""

    inputs: Inputs
    crew: Crew
    card: Card
    clock: DeviceClock
    chance: random.Random
    rung: Rung
    now_ns: Callable[[], int] = monotonic_ns
    obstacle: str = ""
    """Why launches were not replayed."""
    remarks: list[str] = field(default_factory=list)
    """What is to be known of baselines."""
    dropped: set[str] = field(default_factory=set)
    """Baselines that computed something else."""

    def run(self) -> TimedCase | Failed | Unmeasured:
        """Measured and judged, or the first thing that went wrong."""
        name = self.inputs.case.name
        try:
            self._open_baselines()
        except RunnerFailed as failed:
            return _ours(name, f"a baseline failed: {failed}")
        try:
            plan = self._open_candidates()
            sampling = self._sampling(plan)
            sampling.warm(self._first)
            groups = self._sample(sampling)
        except RunnerFailed as failed:
            if any(one.name == failed.runner for one in self._references()):
                return _ours(name, f"{failed.runner} failed: {failed}")
            return failure(name, failed)
        for group in groups:
            wrong = judged(self.inputs.task, self.inputs.case, group, self.rung)
            ended = None if wrong is None else self._whose(wrong, group[0].runner)
            if ended is not None:
                return ended
        return self._result(sampling, plan, len(groups))

    @cached_property
    def _first(self) -> Block:
        """For everything that happens before the clocks run."""
        return self.inputs.block(-1)

    def _references(self) -> list[Runner]:
        return [runner for pair in self.crew.baselines.values() for runner in pair]

    def _whose(self, wrong: Failed, runner: str) -> Failed | Unmeasured | None:
        """A baseline that is wrong is none: no times without the first; another is left out."""
        for number, (kind, pair) in enumerate(self.crew.baselines.items()):
            if all(one.name != runner for one in pair):
                continue
            if number == 0:
                return _ours(wrong.case, f"{runner} gave a wrong answer: {wrong.detail}")
            if kind not in self.dropped:
                self.dropped.add(kind)
                self.remarks.append(f"{COMPILED_WRONG}: {wrong.detail}"[:300])
            return None
        return wrong

    def _open_baselines(self) -> None:
        plan = {"op": "load", "plan": {"task": self.inputs.name}}
        for pair in self.crew.baselines.values():
            for runner in pair:
                runner.ask(plan, 60.0)
                runner.open(self.inputs.layout)
                self._fill(runner)
                runner.ask({"op": "tune"}, 300.0)
            said = pair[0].ask({"op": "record", "slot": 0}, 60.0)
            if said.header.get("fell_back"):
                why = str(said.header.get("why", ""))
                self.remarks += [FELL_BACK, *([f"torch.compile: {why}"] if why else [])]

    def _open_candidates(self) -> Replayable | None:
        for runner in self.crew.entries:
            with awake(runner):
                runner.open(self.inputs.layout)
                self._fill(runner)
                runner.ask({"op": "tune"}, 60.0)
        plan = None
        if self.crew.replays:
            with awake(self.crew.entries[0]):
                plan, self.obstacle = self._recorded(self.crew.entries[0])
        for runner in self.crew.replays if plan is not None else ():
            assert plan is not None
            runner.ask({"op": "load", "plan": {}}, 20.0, plan.packed())
            runner.open(self.inputs.layout)
            self._fill(runner)
        return plan

    def _fill(self, runner: Runner) -> None:
        for slot, storages in enumerate(self._first.storages):
            runner.fill(slot, storages)
        self.clock.synchronise()

    def _recorded(self, runner: Runner) -> tuple[Replayable | None, str]:
        """Twice, on other values: launches that depend on values cannot be replayed."""
        answers = [
            runner.ask({"op": "record", "slot": slot % self.inputs.layout.slots}, 20.0).body
            for slot in (0, 1)
        ]
        return replayable(answers[0], answers[1], self.inputs.layout)

    def _sampling(self, plan: Replayable | None) -> Sampling:
        crew = self.crew
        measured = crew.replays if plan is not None else crew.entries
        baselines = [
            Side(kind, pair, runner)
            for kind, pair_of in crew.baselines.items()
            for pair, runner in enumerate(pair_of)
        ]
        calls = [Side("candidate", pair, _nth(crew.entries, pair)) for pair in (0, 1)] + baselines
        devices = [Side("candidate", pair, _nth(measured, pair)) for pair in (0, 1)] + baselines
        how = "batch"
        if plan is not None:
            answers = [side.runner.ask({"op": "capture"}, 60.0).header for side in devices]
            how = "graph" if all(answer.get("graph") for answer in answers) else "queued"
        most = JUDGED if self.inputs.task.contract.calls == 1 else 0
        return Sampling(
            inputs=self.inputs,
            clock=self.clock,
            chance=self.chance,
            drawing=Drawing(most, self.chance),
            how=how,
            device_sides=devices,
            call_sides=calls,
            now_ns=self.now_ns,
        )

    def _sample(self, sampling: Sampling) -> list[list[Taken]]:
        """Blocks up to the look at which every comparison is known; the outputs to be judged."""
        groups: list[list[Taken]] = []
        plan = _plan(sampling)
        done, wanted = 0, next_look(None, plan)
        special = self.chance.randrange(CALL_BLOCKS)
        while wanted is not None:
            for number in range(done, wanted):
                if number == special and self.inputs.task.contract.calls > 1:
                    groups += sampling.measure_repeated(-100).values()
                sampling.measure(number)
            done = wanted
            samples = [sampling.times.samples(kind, Clock.DEVICE) for kind in self.crew.baselines]
            found = [measured(one, plan) for one in samples]
            least = min(found, key=lambda one: one.final)
            wanted = next_look(least, plan)
        groups += [[taken] for kept in sampling.drawing.kept.values() for taken in kept]
        return groups

    def _result(
        self, sampling: Sampling, plan: Replayable | None, judged_outputs: int
    ) -> TimedCase | Unmeasured:
        tier = Tier.WALL if plan is None else Tier.REPLAY
        waits = self._waiting(sampling)
        comparisons = [
            self._comparison(sampling, kind, clock, tier, waits)
            for kind in self.crew.baselines
            if kind not in self.dropped
            for clock in Clock
        ]
        headline = comparisons[0]
        found = self._efficiency(headline.candidate_us)
        why = impossible(headline.candidate_us * 1e-6, found.limit_us)
        if why:
            return Unmeasured(reason=Reason.IMPOSSIBLE, detail=why, case=self.inputs.case.name)
        return TimedCase(
            case=self.inputs.case.name,
            overhead_bound=waits.bound
            or min(headline.candidate_us, headline.baseline_us) < OVERHEAD_US,
            comparisons=tuple(comparisons),
            efficiency=found,
            judged=judged_outputs,
            flags=(*self.remarks, *sampling.times.flags(self.inputs.layout.slots)),
            waits=waits.within,
            parts=() if plan is None else self._parts(plan),
        )

    def _parts(self, plan: Replayable) -> tuple[Part, ...]:
        runner = self.crew.replays[0]
        return where_time_goes(runner, plan.plan, lambda: self._fill(runner))

    def _waiting(self, sampling: Sampling) -> Waiting:
        """By the first baseline; a candidate can say of itself that it waits, too."""
        if sampling.how != "batch":
            return replace(NEVER, within=sampling.how == "queued")
        kind, pair = next(iter(self.crew.baselines.items()))
        times_us = [one.baseline_us for one in sampling.times.samples(kind, Clock.DEVICE)]
        found = waiting(pair[0], self._first, typical_us(times_us, WALL))
        return replace(found, within=found.within or self.obstacle == READS)

    def _comparison(
        self, sampling: Sampling, kind: str, clock: Clock, tier: Tier, waits: Waiting
    ) -> Comparison:
        samples, plan = sampling.times.samples(kind, clock), _plan(sampling, clock, waits)
        found = measured(samples, plan)
        return Comparison(
            baseline=kind,
            clock=clock,
            tier=tier if clock is Clock.DEVICE else Tier.WALL,
            candidate_us=typical_us([one.candidate_us for one in samples], plan),
            baseline_us=typical_us([one.baseline_us for one in samples], plan),
            speedup=found.speedup,
            low=found.low,
            high=found.high,
            pace=found.pace,
            samples=samples,
        )

    def _efficiency(self, candidate_us: float) -> Efficiency:
        task, case = self.inputs.task, self.inputs.case
        rate = rate_of(task, self._first.calls[0])
        return efficiency(
            task.cost(**case.params),
            candidate_us * 1e-6,
            rate,
            self.card,
            sheet_of(self.card.name),
            sets=self.inputs.layout.slots,
        )


def _plan(sampling: Sampling, clock: Clock = Clock.DEVICE, waits: Waiting = NEVER) -> Plan:
    if clock is Clock.CALL or sampling.how == "graph":
        return PLANS[clock]
    if sampling.how == "queued":
        return QUEUED
    return WALL_WAITING if waits.within else WALL


def _ours(case: str, detail: str) -> Unmeasured:
    return Unmeasured(reason=Reason.EVALUATOR, detail=detail[:1000], case=case)


def _nth(runners: Sequence[Runner], number: int) -> Runner:
    return runners[number] if number < len(runners) else runners[0]
