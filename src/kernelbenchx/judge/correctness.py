"""Judges one case: what a submission returned and wrote, against the reference."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from kernelbenchx.core.outcome import Reason, Worst, Wrong
from kernelbenchx.judge.error_maps import error_map
from kernelbenchx.judge.error_patterns import describe
from kernelbenchx.judge.side_effects import changed_arguments, find_spurious_write, values_equal
from kernelbenchx.judge.tf32 import tf32_words
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.contract import Evidence, Rung, Verdict
from kernelbenchx.spec.outputs import CallResult, Leaf, flatten
from kernelbenchx.spec.task import Outputs, Task


@dataclass(frozen=True)
class Passed:
    """The case is right; `worst` is its largest error as a multiple of the budget."""

    worst: float


@dataclass(frozen=True)
class CaseTruth:
    """The reference results of one call; the same for every submission that is given it."""

    native: Outputs
    exact: tuple[torch.Tensor, ...]
    """In float64; empty where the contract needs none."""


def truth_of(task: Task, call: Call, device: str | None = None) -> CaseTruth:
    """Compute the truth on copies, away from any submission; by default where the tensors lie."""
    native = task.native(call, device)
    if not task.contract.needs_truth:
        return CaseTruth(native, ())
    return CaseTruth(native, _resolve_aliases(native, task.exact(call, device)))


def _resolve_aliases(native: Outputs, exact: Outputs) -> tuple[torch.Tensor, ...]:
    """Give a value that is returned and written at once one truth, that of the returned value.

    The argument holds it rounded to its own dtype, and a right answer would be off by a second
    rounding.
    """
    values = [leaf.value for leaf in exact.leaves]
    written = {native.leaves[at].name: at for at in range(native.returned, len(native.leaves))}
    for returned, argument in enumerate(native.aliases):
        at = written.get(argument, returned)
        if values[at].shape == values[returned].shape:
            values[at] = values[returned]
    return tuple(values)


def judge_case(
    task: Task,
    case: Case,
    call: Call,
    returned: Sequence[CallResult],
    rung: Rung,
    truth: CaseTruth | None = None,
) -> Passed | Wrong:
    """Structure first, then side effects, then values, then whether the right tensor came back.

    The first fault is reported. An argument that must hold the result is judged by what it holds,
    before it is checked whether that same tensor was returned.
    """
    known = truth or truth_of(task, call)
    native = known.native
    repetitions: list[tuple[Leaf, ...]] = []
    for position, one in enumerate(returned):
        asked = call.repeat(position)
        leaves = flatten(one.result) + _collect_written(task, asked, one)
        fault = _structure(native, one, leaves) or _side_effects(task, asked, native, one)
        if fault is not None:
            return Wrong(case=case.name, reason=fault[0], detail=fault[1])
        repetitions.append(leaves)
    evidence = Evidence(
        call=call,
        outputs=tuple(tuple(leaf.value for leaf in leaves) for leaves in repetitions),
        truth=known.exact,
        native=tuple(leaf.value for leaf in native.leaves),
        rung=rung,
    )
    verdict = task.contract.judge(evidence)
    if not verdict.ok:
        words = tf32_words(task, evidence, seen=any("tf32" in one.flags for one in returned))
        return _wrong(task, case, verdict, evidence, repetitions[0], words)
    for one in returned:
        fault = _not_returned(native, one)
        if fault is not None:
            return Wrong(case=case.name, reason=fault[0], detail=fault[1])
    return Passed(verdict.worst)


def _collect_written(task: Task, asked: Call, one: CallResult) -> tuple[Leaf, ...]:
    return task.collect_written(one.after if one.after.args or one.after.kwargs else asked)


def _structure(
    native: Outputs, one: CallResult, leaves: tuple[Leaf, ...]
) -> tuple[Reason, str] | None:
    if len(leaves) != len(native.leaves):
        wanted, came = native.returned, len(leaves) - (len(native.leaves) - native.returned)
        values = "value" if came == 1 else "values"
        return Reason.BAD_STRUCTURE, f"returned {came} {values}, expected {wanted}"
    for mine, theirs in zip(leaves, native.leaves, strict=True):
        fault = _leaf_fault(mine, theirs)
        if fault is not None:
            return fault
    for name, device in zip((leaf.name for leaf in leaves), one.devices, strict=False):
        if device not in ("cpu", "cuda"):
            return Reason.BAD_DEVICE, f"{name} is on device {device}, expected the inputs' device"
    for name, layout in zip((leaf.name for leaf in leaves), one.layouts, strict=False):
        if layout != "torch.strided":
            return Reason.BAD_STRUCTURE, f"{name} has layout {layout}, expected torch.strided"
    return None


def _leaf_fault(mine: Leaf, theirs: Leaf) -> tuple[Reason, str] | None:
    if mine.kind != theirs.kind:
        return Reason.BAD_STRUCTURE, f"{mine.name} is a {mine.kind}, expected a {theirs.kind}"
    if mine.value.shape != theirs.value.shape:
        came, wanted = tuple(mine.value.shape), tuple(theirs.value.shape)
        return Reason.BAD_SHAPE, f"{mine.name} has shape {came}, expected {wanted}"
    if mine.value.dtype != theirs.value.dtype:
        return (
            Reason.BAD_DTYPE,
            f"{mine.name} has dtype {mine.value.dtype}, expected {theirs.value.dtype}",
        )
    return None


def _side_effects(
    task: Task, asked: Call, native: Outputs, one: CallResult
) -> tuple[Reason, str] | None:
    changed = changed_arguments(task, asked, one.after)
    if changed:
        where = "outside its elements" if changed[0] in task.writes else "by the call"
        return Reason.INPUT_CHANGED, f"argument {changed[0]} was changed {where}"
    stray = find_spurious_write(task, asked, native, one.after)
    if stray:
        return (
            Reason.INPUT_CHANGED,
            f"argument {stray} was changed, but the task leaves it alone in this case",
        )
    for position, wanted in enumerate(native.aliases):
        said = one.aliases[position] if position < len(one.aliases) else ""
        if said and said != wanted:
            return Reason.BAD_ALIAS, f"output {position} shares its memory with argument {said}"
    return None


def _not_returned(native: Outputs, one: CallResult) -> tuple[Reason, str] | None:
    for position, wanted in enumerate(native.aliases):
        said = one.aliases[position] if position < len(one.aliases) else ""
        if wanted and said != wanted:
            holds = f"argument {wanted} holds the result, but output {position} is another tensor"
            return Reason.BAD_ALIAS, f"{holds}: return {wanted} itself"
    return None


def _wrong(
    task: Task,
    case: Case,
    verdict: Verdict,
    evidence: Evidence,
    leaves: tuple[Leaf, ...],
    words: str,
) -> Wrong:
    position = verdict.output if verdict.output < len(leaves) else 0
    leaf = leaves[position]
    bad = verdict.bad
    pattern, picture = "", None
    true = evidence.truth or evidence.native
    if bad is not None and bad.shape == leaf.value.shape and position < len(true):
        pattern = words or describe(leaf.value, true[position], bad)
        picture = error_map(_errors(verdict, bad))
    pattern = _of_argument(task, evidence, leaves, position) or pattern
    worst = Worst(
        output=leaf.name,
        index=verdict.index,
        expected=verdict.expected,
        got=verdict.got,
        error=verdict.worst,
        bad=int(bad.sum()) if bad is not None else 1,
        total=leaf.value.numel(),
    )
    return Wrong(
        case=case.name,
        reason=Reason.BAD_VALUES,
        detail=verdict.detail,
        worst=worst,
        pattern=pattern,
        error_map=picture,
    )


def _of_argument(task: Task, evidence: Evidence, leaves: tuple[Leaf, ...], position: int) -> str:
    """Name the argument where the wrong output is an argument that was not written."""
    before = task.collect_written(evidence.call)
    at = position - (len(leaves) - len(before))
    if at < 0 or not values_equal(before[at].value, leaves[position].value):
        return ""
    return f"argument {leaves[position].name} was not written"


def _errors(verdict: Verdict, bad: torch.Tensor) -> torch.Tensor:
    """Errors of each element; where they are unknown, the verdict's worst for each wrong one."""
    if verdict.errors is not None and verdict.errors.shape == bad.shape:
        return verdict.errors
    return torch.where(bad, verdict.worst, 0.0)
