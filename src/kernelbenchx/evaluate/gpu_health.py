"""Whether a card still works, and whether an error on it may be somebody else's doing."""

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
"""The last one of a process that did not get as far as loading it."""
_SHORT = "out of memory"
_OTHERS = (_SHORT, "busy or unavailable", "no CUDA-capable device", "initialization error", "ECC")
"""What a process may be told for what is not its own doing. Addresses and asserts are not among
them: these end the process that did it, and no other; a second try would be a second chance."""
_ENOUGH_BYTES = 16 << 30
"""Checks are small: who fails for want of memory beside so much of it has itself to blame."""
_WALL_S = 60.0
_SOURCE = """
import torch


def probe(x):
    return x + 1.0, torch.tensor(torch.cuda.mem_get_info(x.device), dtype=torch.int64)
"""


@dataclass(frozen=True)
class GpuMemory:
    """Of a card, in bytes."""

    free: int
    total: int

    @property
    def crowded(self) -> bool:
        """Those who are there hold so much that a newcomer may fail for it."""
        return self.free < min(self.total // 2, _ENOUGH_BYTES)


def may_be_gpu_fault(found: Outcome | Performance | None) -> bool:
    """A card that does not work looks the same: it has to be asked before this is believed."""
    return isinstance(found, Broken | Failed) and (found.reason in _ENDED or "CUDA" in found.detail)


def may_be_caused_by_others(outcome: Outcome | None) -> bool:
    """Those who use the card beside it can be the reason. Of a process that hung or was ended only
    its last words say so, and it would have the card to itself for as long again."""
    return (
        isinstance(outcome, Broken) and outcome.reason in _RAISED and _blames_others(outcome.detail)
    )


def is_short_of_memory(found: Performance) -> bool:
    """Others held the memory that it, or whoever times it, wanted; or it wants too much.

    By an error that it raised: in an answer that was found wrong, its words are its own.
    """
    if isinstance(found, Unmeasured):
        return NO_MEMORY in found.detail
    if not isinstance(found, Failed) or found.reason not in _RAISED:
        return False
    return "CUDA" in found.detail and _SHORT in found.detail


def probe_gpu(workers: Workers, card: GpuSlot) -> GpuMemory:
    """Has a process of ours compute on the card what is known; a fault of ours where it fails.

    The process comes the same way as those with submissions in them: it can fail as they can.
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
    """Those who are there hold its memory, or so much of it that nobody can begin there."""
    try:
        return probe_gpu(workers, card).crowded
    except EvaluatorFault:
        return True


def is_gpu_working(workers: Workers, card: GpuSlot) -> bool:
    """Whether a process of ours can use it now."""
    try:
        probe_gpu(workers, card)
    except EvaluatorFault:
        return False
    return True


def is_gpu_working_alone(workers: Workers, card: GpuSlot, crews: ProcessSlots) -> bool:
    """The same, asked once more alone: it only seems not to work where others hold its memory."""
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
