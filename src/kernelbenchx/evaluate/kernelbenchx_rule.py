"""KernelBench-X's own rule: the published test of a task, run with the submission and compared.

The submission runs the test in the sandbox and returns bytes; its reference runs in a trusted
process on the same device. Both draw the inputs from the same seeds, as published.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock

import msgspec

from kernelbenchx.catalog.call_stage import call_stage_problem
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.published_tests import (
    PublishedTest,
    is_infeasible,
    published_test,
    why_honest_kernels_fail,
)
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Broken, Reason, Stage, Void
from kernelbenchx.core.rules import KernelBenchXRule
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.calls import one_per_dtype
from kernelbenchx.evaluate.compile_kernels import compile_kernels
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.gpu_health import (
    is_gpu_working_alone,
    may_be_caused_by_others,
    may_be_gpu_fault,
)
from kernelbenchx.evaluate.gpu_slots import GpuSlot
from kernelbenchx.evaluate.process_slots import ProcessSlots
from kernelbenchx.evaluate.stages import judge_exception
from kernelbenchx.evaluate.workers import WorkerRun, Workers
from kernelbenchx.judge.published_comparison import compare_results
from kernelbenchx.measure.output_judging import SENSELESS_ANSWER
from kernelbenchx.measure.published_reference import NoReference, ReferenceProcess
from kernelbenchx.runner.endings import classify_ending
from kernelbenchx.runner.orders import CallPlan, PlannedCall, parse_report
from kernelbenchx.runner.sanitize import printable
from kernelbenchx.runner.scratch import Scratch, read_result
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.outputs import CallResult

NO_TEST = "the papers have no test of this task"
NOT_PYTHON = "the published harness takes Python sources alone"
_MOST_BYTES = 1 << 30
_KEPT_BYTES = 1 << 30
"""Bytes of reference results kept for further submissions."""
_NOTHING = (PlannedCall(Call(args=()), ()),)
"""Stands for the one call of a published test: a result reports calls."""


@dataclass
class PublishedReferences:
    """Results of references by task and device, computed when they are first needed."""

    _processes: dict[str, ReferenceProcess] = field(default_factory=dict)
    _kept: dict[tuple[str, str], tuple[CallResult, int]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def results(self, task: str, device: str) -> CallResult:
        """What the published test gives with eager torch on that device."""
        with self._lock:
            if (task, device) not in self._kept:
                self._keep((task, device), *self._compute(task, device))
            return self._kept[task, device][0]

    def close(self) -> None:
        """End the processes."""
        for one in self._processes.values():
            one.close()

    def _compute(self, task: str, device: str) -> tuple[CallResult, int]:
        process = self._processes.setdefault(device, ReferenceProcess(device))
        with Scratch() as scratch:
            path = scratch.result("reference")
            process.write(task, path)
            data = read_result(path, limit_bytes=_MOST_BYTES)
        return parse_report(data, _plan("", (), device), [[]]).returned[0], len(data)

    def _keep(self, key: tuple[str, str], found: CallResult, size: int) -> None:
        while self._kept and sum(one for _, one in self._kept.values()) + size > _KEPT_BYTES:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = found, size


@dataclass(frozen=True)
class KernelBenchXStage:
    """Judges one submission at a time per thread."""

    workers: Workers
    references: PublishedReferences
    seed: int
    """The seed of the run."""
    process_slots: ProcessSlots = field(default_factory=ProcessSlots)

    def run(
        self, submission: Submission, card: GpuSlot | None, tell: Callable[[str], None]
    ) -> KernelBenchXRule:
        """Run the published test and compare; without a GPU the kernels are interpreted."""
        test = published_test(submission.task)
        if test is None or submission.language != "triton":
            why = NO_TEST if test is None else NOT_PYTHON
            return KernelBenchXRule(reason=Reason.UNSUPPORTED, detail=why)
        found = self._judge(submission, test, card, tell)
        where = {"provisional": card is None, "infeasible": _infeasible(submission.task)}
        return msgspec.structs.replace(found, **where)

    def _judge(
        self,
        submission: Submission,
        test: PublishedTest,
        card: GpuSlot | None,
        tell: Callable[[str], None],
    ) -> KernelBenchXRule:
        refused = call_stage_problem(submission.source, submission.task)
        if refused is not None:
            return _fail_call(Reason.LOAD_ERROR, refused)
        tell("calling")
        device = "cpu" if card is None else card.device
        known = {"program": test.program, "calls": test.calls, "needs": list(test.needs)}
        plan = replace(_plan(submission.source, (test.calls,), device), published_test=known)
        run = self._run(plan, "interpret") if card is None else self._run_on_gpu(card, plan, tell)
        ended = _describe_ending(run)
        if ended is not None:
            return _judge_ending(ended, run, provisional=card is None)
        if card is None and (refused := self._find_compile_error(submission, run)):
            return _fail_call(Reason.COMPILE_ERROR, refused)
        tell("judging")
        return self._compare(submission.task, test, run.report.returned[0], card)

    def _find_compile_error(self, submission: Submission, run: WorkerRun) -> str:
        """The compiler's error for a kernel that the interpreter ran; empty if it compiles."""
        if not self.workers.settings.compile:
            return ""
        known = facts(submission.task)
        attempt = EvaluationState(submission, known, accepted_entries(known))
        one_call = one_per_dtype(submission.task, self.seed, most=1)
        found = compile_kernels(attempt, self.workers, run.report, one_call, self.seed)
        failures = [one.detail for one in found.values() if isinstance(one, Broken)]
        return failures[0] if failures else ""

    def _compare(
        self, task: str, test: PublishedTest, found: CallResult, card: GpuSlot | None
    ) -> KernelBenchXRule:
        try:
            if card is None:
                wanted = self.references.results(task, "cpu")
            else:
                with card.gate.acquire_shared():
                    wanted = self.references.results(task, card.device)
        except NoReference as error:
            return KernelBenchXRule(called=True, reason=Reason.PROBLEM, detail=str(error)[:300])
        on_gpu = card is not None
        try:
            differs = compare_results(
                found.result,
                wanted.result,
                test.thresholds,
                devices=found.devices if on_gpu else None,
                expected_devices=wanted.devices if on_gpu else None,
            )
        except SENSELESS_ANSWER as error:  # of the submission: the reference compares with itself
            why = f"the results cannot be compared: {printable(str(error)[:200])}"
            return KernelBenchXRule(called=True, correct=False, reason=Reason.MALFORMED, detail=why)
        if differs is None:
            return KernelBenchXRule(called=True, correct=True)
        return KernelBenchXRule(
            called=True,
            correct=False,
            key=differs.key,
            tolerance=differs.tolerance,
            reason=Reason.BAD_VALUES,
            detail=differs.what[:300],
        )

    def _run_on_gpu(self, card: GpuSlot, plan: CallPlan, tell: Callable[[str], None]) -> WorkerRun:
        """Retry with the GPU to itself if other processes may be why it failed."""
        tell("waiting")
        with card.gate.acquire_shared():
            tell("calling")
            run = self._run(plan, "cuda")
        ended = _describe_ending(run)
        if may_be_caused_by_others(ended):
            tell("waiting")
            with self.process_slots.take_alone(), card.gate.acquire_exclusive():
                return self._run(plan, "cuda")
        if may_be_gpu_fault(ended) and not is_gpu_working_alone(
            self.workers, card, self.process_slots
        ):
            raise EvaluatorFault(f"{card.device} does not work: {ended.detail if ended else ''}")
        return run

    def _run(self, plan: CallPlan, kind: str) -> WorkerRun:
        """Run within the limits of calls; results have the published sizes."""
        most = max(_MOST_BYTES, self.workers.settings.output_bytes)
        settings = msgspec.structs.replace(self.workers.settings, output_bytes=most)
        workers = replace(self.workers, settings=settings, turn=None)
        compiling = settings.compile_time_limit_s if kind == "cuda" else 0.0
        return workers.run(plan, settings.wall_s + compiling, kind=kind)


def _infeasible(task: str) -> str:
    reason = why_honest_kernels_fail(task)
    return reason.why if reason is not None and is_infeasible(task) else ""


def _plan(source: str, entries: tuple[str, ...], device: str) -> CallPlan:
    return CallPlan(
        mode="published_test",
        source=source,
        entries=entries,
        form="function",
        language="triton",
        seed=0,
        calls=_NOTHING,
        device=device,
    )


def _describe_ending(run: WorkerRun) -> Broken | Void | None:
    """Why there are no results to compare; None if there are."""
    if run.report.errors:
        return judge_exception(run.report.errors[0], ())
    if not run.ending.clean:
        return classify_ending(run.ending, Stage.CALL)
    if run.report.done and 0 in run.report.returned:
        return None
    said = run.report.malformed or "the process ended before the test did"
    return Broken(stage=Stage.CALL, reason=Reason.MALFORMED, detail=said)


def _judge_ending(ended: Broken | Void, run: WorkerRun, *, provisional: bool) -> KernelBenchXRule:
    """The interpreter is orders of magnitude slower than a GPU: what it does not finish is
    unknown."""
    key = run.report.errors[0].key if run.report.errors else ""
    slow = provisional and run.ending.over in ("wall", "cpu", "programs")
    if isinstance(ended, Void) or slow:
        reason = Reason.TOO_SLOW if slow else ended.reason
        return KernelBenchXRule(reason=reason, key=key, detail=ended.detail[:300])
    found = _fail_call(ended.reason, ended.detail, key)
    if ended.reason is Reason.MALFORMED:  # the process ended well: for the call stage that is all
        return msgspec.structs.replace(found, called=True)
    return found


def _fail_call(reason: Reason, why: str, key: str = "") -> KernelBenchXRule:
    return KernelBenchXRule(called=False, correct=False, reason=reason, key=key, detail=why[:300])
