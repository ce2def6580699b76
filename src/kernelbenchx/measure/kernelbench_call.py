"""One untimed call at a problem's published size, judged by KernelBench's rule alone.

Inputs and weights are the published ones, a fresh module's constants included.
"""

from dataclasses import dataclass, replace
from typing import Protocol, cast

import torch

from kernelbenchx import catalog
from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.rules import KernelBenchRule, make_failed_rule
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.measure.huge_call import COPIES, OUT_OF_MEMORY, PLENTY, free_bytes
from kernelbenchx.measure.input_layout import TimingDevice, describe_call, layout_for, output_bytes
from kernelbenchx.measure.kernelbench_rule import kernelbench_rule
from kernelbenchx.measure.output_judging import SENSELESS_ANSWER, describe_failure, read_returned
from kernelbenchx.measure.output_sampling import POISON, SampledOutput
from kernelbenchx.measure.published_problems import PublishedProblems
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed, awake
from kernelbenchx.measure.timed_tasks import TimedTasks
from kernelbenchx.runner import sanitize
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.imported_problem import ImportedProblem
from kernelbenchx.spec.modules import ModuleCall
from kernelbenchx.spec.problem import Problem
from kernelbenchx.spec.task import Outputs
from kernelbenchx.worker.timing.clocks import clock_of
from kernelbenchx.worker.timing.layout import Layout

_SEEDS = 1 << 31
_COLLECT_S = 20.0
_SHORT = "out of memory"


class RuleBench(Protocol):
    """The part of a bench that the rule needs."""

    device: str
    seed: int
    where: TimingDevice
    tasks: TimedTasks
    problems: PublishedProblems


def judge_by_rule(
    bench: RuleBench, name: str, entry: RunnerClient, digest: str, limit_s: float
) -> KernelBenchRule:
    """Make the call in the submission's process, within a time limit.

    Raises if the call does not fit the GPU, or the problem's own file fails.
    """
    task = _load_published(bench, name)
    seed = derive_seed(bench.seed, digest, name, "rule")
    return PublishedSize(task, seed, bench.device, limit_s).judge(entry)


def _load_published(bench: RuleBench, name: str) -> Problem:
    """Load it at its published size, also if only a smaller one can be timed."""
    task = catalog.load(name)
    if isinstance(task, ImportedProblem):
        task = bench.tasks.load(name, bench.seed, bench.where)
    else:
        bench.problems.end_processes()  # frees their memory
    if not isinstance(task, Problem):
        raise EvaluatorFault(f"{name} is not a KernelBench problem")
    return task


@dataclass(frozen=True)
class PublishedSize:
    """The call of one submission."""

    task: Problem
    seed: int
    device: str
    limit_s: float

    @property
    def case(self) -> Case:
        """The published case."""
        return self.task.timings[0]

    def judge(self, entry: RunnerClient) -> KernelBenchRule:
        """Judge the call; the rule fails if the submission raises, hangs or crashes."""
        free = free_bytes(self.device)
        self._require_room(self._least_bytes(), free)
        call = self._draw_call()
        native = self.task.native(call, self.device)
        layout = layout_for(describe_call(call), output_bytes(native), 1, self.task.form)
        self._require_room(COPIES * layout.size, free)
        try:
            return self._call_and_judge(entry, call, native, layout)
        except RunnerFailed as failed:
            short = failed.kind in OUT_OF_MEMORY or _SHORT in failed.message
            if short and free < PLENTY * COPIES * layout.size:
                raise torch.OutOfMemoryError(f"the submission: {failed.message}"[:200]) from failed
            found = describe_failure(self.case.name, failed)
            return make_failed_rule(found.reason, found.detail, found.case)
        finally:
            with awake(entry):
                entry.release()

    def _call_and_judge(
        self, entry: RunnerClient, call: Call, native: Outputs, layout: Layout
    ) -> KernelBenchRule:
        with awake(entry):
            entry.open(layout)
            entry.fill(0, describe_call(call).storages)
            entry.rooms[0].fill_(POISON)
            clock_of(torch.device(self.device)).synchronise()
            entry.run("once", self.limit_s)
            header = entry.ask({"op": "collect", "slot": 0}, _COLLECT_S).header
        taken = SampledOutput(
            entry.name, call, header, entry.rooms[0], tuple(entry.inputs[0]), None
        )
        try:
            returned = read_returned(self.task, taken, taken.room)
        except torch.OutOfMemoryError:
            raise
        except SENSELESS_ANSWER as error:
            detail = f"the answer is unreadable: {sanitize.printable(str(error)[:200])}"
            return make_failed_rule(Reason.MALFORMED, detail, self.case.name)
        return kernelbench_rule(returned, native, self.case.name)

    def _draw_call(self) -> Call:
        """Draw the weights of a fresh module under a seed. They are passed all the same, unless
        this submission takes none: the seed alone does not give them to every module."""
        weights = derive_seed(self.seed, "weights") % _SEEDS
        task = self.task.from_the_seed().with_weights_of(weights)
        inputs = derive_seed(self.seed, "inputs") % _SEEDS
        call = cast(ModuleCall, task.draw(self.case, inputs, self.device))
        return replace(call, loads=self.task.weights != "seed alone")

    def _least_bytes(self) -> int:
        """Bytes needed at least, before anything is drawn; what a published file needs is not known
        by then."""
        if isinstance(self.task, ImportedProblem):
            return 0
        return COPIES * self.task.cost(**self.case.params).bytes

    def _require_room(self, need: int, free: float) -> None:
        if free < need:
            gigabytes = f"{need / 1e9:.1f} GB, {free / 1e9:.1f} GB are free"
            raise torch.OutOfMemoryError(f"the published size needs {gigabytes}")
