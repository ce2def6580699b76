"""Times one case of one submission: prepares runners, samples blocks, judges outputs."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import torch

from kernelbenchx.catalog.arithmetic_intensity import cost_of
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import (
    FELL_BACK,
    Clock,
    Efficiency,
    Failed,
    Gpu,
    Tier,
    TimedCase,
    Unmeasured,
)
from kernelbenchx.measure.block_sampling import Sampling
from kernelbenchx.measure.case_inputs import Block, CaseInputs
from kernelbenchx.measure.case_outputs import CaseOutputs, make_unmeasured
from kernelbenchx.measure.comparisons import (
    choose_first_plan,
    choose_plan,
    compare,
    find_host_wait,
    remarks_on,
)
from kernelbenchx.measure.host_clock import monotonic_ns
from kernelbenchx.measure.host_wait import HostWait
from kernelbenchx.measure.kernel_shares import measure_kernel_shares
from kernelbenchx.measure.output_judging import describe_failure
from kernelbenchx.measure.output_sampling import OutputReservoir, choose_sample_count
from kernelbenchx.measure.roofline import compute_efficiency, explain_impossible, rate_of
from kernelbenchx.measure.runner_client import (
    GONE,
    HUNG,
    SENSELESS,
    RunnerClient,
    RunnerFailed,
    awake,
)
from kernelbenchx.measure.spec_sheets import sheet_of
from kernelbenchx.measure.statistics import Estimate, SamplingPlan, estimate_speedup, next_look
from kernelbenchx.measure.timed_runners import TimedRunners, fill_slots
from kernelbenchx.replay.plan import Replayable, replayable
from kernelbenchx.spec.contract import Rung
from kernelbenchx.worker.timing.clocks import DeviceClock as DeviceClock

OVERHEAD_US = 20.0
"""Below this the host's launch, not the kernel, decides how long a caller waits."""


@dataclass(frozen=True)
class ReplayFailure:
    """Launches could not be replayed after all: other processes have to start over."""

    why: str
    refused: bool = False
    """Refused by a process that was to load them, whose state may be broken."""


@dataclass
class CaseTiming:
    """Everything that is measured of one case."""

    inputs: CaseInputs
    runners: TimedRunners
    card: Gpu
    clock: DeviceClock
    chance: random.Random
    rung: Rung
    now_ns: Callable[[], int] = monotonic_ns
    obstacle: str = ""
    """Why launches were not replayed."""
    _refused: bool = False
    _sampled: Sampling | None = None
    """The sampling, once it has begun."""

    def run(self) -> TimedCase | Failed | Unmeasured | ReplayFailure:
        """Measure and judge; returns times, or the first failure.

        Sampled outputs are judged in any case, also if no memory is left: they could use it up.
        """
        try:
            return self._measure()
        except RuntimeError:  # an error of torch: most others are for lack of memory, too
            self.runners.end_entries()
            torch.cuda.empty_cache()
            wrong = self._find_wrong_answer()
            if wrong is None:
                raise
            return wrong

    def _measure(self) -> TimedCase | Failed | Unmeasured | ReplayFailure:
        name = self.inputs.case.name
        try:
            self._open_baselines()
        except RunnerFailed as failed:
            return make_unmeasured(name, f"a baseline failed: {failed}")
        try:
            plan = self._open_candidates()
            if plan is None and self.runners.replays:
                return ReplayFailure(self.obstacle, self._refused)
            sampling = self._sampled = self._warm_up(plan)
            waits = self._sample(sampling)
        except RunnerFailed as failed:
            ended = self._find_wrong_answer()
            if ended is None and any(one.name == failed.runner for one in self.runners.references):
                return make_unmeasured(name, f"{failed.runner} failed: {failed}")
            return ended or describe_failure(name, failed)
        return self._find_wrong_answer() or self._result(sampling, plan, waits)

    def _find_wrong_answer(self) -> Failed | Unmeasured | None:
        """The failure by a wrong answer among the sampled outputs."""
        if self._sampled is None:
            return None
        self.answers.take(self._sampled.drawing.outputs())
        return self.answers.find_failure(self._sampled.last, self._sampled.noted)

    @cached_property
    def answers(self) -> CaseOutputs:
        """Sampled outputs of the timed calls."""
        of = self.inputs.task, self.inputs.case, self.rung
        return CaseOutputs(*of, self.runners.baselines)

    @cached_property
    def _first(self) -> Block:
        """The block for everything that happens before timing starts."""
        return self.inputs.draw_block(-1)

    def _open_baselines(self) -> None:
        plan = {"op": "load", "plan": {"task": self.inputs.name}}
        for pair in self.runners.baselines.values():
            for runner in pair:
                runner.ask(plan, 60.0)
                runner.open(self.inputs.layout)
                self._fill(runner)
                runner.ask({"op": "tune"}, 300.0)
            said = pair[0].ask({"op": "record", "slot": 0}, 60.0)
            if said.header.get("fell_back"):
                why = str(said.header.get("why", ""))
                self.answers.remarks += [FELL_BACK, *([f"torch.compile: {why}"] if why else [])]

    def _open_candidates(self) -> Replayable | None:
        for runner in self.runners.entries:
            with awake(runner):
                runner.open(self.inputs.layout)
                self._fill(runner)
                runner.ask({"op": "tune"}, 60.0)
        plan = None
        if self.runners.replays:
            with awake(self.runners.entries[0]):
                plan, self.obstacle = self._record_plan(self.runners.entries[0])
        if plan is None or not self._load_replays(plan):
            return None
        for runner in self.runners.replays:
            runner.open(self.inputs.layout)
            self._fill(runner)
        return plan

    def _load_replays(self, plan: Replayable) -> bool:
        """Load the binaries; one that a driver refuses without its Python is host-timed."""
        try:
            for runner in self.runners.replays:
                runner.ask({"op": "load", "plan": {}}, 20.0, plan.to_bytes())
        except RunnerFailed as failed:
            if failed.kind in (GONE, HUNG, SENSELESS):
                raise
            self._refused = True
            self.obstacle = f"cannot be loaded apart from its Python: {failed.message}"[:200]
            return False
        return True

    def _fill(self, runner: RunnerClient) -> None:
        fill_slots(runner, self._first, self.clock)

    def _record_plan(self, runner: RunnerClient) -> tuple[Replayable | None, str]:
        """Record twice, on other values: launches that depend on values cannot be replayed."""
        if self.inputs.task.randomness != "none":  # both would draw the same numbers
            return None, "draws random numbers"
        answers = [runner.ask({"op": "record", "slot": slot}, 20.0).body for slot in (0, 1)]
        return replayable(answers[0], answers[1], self.inputs.layout)

    def _warm_up(self, plan: Replayable | None) -> Sampling:
        """Warm up with as many slots as the candidate's speed asks for. Host-timed, its speed is
        known well enough to add slots only when all processes are warm."""
        if plan is not None and self.inputs.may_be_shorter:
            self._resize(self.inputs.shorter(self._replay_s()))
        sampling = self._sampling(plan)
        sampling.warm(self._first)
        longer = self.inputs.longer(sampling.quickest_s)
        if longer is None:
            return sampling
        del sampling  # frees what it holds on the GPU
        self._resize(longer)
        return self._warm_up(plan)

    def _replay_s(self) -> float:
        """Approximate time of one replayed call: each try makes two, and the first try binds
        all."""
        found = []
        for _ in range(3):
            began = self.now_ns()
            self.runners.replays[0].run("call", 60.0, count=1)
            found.append((self.now_ns() - began) / 2e9)
        return min(found)

    def _resize(self, inputs: CaseInputs | None) -> None:
        if inputs is not None:
            self.inputs = inputs
            self.__dict__.pop("_first", None)
            self.runners.resize(inputs.layout, self._first, self.clock)

    def _sampling(self, plan: Replayable | None) -> Sampling:
        devices, calls = self.runners.sides(replayed=plan is not None)
        how = "batch"
        if plan is not None:
            answers = [side.runner.ask({"op": "capture"}, 60.0).header for side in devices]
            how = "graph" if all(answer.get("graph") for answer in answers) else "queued"
        return Sampling(
            inputs=self.inputs,
            clock=self.clock,
            chance=self.chance,
            drawing=OutputReservoir(choose_sample_count(self.inputs.layout.stride), self.chance),
            how=how,
            device_sides=devices,
            call_sides=calls,
            now_ns=self.now_ns,
        )

    def _sample(self, sampling: Sampling) -> HostWait:
        """Blocks up to the look at which every comparison is known.

        Whether the GPU waits for the host is known after some blocks only. If that asks for more,
        they follow.
        """
        before = choose_first_plan(sampling.how, self.obstacle)
        done = self._sample_by(before, sampling, 0)
        kind, pair = next(iter(self.runners.baselines.items()))
        waits = find_host_wait(sampling, kind, pair[0], self._first, self.obstacle)
        after = choose_plan(sampling.how, waits=waits)
        if after != before:
            self._sample_by(after, sampling, done)
        return waits

    def _sample_by(self, plan: SamplingPlan, sampling: Sampling, done: int) -> int:
        """From so many blocks to as many as the plan wants."""
        while (
            wanted := next_look(self._find_least_known(plan, sampling) if done else None, plan)
        ) is not None:
            special = self.chance.randrange(done, wanted)
            for number in range(done, wanted):
                if number == special and self.inputs.task.contract.calls > 1:
                    for group in sampling.measure_repeated(-100 - number):
                        self.answers.groups.append(group)
                sampling.measure(number)
            done = wanted
        return done

    def _find_least_known(self, plan: SamplingPlan, sampling: Sampling) -> Estimate:
        """The baseline whose comparison is known least well, if one is not known well enough."""
        samples = [sampling.times.samples(kind, Clock.DEVICE) for kind in self.runners.baselines]
        return min((estimate_speedup(one, plan) for one in samples), key=lambda one: one.final)

    def _result(
        self, sampling: Sampling, plan: Replayable | None, waits: HostWait
    ) -> TimedCase | Unmeasured:
        tier = Tier.HOST_TIMED if plan is None else Tier.REPLAY
        comparisons = [
            compare(sampling, kind, clock, tier, waits)
            for kind in self.runners.baselines
            if kind not in self.answers.dropped
            for clock in Clock
        ]
        headline = comparisons[0]
        found = self._efficiency(headline.candidate_us)
        timed = TimedCase(
            case=self.inputs.case.name,
            overhead_bound=waits.bound
            or min(headline.candidate_us, headline.baseline_us) < OVERHEAD_US,
            comparisons=tuple(comparisons),
            efficiency=found,
            judged_outputs=self.answers.of_submission,
            flags=(
                *self.answers.remarks,
                *sampling.times.flags(),
                *remarks_on(comparisons, choose_plan(sampling.how, waits=waits), waits),
            ),
            waits_for_host=waits.within,
            kernel_shares=measure_kernel_shares(
                self.runners.replays, plan.plan if plan else None, self._fill
            ),
        )
        too_fast = explain_impossible(headline.candidate_us * 1e-6, found.roofline_us)
        reason = Reason.IMPOSSIBLE if too_fast else Reason.DISTURBED
        why = too_fast or sampling.quiet.disturbed
        void = Unmeasured(reason=reason, detail=why, case=timed.case, cases=(timed,))
        return void if why else timed

    def _efficiency(self, candidate_us: float) -> Efficiency:
        task, case = self.inputs.task, self.inputs.case
        rate = rate_of(self.inputs.name, task, self._first.calls[0])
        return compute_efficiency(
            cost_of(task, case.params),
            candidate_us * 1e-6,
            rate,
            self.card,
            sheet_of(self.card.name),
            sets=self.inputs.layout.slots,
        )
