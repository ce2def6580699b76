"""Judges outputs of timed calls against the truth, and classifies wrong ones."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import torch

from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.core.performance import Failed, Unmeasured
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.measure.input_layout import CallDescription, describe_call
from kernelbenchx.measure.output_sampling import (
    POISON,
    LastOutput,
    SampledOutput,
    copy_output,
    read_description,
)
from kernelbenchx.measure.random_repeats import RepeatDetector
from kernelbenchx.measure.runner_client import (
    GONE,
    HUNG,
    SENSELESS,
    RunnerClient,
    RunnerFailed,
    awake,
)
from kernelbenchx.runner import sanitize
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.contract import Rung
from kernelbenchx.spec.outputs import CallResult
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.frames import Malformed
from kernelbenchx.worker.values import BadValue, Decoder, Geometry

_WRONG = (Reason.TIMED_WRONG, Reason.STALE)
SENSELESS_ANSWER = (Malformed, BadValue, LookupError, TypeError, ValueError, RuntimeError)
"""Raised for a description that cannot be decoded."""
_ENDED = {
    HUNG: (Reason.TIMEOUT, "the submission's process gave "),
    GONE: (Reason.CRASH, "the submission crashed: "),
    SENSELESS: (Reason.MALFORMED, "the submission's process sent an unreadable answer: "),
}
"""How a runner's end is attributed to its submission, and how the message continues."""
LATER_S = 0.15
"""How long a process with a wrong output may continue, to see whether the output changes."""


def judge_outputs(
    task: Task,
    case: Case,
    group: Sequence[SampledOutput],
    rung: Rung,
) -> Failed | None:
    """Judge outputs; several calls together if the task's contract is about several."""
    device = str(group[0].room.device)
    try:
        returned = [read_returned(task, one, one.room) for one in group]
    except SENSELESS_ANSWER as error:
        text = sanitize.printable(str(error)[:200])
        detail = f"{_ENDED[SENSELESS][1]}{text}"
        return Failed(
            case=case.name, reason=Reason.MALFORMED, detail=detail, process=group[0].runner
        )
    first = group[0].call
    truth = truth_of(task, first, device)
    verdict = judge_case(task, case, first, returned, rung, truth)
    if not isinstance(verdict, Wrong):
        return None
    reason, trick = _classify_wrong(task, case, group, rung)
    return Failed(
        case=case.name,
        reason=reason,
        detail=worst_of(verdict),
        trick=trick,
        process=group[0].runner,
    )


def worst_of(wrong: Wrong) -> str:
    """Describe the worst element, or what else is wrong."""
    worst = wrong.worst
    if worst is None:
        return wrong.detail
    at = ", ".join(map(str, worst.index))
    return (
        f"{worst.output}[{at}] is {worst.got}, expected {worst.expected}; "
        f"{worst.bad} of {worst.total} elements"
    )


def _classify_wrong(
    task: Task, case: Case, group: Sequence[SampledOutput], rung: Rung
) -> tuple[Reason, str]:
    """Classify a wrong output of a timed call; the checks before were all right."""
    one = group[0]
    if _is_unwritten(one):
        return Reason.LATE, "the output was not written when the timing stopped"
    if len(group) == 1 and one.later is not None and not torch.equal(one.later, one.room):
        again = judge_case(
            task, case, one.call, [read_returned(task, one, one.later)], rung,
            truth_of(task, one.call, str(one.room.device)),
        )  # fmt: skip
        if not isinstance(again, Wrong):
            return Reason.LATE, "the work went on after the call returned"
    if one.before is not None and torch.equal(one.before, one.room):
        return Reason.STALE, "the answer of an earlier call"
    return Reason.TIMED_WRONG, "right when it was checked, wrong when it was timed"


def recheck_late(
    task: Task, case: Case, ended: Failed | Unmeasured, last: LastOutput | None, rung: Rung
) -> Failed | Unmeasured:
    """Check whether a wrong answer was late: it may have come after the clock stopped.

    Its last output is examined once more, a while later: a wrong answer that has become right was
    late. That it was wrong when the clock stopped stands.
    """
    if last is None or not isinstance(ended, Failed) or ended.reason not in _WRONG:
        return ended
    try:
        with awake(last.runner):
            time.sleep(LATER_S)
            again = copy_output(last.runner, last.slot, last.call)
        found = judge_outputs(task, case, [replace(again, room=last.room, later=again.room)], rung)
    except (RunnerFailed, torch.OutOfMemoryError):  # whatever it does then, it was wrong
        return ended
    if found is None or found.reason is not Reason.LATE:
        return ended
    return msgspec.structs.replace(ended, reason=found.reason, trick=found.trick)


def _is_unwritten(taken: SampledOutput) -> bool:
    """Whether its tensors were left unwritten; other bytes in the room do not count."""
    found: list[torch.Tensor] = []
    _decode_result(taken, taken.room, found)
    written = [one for one in found if one.numel()]
    if not written or not all(one.is_contiguous() for one in written):
        return False
    return all(bool((one.view(-1).view(torch.uint8) == POISON).all()) for one in written)


def read_first_tensor(taken: SampledOutput) -> torch.Tensor:
    """The first tensor of a result that was found right."""
    found: list[torch.Tensor] = []
    _decode_result(taken, taken.room, found)
    return found[0]


def note_outputs(
    repeats: RepeatDetector,
    runner: RunnerClient,
    calls: Sequence[Call],
    rooms: Sequence[torch.Tensor],
) -> None:
    """Note the first tensor of every result of a block in place, if its description is valid.
    Others are judged when they are sampled."""
    for slot, call in enumerate(calls):
        room = rooms[slot]
        try:
            output = read_first_tensor(
                SampledOutput(runner.name, call, read_description(runner, slot), room, (), None)
            )
            if output.numel() * output.element_size() <= room.numel():
                repeats.note(output)
        except torch.OutOfMemoryError:  # a submission that uses up memory must not avoid this
            raise
        except SENSELESS_ANSWER:
            continue


def _decode_result(taken: SampledOutput, room: torch.Tensor, found: list[torch.Tensor]) -> Any:
    """Decode the result in the room; and all its tensors."""

    def read_tensor(value: dict[str, Any]) -> torch.Tensor:
        at = sanitize.number(value["at"])
        if not 0 <= at <= room.numel():
            raise Malformed("an output lies outside its room")
        found.append(Geometry.of(value).over(room[at:]))
        return found[-1]

    decoder = Decoder(tensor=read_tensor, stand_in=lambda _tag, _body: object())
    return decoder.decode(taken.described["result"])


def read_returned(task: Task, taken: SampledOutput, room: torch.Tensor) -> CallResult:
    """What a call returned, as it lies in the room; raises `SENSELESS_ANSWER`."""
    header = taken.described
    found = describe_call(taken.call)
    names = dict(zip(found.indices, task.tensor_names(taken.call), strict=True))
    return CallResult(
        result=_decode_result(taken, room, []),
        after=_read_arguments(taken, found),
        aliases=tuple(names.get(sanitize.number(n), "") for n in header["aliases"]),
        devices=tuple(sanitize.text(one, 40) for one in header["devices"]),
        layouts=tuple(sanitize.text(one, 40) for one in header["layouts"]),
    )


def _read_arguments(taken: SampledOutput, found: CallDescription) -> Call:
    places = iter(found.indices)

    def view_storage(tensor: torch.Tensor) -> torch.Tensor:
        geometry = Geometry(
            tensor.dtype, tuple(tensor.shape), tuple(tensor.stride()), int(tensor.storage_offset())
        )
        return geometry.over(taken.storages[next(places)])

    return taken.call.map_tensors(view_storage)


def describe_failure(case: str, failed: RunnerFailed) -> Failed:
    """Describe the failure of a runner whose submission raised, hung or died."""
    reason, words = _ENDED.get(failed.kind, (Reason.RUNTIME_ERROR, f"{failed.kind}: "))
    detail = f"{words}{failed.message}"[:1000]
    return Failed(case=case, reason=reason, detail=detail, process=failed.runner)
