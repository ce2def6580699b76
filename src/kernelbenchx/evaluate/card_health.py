"""Whether a card still works, and whether an error on it may be somebody else's doing."""

from dataclasses import dataclass

import torch

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Broken, Outcome, Reason
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.evaluate.cards import CardSlot
from kernelbenchx.evaluate.crews import Crews
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.server import NO_MEMORY
from kernelbenchx.runner.exchange import Plan, Planned, Report
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
class Memory:
    """Of a card, in bytes."""

    free: int
    total: int

    @property
    def crowded(self) -> bool:
        """Those who are there hold so much that a newcomer may fail for it."""
        return self.free < min(self.total // 2, _ENOUGH_BYTES)


def is_doubtful(found: Outcome | Performance | None) -> bool:
    """A card that does not work looks the same: it has to be asked before this is believed."""
    return isinstance(found, Broken | Failed) and (found.reason in _ENDED or "CUDA" in found.detail)


def may_be_others(outcome: Outcome | None) -> bool:
    """Those who use the card beside it can be the reason. Of a process that hung or was ended only
    its last words say so, and it would have the card to itself for as long again."""
    return isinstance(outcome, Broken) and outcome.reason in _RAISED and _of_others(outcome.detail)


def is_short_of_memory(found: Performance) -> bool:
    """Others held the memory that it, or whoever times it, wanted; or it wants too much.

    By an error that it raised: in an answer that was found wrong, its words are its own.
    """
    if isinstance(found, Unmeasured):
        return NO_MEMORY in found.detail
    if not isinstance(found, Failed) or found.reason not in _RAISED:
        return False
    return "CUDA" in found.detail and _SHORT in found.detail


def look_at(workers: Workers, card: CardSlot) -> Memory:
    """Has a process of ours compute on the card what is known; a fault of ours where it fails.

    The process comes the same way as those with submissions in them: it can fail as they can.
    """
    x = torch.arange(1024.0)
    plan = Plan(
        mode="cuda",
        source=_SOURCE,
        entries=("probe",),
        form="function",
        language="triton",
        seed=0,
        calls=(Planned(Call(args=(x,)), ("x",)),),
        device=card.device,
    )
    run = workers.run(plan, _WALL_S)
    found = _found(run.report, x) if run.ending.clean else None
    if found is None:
        raise EvaluatorFault(f"{card.device} does not work: {_why(run.report) or 'no answer'}")
    return found


def is_crowded(workers: Workers, card: CardSlot) -> bool:
    """Those who are there hold its memory, or so much of it that nobody can begin there."""
    try:
        return look_at(workers, card).crowded
    except EvaluatorFault:
        return True


def works(workers: Workers, card: CardSlot) -> bool:
    """Whether a process of ours can use it now."""
    try:
        look_at(workers, card)
    except EvaluatorFault:
        return False
    return True


def works_alone(workers: Workers, card: CardSlot, crews: Crews) -> bool:
    """The same, asked once more alone: it only seems not to work where others hold its memory."""
    with card.gate.shared():
        sound = works(workers, card)
    if sound:
        return True
    with crews.alone(), card.gate.owned():
        return works(workers, card)


def _found(report: Report, x: torch.Tensor) -> Memory | None:
    if 0 not in report.returned:
        return None
    computed, memory = report.returned[0].result
    return Memory(*memory.tolist()) if torch.equal(computed, x + 1.0) else None


def _why(report: Report) -> str:
    return next((f"{one.kind}: {one.message}"[:300] for one in report.errors), "")


def _of_others(detail: str) -> bool:
    return "CUDA" in detail and any(words in detail for words in _OTHERS)
