"""Outputs of timed calls against the truth, and what to call those that are wrong."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import torch

from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.core.performance import Failed, Unmeasured
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.measure.inputs import Described, described
from kernelbenchx.measure.repeats import Repeats
from kernelbenchx.measure.runners import GONE, HUNG, SENSELESS, Runner, RunnerFailed, awake
from kernelbenchx.measure.taking import POISON, Last, Taken, take, told
from kernelbenchx.runner import said
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.contract import Rung
from kernelbenchx.spec.outputs import Returned
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.frames import Malformed
from kernelbenchx.worker.values import BadValue, Decoder, Geometry

_WRONG = (Reason.TIMED_WRONG, Reason.STALE)
SENSELESS_ANSWER = (Malformed, BadValue, LookupError, TypeError, ValueError, RuntimeError)
"""What is raised over a description that nobody can read."""
_ENDED = {
    HUNG: (Reason.TIMEOUT, "the submission's process gave "),
    GONE: (Reason.CRASH, "the submission crashed: "),
    SENSELESS: (Reason.MALFORMED, "the submission's process sent an unreadable answer: "),
}
"""What a runner's end says of the submission in it, and how its words go on."""
LATER_S = 0.15
"""So long a process with a wrong output in it may go on, to see what comes of it."""


def judged(
    task: Task,
    case: Case,
    group: Sequence[Taken],
    rung: Rung,
) -> Failed | None:
    """Right, or why not; several calls where the task's contract is about several."""
    device = str(group[0].room.device)
    try:
        returned = [returned_by(task, one, one.room) for one in group]
    except SENSELESS_ANSWER as error:
        text = said.printable(str(error)[:200])
        detail = f"{_ENDED[SENSELESS][1]}{text}"
        return Failed(
            case=case.name, reason=Reason.MALFORMED, detail=detail, process=group[0].runner
        )
    first = group[0].call
    truth = truth_of(task, first, device)
    verdict = judge_case(task, case, first, returned, rung, truth)
    if not isinstance(verdict, Wrong):
        return None
    reason, trick = _named(task, case, group, rung)
    return Failed(
        case=case.name,
        reason=reason,
        detail=worst_of(verdict),
        trick=trick,
        process=group[0].runner,
    )


def worst_of(wrong: Wrong) -> str:
    """The worst element in words, or what else is wrong."""
    worst = wrong.worst
    if worst is None:
        return wrong.detail
    at = ", ".join(map(str, worst.index))
    return (
        f"{worst.output}[{at}] is {worst.got}, expected {worst.expected}; "
        f"{worst.bad} of {worst.total} elements"
    )


def _named(task: Task, case: Case, group: Sequence[Taken], rung: Rung) -> tuple[Reason, str]:
    """What a wrong output of a timed call looks like; the checks before were all right."""
    one = group[0]
    if _unwritten(one):
        return Reason.LATE, "the output was not written when the timing stopped"
    if len(group) == 1 and one.later is not None and not torch.equal(one.later, one.room):
        again = judge_case(
            task, case, one.call, [returned_by(task, one, one.later)], rung,
            truth_of(task, one.call, str(one.room.device)),
        )  # fmt: skip
        if not isinstance(again, Wrong):
            return Reason.LATE, "the work went on after the call returned"
    if one.before is not None and torch.equal(one.before, one.room):
        return Reason.STALE, "the answer of an earlier call"
    return Reason.TIMED_WRONG, "right when it was checked, wrong when it was timed"


def named_later(
    task: Task, case: Case, ended: Failed | Unmeasured, last: Last | None, rung: Rung
) -> Failed | Unmeasured:
    """Whoever was wrong may have been late by more than it takes to look at an output again.

    So what it returned last is looked at once more, a while later: a wrong answer that became right
    by then was late. That it was wrong when the clock stopped is not asked again.
    """
    if last is None or not isinstance(ended, Failed) or ended.reason not in _WRONG:
        return ended
    try:
        with awake(last.runner):
            time.sleep(LATER_S)
            again = take(last.runner, last.slot, last.call)
        found = judged(task, case, [replace(again, room=last.room, later=again.room)], rung)
    except (RunnerFailed, torch.OutOfMemoryError):  # whatever it does then, it was wrong
        return ended
    if found is None or found.reason is not Reason.LATE:
        return ended
    return msgspec.structs.replace(ended, reason=found.reason, trick=found.trick)


def _unwritten(taken: Taken) -> bool:
    """Nothing is where its tensors are; what else is in the room is nobody's."""
    found: list[torch.Tensor] = []
    _decoded(taken, taken.room, found)
    written = [one for one in found if one.numel()]
    if not written or not all(one.is_contiguous() for one in written):
        return False
    return all(bool((one.view(-1).view(torch.uint8) == POISON).all()) for one in written)


def first_of(taken: Taken) -> torch.Tensor:
    """The first tensor of a result that was found right."""
    found: list[torch.Tensor] = []
    _decoded(taken, taken.room, found)
    return found[0]


def note_all(
    repeats: Repeats, runner: Runner, calls: Sequence[Call], rooms: Sequence[torch.Tensor]
) -> None:
    """The first tensor of every result of a block where it lies, as far as that makes sense: what
    does not is judged where it is drawn."""
    for slot, call in enumerate(calls):
        room = rooms[slot]
        try:
            output = first_of(Taken(runner.name, call, told(runner, slot), room, (), None))
            if output.numel() * output.element_size() <= room.numel():
                repeats.note(output)
        except torch.OutOfMemoryError:  # who holds all memory must not get around this
            raise
        except SENSELESS_ANSWER:
            continue


def _decoded(taken: Taken, room: torch.Tensor, found: list[torch.Tensor]) -> Any:
    """The result as it lies in the room; and all tensors of it."""

    def tensor(value: dict[str, Any]) -> torch.Tensor:
        at = said.number(value["at"])
        if not 0 <= at <= room.numel():
            raise Malformed("an output lies outside its room")
        found.append(Geometry.of(value).over(room[at:]))
        return found[-1]

    decoder = Decoder(tensor=tensor, stand_in=lambda _tag, _body: object())
    return decoder.decode(taken.described["result"])


def returned_by(task: Task, taken: Taken, room: torch.Tensor) -> Returned:
    """What a call returned, as it lies in the room; raises `SENSELESS_ANSWER`."""
    header = taken.described
    found = described(taken.call)
    names = dict(zip(found.indices, task.tensor_names(taken.call), strict=True))
    return Returned(
        result=_decoded(taken, room, []),
        after=_after(taken, found),
        aliases=tuple(names.get(said.number(n), "") for n in header["aliases"]),
        devices=tuple(said.text(one, 40) for one in header["devices"]),
        layouts=tuple(said.text(one, 40) for one in header["layouts"]),
    )


def _after(taken: Taken, found: Described) -> Call:
    places = iter(found.indices)

    def replaced(tensor: torch.Tensor) -> torch.Tensor:
        geometry = Geometry(
            tensor.dtype, tuple(tensor.shape), tuple(tensor.stride()), int(tensor.storage_offset())
        )
        return geometry.over(taken.storages[next(places)])

    return taken.call.mapped(replaced)


def failure(case: str, failed: RunnerFailed) -> Failed:
    """A runner with a submission in it that raised, hung or died."""
    reason, words = _ENDED.get(failed.kind, (Reason.RUNTIME_ERROR, f"{failed.kind}: "))
    detail = f"{words}{failed.message}"[:1000]
    return Failed(case=case, reason=reason, detail=detail, process=failed.runner)
