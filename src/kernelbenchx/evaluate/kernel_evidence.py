"""Checks whether the kernels did the work: by what ran, and by calls in which they did not."""

import torch

from kernelbenchx import catalog
from kernelbenchx.core.outcome import Composition, Finding, Outcome, Rejected
from kernelbenchx.evaluate.call_results import CallResults
from kernelbenchx.evaluate.calls import Slot
from kernelbenchx.evaluate.compile_kernels import guessed_kernels
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.judge.authorship import answers_without_kernels, composition_of, no_launch
from kernelbenchx.judge.correctness import Passed, judge_case
from kernelbenchx.judge.kernel_share import find_share
from kernelbenchx.runner.orders import WorkerReport
from kernelbenchx.spec import Task
from kernelbenchx.spec.contract import Rung
from kernelbenchx.worker.ablation import Poison

_MOST_FINDINGS = 10
_MOST_NAMED = 3


def note_flags(attempt: EvaluationState, report: WorkerReport) -> None:
    """Note what makes a verdict less certain."""
    attempt.flags += [
        f"registers and shared memory of {kernel} are a guess, and the wrapper read them"[:200]
        for kernel in sorted(guessed_kernels(report))
    ]
    for trace in report.traces.values():
        attempt.flags += [str(flag)[:200] for flag in trace.get("flags", ())]
        attempt.flags += [
            f"race: {race.get('kernel')} {race.get('kind')} of {race.get('tensor')}"[:200]
            for race in trace.get("races", ())
        ]


def judge_trace(
    attempt: EvaluationState, called: CallResults, slots: tuple[Slot, ...]
) -> Outcome | None:
    """Judge by the trace of the calls with kernels what did the computation."""
    with_kernels = {
        call: trace
        for call, trace in called.report.traces.items()
        if call is not None and not slots[call].ablate
    }
    moves, task = attempt.facts.data_movement, catalog.load(attempt.submission.task)
    kept = dict.fromkeys(name for trace in with_kernels.values() for name in trace.get("state", ()))
    if kept:
        why = f"kept for the next call: {', '.join([*kept][:_MOST_NAMED])}"[:200]
        return Rejected(findings=(Finding(rule="state", line=0, why=why),))
    attempt.composition, findings = composition_of(with_kernels.values(), data_movement=moves)
    if attempt.composition is Composition.MIXED:
        traced = {n: (slots[n].drawn.call, trace) for n, trace in with_kernels.items()}
        found = find_share(task, traced, data_movement=moves)
        by_torch = sorted(found.by_torch)
        attempt.kernel_share = found.share
        attempt.by_torch = tuple(dict.fromkeys(slots[n].drawn.case.name for n in by_torch))
    if attempt.by_source is Composition.PURE:
        attempt.findings += findings  # otherwise the source has shown it
    if attempt.composition is not Composition.NOT_A_KERNEL:
        return None
    if any(called.has_answer(n) and _wants_a_launch(task, slot) for n, slot in enumerate(slots)):
        return Rejected(findings=(no_launch(),))
    # It broke before its first launch in every call that needed one.
    attempt.composition = attempt.by_source
    return None


def judge_bodies(attempt: EvaluationState) -> Outcome | None:
    """A kernel that differs for the compiler proves nothing in the interpreter."""
    findings = tuple(dict.fromkeys(attempt.differences))
    return Rejected(findings=findings[:_MOST_FINDINGS]) if findings else None


def _wants_a_launch(task: Task, slot: Slot) -> bool:
    """Whether the call needs a kernel: not for an empty tensor or an answer that takes no work."""
    if slot.ablate or not all(map(torch.Tensor.numel, slot.drawn.call.tensors())):
        return False
    return not slot.drawn.is_trivial(task)


def raised_without_kernels(report: WorkerReport, slots: tuple[Slot, ...]) -> bool:
    """Whether a call without kernels has no answer, which proves nothing."""
    return not all(n in report.returned for n, slot in enumerate(slots) if slot.ablate)


def judge_ablation(
    attempt: EvaluationState, report: WorkerReport, slots: tuple[Slot, ...], rung: Rung
) -> Outcome | None:
    """Judge calls without kernels: a right answer there, in any dtype, is not the kernels' work."""
    task = catalog.load(attempt.submission.task)
    calls: dict[tuple[Poison, str], list[int]] = {}
    for n, slot in enumerate(slots):
        if slot.ablate:
            calls.setdefault((slot.poison, slot.drawn.case.name), []).append(n)
    for without in calls.values():
        if not all(number in report.returned for number in without):
            continue
        drawn = slots[without[0]].drawn
        returned = [report.returned[n] for n in sorted(without, key=lambda n: slots[n].repetition)]
        verdict = judge_case(task, drawn.case, drawn.call, returned, rung, drawn.truth)
        if isinstance(verdict, Passed):
            attempt.composition = Composition.NOT_A_KERNEL
            return Rejected(findings=(answers_without_kernels(),))
    return None
