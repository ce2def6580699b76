"""Stages in order, on real submissions through real workers."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import (
    Broken,
    Composition,
    Correct,
    Reached,
    Reason,
    Rejected,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.performance import Failed, Unmeasured
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate import checking, gpu_health, performance_stage
from kernelbenchx.evaluate import pipeline as pipeline_module
from kernelbenchx.evaluate.call_results import results_of
from kernelbenchx.evaluate.calls import plan_slots
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.gpu_lock import GpuLock
from kernelbenchx.evaluate.gpu_slots import GpuSlots
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluate.workers import WorkerRun, Workers
from kernelbenchx.measure.bench_server import NO_MEMORY
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.orders import CallPlan, WorkerError, WorkerReport

RELU = witness_source("activation/relu")
HEAD = "import torch\nimport triton\nimport triton.language as tl\n\n"
KERNEL = """
@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, tl.where(v < 0, 0.0, v), mask=at < n)

"""


def _evaluate(pipeline: Pipeline, source: str, **settings: object) -> Evaluation:
    changed = msgspec.structs.replace(pipeline.settings, **settings)
    other = replace(pipeline, workers=replace(pipeline.workers, settings=changed))
    return other.evaluate(Submission(name="s", task="activation/relu", source=source))


def test_a_right_kernel_is_correct_pure_and_compiled(pipeline: Pipeline) -> None:
    evaluation = _evaluate(pipeline, RELU)
    assert isinstance(evaluation.outcome, Correct)
    assert evaluation.composition is Composition.PURE
    assert evaluation.stage is Stage.EXE
    assert evaluation.provisional and evaluation.device == "interpreter"
    assert evaluation.kernels and all(kernel.ok for kernel in evaluation.kernels)


def test_stages_end_where_they_are_asked_to(pipeline: Pipeline) -> None:
    wrong = RELU.replace("0.0", "0.5")
    assert wrong != RELU
    called = _evaluate(pipeline, wrong, stage=Stage.CALL)
    assert called.outcome == Reached(stage=Stage.CALL)
    assert called.stage is Stage.CALL
    checked = _evaluate(pipeline, wrong, stage=Stage.CHECK)
    assert checked.outcome == Reached(stage=Stage.CHECK) and checked.kernels == ()


def test_a_wrong_kernel_is_wrong_and_says_where(pipeline: Pipeline) -> None:
    source = (
        HEAD
        + KERNEL
        + (
            "def relu(input, inplace=False):\n"
            "    x = input.contiguous()\n"
            "    y = torch.empty_like(x)\n"
            "    n = x.numel() // 256 * 256\n"
            "    if n:\n"
            "        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)\n"
            "    if inplace:\n"
            "        return input.copy_(y)\n"
            "    return y\n"
        )
    )
    outcome = _evaluate(pipeline, source).outcome
    assert isinstance(outcome, Wrong)
    assert outcome.reason is Reason.BAD_VALUES
    assert "tail" in outcome.pattern or "NaN" in outcome.pattern


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("    raise RuntimeError('no')\n", Reason.RUNTIME_ERROR),
        (
            "    kernel[(9,)](input, torch.empty_like(input), 10**6, BLOCK=256)\n",
            Reason.OUT_OF_BOUNDS,
        ),
    ],
)
def test_a_call_that_fails_is_broken_with_its_line(
    pipeline: Pipeline, body: str, reason: Reason
) -> None:
    launch = "    if input.numel() < 0:\n        kernel[(1,)](input, input, 0, BLOCK=16)\n"
    source = HEAD + KERNEL + "def relu(input, inplace=False):\n" + launch + body
    outcome = _evaluate(pipeline, source).outcome
    assert isinstance(outcome, Broken)
    assert (outcome.stage, outcome.reason) == (Stage.CALL, reason)
    assert outcome.line > 0


def test_torch_beside_a_decoy_is_told_apart(pipeline: Pipeline) -> None:
    source = (
        HEAD
        + KERNEL
        + (
            "def relu(input, inplace=False):\n"
            "    scratch = torch.empty_like(input)\n"
            "    kernel[(1,)](input, scratch, min(input.numel(), 16), BLOCK=16)\n"
            "    y = input.clamp(min=0)\n"
            "    return input.copy_(y) if inplace else y\n"
        )
    )
    with_checks = _evaluate(pipeline, source)
    assert with_checks.composition is not Composition.PURE
    without = _evaluate(pipeline, source, checks=False)
    assert isinstance(without.outcome, Rejected)
    assert "do nothing" in without.outcome.findings[0].why


def test_a_fault_of_ours_is_retried_and_then_void(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    def broken(*_arguments: object) -> None:
        tried.append(1)
        raise OSError("the disk is gone")

    monkeypatch.setattr(checking, "check_source", broken)
    outcome = _evaluate(pipeline, RELU).outcome
    assert isinstance(outcome, Void) and outcome.reason is Reason.EVALUATOR
    assert "the disk is gone" in outcome.detail
    assert len(tried) == pipeline_module.RETRIES + 1


@pytest.mark.parametrize(("stage", "timed"), [(Stage.PERF, 1), (Stage.EXE, 0)])
def test_who_is_correct_is_timed_where_times_are_wanted(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch, stage: Stage, timed: int
) -> None:
    asked: list[object] = []

    def time_submission(_attempt: object, card: object, _tell: object) -> Unmeasured:
        asked.append(card)
        return Unmeasured(reason=Reason.DISTURBED, detail="looked at")

    monkeypatch.setattr(Pipeline, "_stages_on", lambda *_: Correct(cases=1, worst=0.5))
    slot: Any = SimpleNamespace(index=0)
    timing: Any = SimpleNamespace(time_submission=time_submission)
    ahead: Any = SimpleNamespace(
        compile_for_timing=lambda _attempt, card, _tell: asked.append((card, "ahead"))
    )
    settings = msgspec.structs.replace(pipeline.settings, stage=stage)
    workers = replace(pipeline.workers, settings=settings)
    whole = replace(
        pipeline, workers=workers, gpu_slots=GpuSlots((slot,)), timing=timing, ahead=ahead
    )
    found = whole.evaluate(Submission(name="s", task="activation/relu", source=RELU))
    assert asked == [(slot, "ahead"), slot] * timed
    assert (found.performance is not None) == bool(timed)


SHORT = Unmeasured(reason=Reason.EVALUATOR, detail=f"the bench: {NO_MEMORY}: 7")
OTHER = Unmeasured(reason=Reason.DISTURBED, detail="looked at")


@pytest.mark.parametrize(
    ("first", "crowded", "times"),
    [(SHORT, True, [False, True]), (SHORT, False, [False]), (OTHER, True, [False])],
)
def test_for_want_of_memory_that_others_hold_it_is_timed_again_when_they_are_gone(
    pipeline: Pipeline,
    monkeypatch: pytest.MonkeyPatch,
    first: Unmeasured,
    crowded: bool,
    times: list[bool],
) -> None:
    asked: list[bool] = []
    cards = GpuSlots((SimpleNamespace(index=0, gate=GpuLock(1, 1)),))  # type: ignore[arg-type]
    monkeypatch.setattr(performance_stage, "is_crowded", lambda *_: crowded)

    def time_submission(*_given: object, alone: bool = False) -> Unmeasured:
        asked.append(alone)
        assert bool(cards.process_slots._alone) is alone
        return OTHER if alone else first

    monkeypatch.setattr(Pipeline, "_stages_on", lambda *_: Correct(cases=1, worst=0.5))
    settings = msgspec.structs.replace(pipeline.settings, stage=Stage.PERF)
    timing: Any = SimpleNamespace(time_submission=time_submission)
    workers = replace(pipeline.workers, settings=settings)
    whole = replace(pipeline, workers=workers, gpu_slots=cards, timing=timing, ahead=None)
    found = whole.evaluate(Submission(name="s", task="activation/relu", source=RELU))
    assert asked == times and found.performance == (OTHER if times[-1] else first)


HUNG = Failed(case="c", reason=Reason.TIMEOUT, detail="Hung: no answer", process="entry 0")
STALE = Failed(case="c", reason=Reason.STALE, detail="d", process="entry 0")


@pytest.mark.parametrize(
    ("found", "answers", "kept"),
    [
        (HUNG, [True], True),
        (HUNG, [False, True], True),
        (HUNG, [False, False], False),
        (STALE, [], True),
    ],
)
def test_a_card_that_does_not_work_fails_nobody(
    pipeline: Pipeline,
    monkeypatch: pytest.MonkeyPatch,
    found: Failed,
    answers: list[bool],
    kept: bool,
) -> None:
    slot = SimpleNamespace(index=0, device="cuda:0", gate=GpuLock(1, 1))
    cards = GpuSlots((slot,))  # type: ignore[arg-type]
    monkeypatch.setattr(gpu_health, "is_gpu_working", lambda *_: answers.pop(0))
    monkeypatch.setattr(Pipeline, "_stages_on", lambda *_: Correct(cases=1, worst=0.5))
    settings = msgspec.structs.replace(pipeline.settings, stage=Stage.PERF)
    timing: Any = SimpleNamespace(time_submission=lambda *_: found)
    workers = replace(pipeline.workers, settings=settings)
    whole = replace(pipeline, workers=workers, gpu_slots=cards, timing=timing, ahead=None)
    said = whole.evaluate(Submission(name="s", task="activation/relu", source=RELU)).performance
    assert not answers
    if kept:
        assert said == found
    else:
        assert isinstance(said, Unmeasured) and said.reason is Reason.EVALUATOR
        assert said.detail == "cuda:0 does not work: Hung: no answer"


def test_the_card_is_named_on_which_it_ran(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pipeline, "_stages_on", lambda *_: Correct(cases=1, worst=0.5))
    monkeypatch.setattr(pipeline_module, "read_gpu_name", lambda index: f"card {index}")
    submission = Submission(name="s", task="activation/relu", source=RELU)
    cards = GpuSlots((SimpleNamespace(index=4),))  # type: ignore[arg-type]
    assert replace(pipeline, gpu_slots=cards).evaluate(submission).environment.gpu == "card 4"
    assert pipeline.evaluate(submission).environment.gpu == ""


def test_on_a_card_calls_are_compiled_ahead_before_it_is_asked_for(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    plans: list[CallPlan] = []

    def for_checks(_attempt: object, plan: CallPlan, card: Any, tell: Any) -> CallPlan:
        assert card is slot and plan.device == "cuda:3"
        tell("compiling")
        with card.gate.acquire_exclusive():  # nobody uses the card meanwhile
            return replace(plan, compiled=b"compiled")

    def run(_workers: object, plan: CallPlan, _wall_s: float) -> WorkerRun:
        plans.append(plan)
        return WorkerRun(Ending(lost=True, fault="seen enough"), WorkerReport())

    monkeypatch.setattr(Workers, "run", run)
    slot: Any = SimpleNamespace(index=3, device="cuda:3", gate=GpuLock(1, 1))
    ahead: Any = SimpleNamespace(compile_for_checks=for_checks)
    settings = msgspec.structs.replace(pipeline.settings, device="cuda")
    whole = replace(
        pipeline,
        workers=replace(pipeline.workers, settings=settings),
        gpu_slots=GpuSlots((slot,)),
        tell=lambda _name, stage: told.append(stage),
    )
    submission = Submission(name="s", task="activation/relu", source=RELU)
    for each, stages_told in ((None, []), (ahead, ["compiling"])):
        told.clear()
        replace(whole, ahead=each)._outcome(_attempt(submission))
        assert told == ["checking", *stages_told, "waiting", "calling", "judging"]
    assert [plan.compiled for plan in plans] == [b"", b"compiled"]


def test_a_worker_that_did_not_end_names_the_call_that_was_under_way() -> None:
    planned = plan_slots("activation/relu", 3, 4)
    late = Ending(signal=9, over="wall", limit_s=5.0, seconds=5.1)
    at = next(n for n, slot in enumerate(planned) if not slot.ablate)
    found = results_of(WorkerRun(late, WorkerReport(entry="relu", begun=at)), planned)
    failure = found.failures[at]
    assert found.fatal == at
    assert isinstance(failure, Broken) and failure.reason is Reason.TIMEOUT
    assert failure.case == planned[at].drawn.case.name
    for report in (
        WorkerReport(),
        WorkerReport(entry="relu"),
    ):  # not loaded, or behind the last call
        whole = results_of(WorkerRun(late, report), planned).whole
        assert isinstance(whole, Broken) and whole.case == ""


def _attempt(submission: Submission) -> EvaluationState:
    known = facts(submission.task)
    return EvaluationState(submission, known, accepted_entries(known))


@pytest.mark.parametrize(
    ("kind", "message", "reason"),
    [
        ("CompilationError", "at 3:4: no", Reason.COMPILE_ERROR),
        ("CompileTimeAssertionFailure", "at 3:4: no", Reason.COMPILE_ERROR),
        ("UnsupportedLanguageConstruct", "at 3:4: no", Reason.COMPILE_ERROR),
        ("PTXASError", "Insufficient registers\nRepro command: ptxas x", Reason.COMPILE_ERROR),
        ("OutOfResources", "shared memory", Reason.COMPILE_ERROR),
        ("RuntimeError", "PassManager::run failed", Reason.COMPILE_ERROR),
        ("RuntimeError", "shapes do not match", Reason.RUNTIME_ERROR),
        ("ValueError", "PassManager::run failed", Reason.RUNTIME_ERROR),
    ],
)
@pytest.mark.parametrize("caught", [False, True])
def test_what_triton_does_not_compile_is_a_compile_error_on_a_card_too(
    kind: str, message: str, reason: Reason, caught: bool
) -> None:
    planned = plan_slots("activation/relu", 1, 1)
    at = next(n for n, slot in enumerate(planned) if not slot.ablate)
    report = WorkerReport(entry="relu", done=True)
    if caught:
        failure = {"type": kind, "message": message, "kernel": "_relu"}
        report.traces[at] = {"failures": [failure]}
    else:
        report.errors.append(WorkerError("call", at, kind, message, 7))
    outcome = results_of(WorkerRun(Ending(exit_code=0), report), planned).failures[at]
    assert isinstance(outcome, Broken) and outcome.reason is reason
    assert message.partition("\n")[0] in outcome.detail and "Repro" not in outcome.detail
