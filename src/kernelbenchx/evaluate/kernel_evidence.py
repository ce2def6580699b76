"""Did the kernels do the work? By what ran, and by calls in which they did not."""

import torch

from kernelbenchx import catalog
from kernelbenchx.core.outcome import Composition, Outcome, Rejected
from kernelbenchx.evaluate.attempt import Attempt
from kernelbenchx.evaluate.call_results import CallResults
from kernelbenchx.evaluate.calls import Slot
from kernelbenchx.evaluate.compile_kernels import guessed_kernels
from kernelbenchx.judge.authorship import answers_without_kernels, composition_of, no_launch
from kernelbenchx.judge.correctness import Passed, judge_case
from kernelbenchx.runner.exchange import Report
from kernelbenchx.spec import Task
from kernelbenchx.spec.contract import Rung


def note_flags(attempt: Attempt, report: Report) -> None:
    """What was seen of its kernels that makes a verdict less sure."""
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


def judge_trace(attempt: Attempt, called: CallResults, slots: tuple[Slot, ...]) -> Outcome | None:
    """What ran in the calls with kernels: who computed?"""
    with_kernels = [
        trace
        for call, trace in called.report.traces.items()
        if call is not None and not slots[call].ablate
    ]
    moves = attempt.facts.data_movement
    attempt.composition, findings = composition_of(with_kernels, data_movement=moves)
    if attempt.by_source is Composition.PURE:
        attempt.findings += findings  # otherwise the source has told
    if attempt.composition is not Composition.NOT_A_KERNEL:
        return None
    task = catalog.load(attempt.submission.task)
    if any(called.answered(n) and _wants_a_launch(task, slot) for n, slot in enumerate(slots)):
        return Rejected(findings=(no_launch(),))
    # It broke before its first launch wherever there was something to launch.
    attempt.composition = attempt.by_source
    return None


def _wants_a_launch(task: Task, slot: Slot) -> bool:
    """An answer for an empty tensor needs no kernel, nor does one that takes no work."""
    if slot.ablate or not all(map(torch.Tensor.numel, slot.drawn.call.tensors())):
        return False
    return not slot.drawn.is_trivial(task)


def raised_without_kernels(report: Report, slots: tuple[Slot, ...]) -> bool:
    """Whether a call without kernels has no answer, which tells nothing."""
    return not all(n in report.returned for n, slot in enumerate(slots) if slot.ablate)


def judge_ablation(
    attempt: Attempt, report: Report, slots: tuple[Slot, ...], rung: Rung
) -> Outcome | None:
    """An answer that is right without the kernels is not theirs."""
    task = catalog.load(attempt.submission.task)
    for poison in dict.fromkeys(slot.poison for slot in slots if slot.ablate):
        without = [n for n, slot in enumerate(slots) if slot.ablate and slot.poison == poison]
        if not all(number in report.returned for number in without):
            continue
        drawn = slots[without[0]].drawn
        returned = [report.returned[n] for n in sorted(without, key=lambda n: slots[n].repetition)]
        verdict = judge_case(task, drawn.case, drawn.call, returned, rung, drawn.truth)
        if isinstance(verdict, Passed):
            attempt.composition = Composition.NOT_A_KERNEL
            return Rejected(findings=(answers_without_kernels(),))
    return None
