from dataclasses import replace

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.outcome import Composition, Rejected
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.call_results import CallResults
from kernelbenchx.evaluate.calls import Slot, plan_slots, poisoned_slots
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.kernel_evidence import (
    judge_ablation,
    judge_bodies,
    judge_trace,
    raised_without_kernels,
)
from kernelbenchx.judge.authorship import another_body
from kernelbenchx.runner.orders import WorkerReport
from kernelbenchx.spec.outputs import CallResult
from kernelbenchx.worker.data_flow import MOVED

RELU, SELECT, FFTN = "activation/relu", "index/masked_select", "math/fftn"


def attempt(task: str, by_source: Composition = Composition.PURE) -> EvaluationState:
    return EvaluationState(
        Submission(name="s", task=task, source=""), facts(task), ("f",), by_source=by_source
    )


def traces(planned: tuple[Slot, ...], **ops: int) -> WorkerReport:
    launched = {"launches": [{"kernel": "k"}]}
    return WorkerReport(traces={n: {"ops": ops, **launched} for n in range(len(planned))})


def right(slot: Slot) -> CallResult:
    outputs = slot.drawn.truth.native
    return CallResult(
        result=outputs.leaves[0].value,
        after=slot.call,
        aliases=("",),
        devices=("cpu",),
        layouts=("torch.strided",),
    )


def test_the_trace_decides_also_where_the_source_has_a_branch_in_torch() -> None:
    planned = plan_slots(RELU, 5, 1)
    found = []
    for ops in ({}, {"aten.add.Tensor": 1}):
        one = attempt(RELU, Composition.MIXED)
        assert judge_trace(one, CallResults(traces(planned, **ops)), planned) is None
        found.append(one.composition)
    assert found == [Composition.PURE, Composition.MIXED]


def test_what_a_call_keeps_for_the_next_one_is_rejected_and_named() -> None:
    planned = plan_slots(RELU, 5, 1)
    report = traces(planned)
    assert judge_trace(attempt(RELU), CallResults(report), planned) is None
    with_kernels = next(n for n, slot in enumerate(planned) if not slot.ablate)
    report.traces[with_kernels]["state"] = ["KEPT", "self.kept"]
    refused = judge_trace(attempt(RELU), CallResults(report), planned)
    assert isinstance(refused, Rejected)
    assert (refused.findings[0].rule, refused.findings[0].why) == (
        "state",
        "kept for the next call: KEPT, self.kept",
    )


def test_without_a_launch_it_is_rejected() -> None:
    planned = plan_slots(RELU, 5, 1)
    at = next(n for n, slot in enumerate(planned) if not slot.ablate and slot.call.args[0].numel())
    report = WorkerReport(traces={at: {"ops": {}}}, returned={at: right(planned[at])})
    assert isinstance(judge_trace(attempt(RELU), CallResults(report), planned), Rejected)


def test_breaking_before_the_first_launch_is_no_empty_answer() -> None:
    planned = plan_slots(RELU, 5, 1)
    every = {n: slot.call.args[0].numel() for n, slot in enumerate(planned) if not slot.ablate}
    empty = {n: right(planned[n]) for n, size in every.items() if not size}
    report = WorkerReport(traces={n: {"ops": {}} for n in every}, returned=empty)
    one = attempt(RELU)
    assert empty and judge_trace(one, CallResults(report), planned) is None
    assert one.composition is Composition.PURE


def test_an_answer_that_takes_no_work_needs_no_launch() -> None:
    planned = plan_slots(FFTN, 5, 1)
    task = catalog.load(FFTN)
    every = [n for n, slot in enumerate(planned) if not slot.ablate]
    alone = [n for n in every if planned[n].drawn.call.args[0].dim() == 0]
    others = [n for n in every if not planned[n].drawn.is_trivial(task)]
    assert alone and others
    found = []
    for answered in (alone, others):
        report = WorkerReport(
            traces={n: {"ops": {}} for n in every},
            returned={n: right(planned[n]) for n in answered},
        )
        found.append(judge_trace(attempt(FFTN), CallResults(report), planned))
    assert found[0] is None
    assert isinstance(found[1], Rejected)


def test_what_happens_without_kernels_says_nothing_of_who_computes() -> None:
    planned = plan_slots(RELU, 5, 1)
    report = traces(planned)
    for without in (n for n, slot in enumerate(planned) if slot.ablate):
        report.traces[without]["ops"] = {"aten.add.Tensor": 1}
    one = attempt(RELU)
    judge_trace(one, CallResults(report), planned)
    assert one.composition is Composition.PURE


@pytest.mark.parametrize(("task", "found"), [(RELU, Composition.PURE), (SELECT, Composition.MIXED)])
def test_pieces_that_torch_moves_count_where_moving_is_the_task(
    task: str, found: Composition
) -> None:
    planned = plan_slots(task, 5, 1)
    one = attempt(task)
    judge_trace(one, CallResults(traces(planned, **{MOVED: 9000})), planned)
    assert one.composition is found
    assert [finding.rule for finding in one.findings] == (
        ["authorship"] if found is Composition.MIXED else []
    )


def test_a_right_answer_without_kernels_in_any_dtype_is_not_theirs() -> None:
    planned = plan_slots(RELU, 5, 1)
    without = [n for n, slot in enumerate(planned) if slot.ablate]
    assert {planned[n].drawn.dtype for n in without} == {"float32", "float16", "bfloat16"}
    for right_one in (*without, None):
        returned = {n: right(planned[n]) for n in without}
        for n in without:
            if n != right_one:
                zeros = torch.zeros_like(returned[n].result)
                returned[n] = replace(returned[n], result=zeros)
        report, one = WorkerReport(returned=returned), attempt(RELU)
        assert not raised_without_kernels(report, planned)
        found = judge_ablation(one, report, planned, "interpreter")
        assert isinstance(found, Rejected) is (right_one is not None)
        assert (one.composition is Composition.NOT_A_KERNEL) is (right_one is not None)


def test_no_answer_without_kernels_tells_nothing_and_is_asked_again() -> None:
    planned = plan_slots(RELU, 5, 1)
    assert raised_without_kernels(WorkerReport(), planned)
    assert judge_ablation(attempt(RELU), WorkerReport(), planned, "interpreter") is None


@pytest.mark.parametrize("kind", ["all", "large"])
def test_one_right_answer_over_poison_is_enough(kind: str) -> None:
    again = poisoned_slots(plan_slots(RELU, 5, 1))
    number, *_ = (n for n, slot in enumerate(again) if slot.poison == kind)
    report = WorkerReport(returned={number: right(again[number])})
    assert isinstance(judge_ablation(attempt(RELU), report, again, "interpreter"), Rejected)


def test_tasks_say_whether_moving_is_their_work() -> None:
    assert facts(SELECT).data_movement and facts("index/scatter").data_movement
    assert not facts(RELU).data_movement


def test_another_body_for_the_compiler_is_rejected_with_its_line() -> None:
    one = attempt(RELU)
    assert judge_bodies(one) is None
    difference = {"kernel": "k", "line": 12, "why": "runs in the interpreter"}
    one.differences = (another_body(difference),) * 2
    outcome = judge_bodies(one)
    assert isinstance(outcome, Rejected)
    assert [(found.line, found.why) for found in outcome.findings] == [
        (12, "line 12 runs in the interpreter (in a launch of k)")
    ]
