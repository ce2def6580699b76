"""Checks whether a GPU still works, and whether another process may have caused an error on it."""

from dataclasses import dataclass

import torch

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Broken, Outcome, Reason
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.evaluate.gpu_slots import GpuSlot
from kernelbenchx.evaluate.process_slots import ProcessSlots
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.bench_server import NO_MEMORY
from kernelbenchx.runner.orders import CallPlan, PlannedCall, WorkerReport
from kernelbenchx.spec.call import Call

_ENDED = (Reason.TIMEOUT, Reason.CRASH)
_RAISED = (Reason.RUNTIME_ERROR, Reason.LOAD_ERROR, Reason.EXIT)
"""The last one: the process exited before it loaded the submission."""
_SHORT = "out of memory"
_OTHERS = (_SHORT, "busy or unavailable", "no CUDA-capable device", "initialization error", "ECC")
"""Messages that another process can cause. Addresses and asserts are not among them: these end only
the process that caused them, so a retry would be a second chance."""
_ENOUGH_BYTES = 16 << 30
"""Checks are small: with this much memory free, running out of it is the submission's own fault."""
_WALL_S = 60.0
_SOURCE = """
import torch


def probe(x):
    return x + 1.0, torch.tensor(torch.cuda.mem_get_info(x.device), dtype=torch.int64)
"""


@dataclass(frozen=True)
class GpuMemory:
    """Memory of a GPU, in bytes."""

    free: int
    total: int

    @property
    def crowded(self) -> bool:
        """Whether other processes hold so much that a new one may fail for lack of memory."""
        return self.free < min(self.total // 2, _ENOUGH_BYTES)


def may_be_gpu_fault(found: Outcome | Performance | None) -> bool:
    """Whether a broken GPU could look the same; the GPU must be probed before the failure
    counts."""
    return isinstance(found, Broken | Failed) and (found.reason in _ENDED or "CUDA" in found.detail)


def may_be_caused_by_others(outcome: Outcome | None) -> bool:
    """Whether other processes on the GPU can be the reason. For a process that hung or was ended
    only its last message tells, since a retry alone takes as long again."""
    return (
        isinstance(outcome, Broken) and outcome.reason in _RAISED and _blames_others(outcome.detail)
    )


def is_short_of_memory(found: Performance) -> bool:
    """Whether it ran out of memory: others held what it or its bench needed, or it needs too much.

    Judged by an error that it raised: the words in a wrong answer are its own.
    """
    if isinstance(found, Unmeasured):
        return NO_MEMORY in found.detail
    if not isinstance(found, Failed) or found.reason not in _RAISED:
        return False
    return "CUDA" in found.detail and _SHORT in found.detail


def probe_gpu(workers: Workers, card: GpuSlot) -> GpuMemory:
    """Run a known computation on the GPU in a trusted process; a failure is a fault of the
    evaluator.

    The process is started like those with submissions in them, so it can fail as they can.
    """
    x = torch.arange(1024.0)
    plan = CallPlan(
        mode="cuda",
        source=_SOURCE,
        entries=("probe",),
        form="function",
        language="triton",
        seed=0,
        calls=(PlannedCall(Call(args=(x,)), ("x",)),),
        device=card.device,
    )
    run = workers.run(plan, _WALL_S)
    found = _read_memory(run.report, x) if run.ending.clean else None
    if found is None:
        raise EvaluatorFault(
            f"{card.device} does not work: {_describe_error(run.report) or 'no answer'}"
        )
    return found


def is_crowded(workers: Workers, card: GpuSlot) -> bool:
    """Whether other processes hold its memory, or so much of it that no process can start."""
    try:
        return probe_gpu(workers, card).crowded
    except EvaluatorFault:
        return True


def is_gpu_working(workers: Workers, card: GpuSlot) -> bool:
    """Whether a trusted process can use the GPU now."""
    try:
        probe_gpu(workers, card)
    except EvaluatorFault:
        return False
    return True


def is_gpu_working_alone(workers: Workers, card: GpuSlot, crews: ProcessSlots) -> bool:
    """The same, checked once more alone: a GPU only seems broken if others hold its memory."""
    with card.gate.acquire_shared():
        sound = is_gpu_working(workers, card)
    if sound:
        return True
    with crews.take_alone(), card.gate.acquire_exclusive():
        return is_gpu_working(workers, card)


def _read_memory(report: WorkerReport, x: torch.Tensor) -> GpuMemory | None:
    if 0 not in report.returned:
        return None
    computed, memory = report.returned[0].result
    return GpuMemory(*memory.tolist()) if torch.equal(computed, x + 1.0) else None


def _describe_error(report: WorkerReport) -> str:
    return next((f"{one.kind}: {one.message}"[:300] for one in report.errors), "")


def _blames_others(detail: str) -> bool:
    return "CUDA" in detail and any(words in detail for words in _OTHERS)
