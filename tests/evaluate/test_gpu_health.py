"""A card is asked before an error on it is believed to be a submission's."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Broken, Correct, Reason, Stage
from kernelbenchx.core.performance import Failed, Unmeasured
from kernelbenchx.evaluate.gpu_health import (
    GpuMemory,
    is_short_of_memory,
    may_be_caused_by_others,
    may_be_gpu_fault,
    probe_gpu,
)
from kernelbenchx.evaluate.workers import WorkerRun
from kernelbenchx.measure.bench_server import NO_MEMORY
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.orders import CallPlan, WorkerError, WorkerReport
from kernelbenchx.spec.outputs import CallResult

TAKEN = "OutOfMemoryError: CUDA out of memory. Process 4711 has 138 GiB memory in use."
BUSY = "AcceleratorError: CUDA error: all CUDA-capable devices are busy or unavailable"
ADDRESS = "RuntimeError: Triton Error [CUDA]: an illegal memory access was encountered"
OWN = "RuntimeError: shapes do not match, out of memory of them"
CARD: Any = SimpleNamespace(device="cuda:1")
GIB = 1 << 30


def _broken(detail: str, reason: Reason = Reason.RUNTIME_ERROR) -> Broken:
    return Broken(stage=Stage.CALL, reason=reason, detail=detail)


@pytest.mark.parametrize(
    ("outcome", "doubtful", "others"),
    [
        (_broken(TAKEN), True, True),
        (_broken(BUSY, Reason.LOAD_ERROR), True, True),
        (_broken(f"ended itself; last words: {TAKEN}", Reason.EXIT), True, True),
        (_broken(ADDRESS), True, False),
        (_broken("not finished within the time limit", Reason.TIMEOUT), True, False),
        (_broken("killed by SIGSEGV", Reason.CRASH), True, False),
        (_broken(f"no end; last words: {TAKEN}", Reason.TIMEOUT), True, False),
        (_broken(OWN), False, False),
        (Failed(case="c", reason=Reason.TIMEOUT, detail="Hung"), True, False),
        (Failed(case="c", reason=Reason.RUNTIME_ERROR, detail=ADDRESS), True, False),
        (Failed(case="c", reason=Reason.STALE, detail="out[0] is 1"), False, False),
        (Correct(cases=1, worst=0.0), False, False),
        (None, False, False),
    ],
)
def test_which_outcomes_may_be_the_cards_or_others(
    outcome: Any, doubtful: bool, others: bool
) -> None:
    assert may_be_gpu_fault(outcome) is doubtful
    assert may_be_caused_by_others(outcome) is others


@pytest.mark.parametrize(
    ("found", "short"),
    [
        (Failed(case="c", reason=Reason.RUNTIME_ERROR, detail=TAKEN), True),
        (Failed(case="c", reason=Reason.MALFORMED, detail=f"Senseless: {TAKEN}"), False),
        (Failed(case="c", reason=Reason.RUNTIME_ERROR, detail=OWN), False),
        (Failed(case="c", reason=Reason.RUNTIME_ERROR, detail=ADDRESS), False),
        (Unmeasured(reason=Reason.EVALUATOR, detail=f"the bench: {NO_MEMORY}: 7"), True),
        (Unmeasured(reason=Reason.IMPOSSIBLE, detail="faster than the card"), False),
    ],
)
def test_which_times_are_missing_for_want_of_memory(found: Any, short: bool) -> None:
    assert is_short_of_memory(found) is short


@pytest.mark.parametrize(
    ("free", "total", "crowded"),
    [(15, 139, True), (17, 139, False), (11, 24, True), (13, 24, False)],
)
def test_little_memory_is_told_from_enough(free: int, total: int, crowded: bool) -> None:
    assert GpuMemory(free * GIB, total * GIB).crowded is crowded


class FakeWorkers:
    def __init__(self, run: WorkerRun) -> None:
        self.plans: list[CallPlan] = []
        self._run = run

    def run(self, plan: CallPlan, _wall_s: float) -> WorkerRun:
        self.plans.append(plan)
        return self._run


def _answered(offset: float) -> WorkerRun:
    memory = torch.tensor([3, 7], dtype=torch.int64)
    result = (torch.arange(1024.0) + offset, memory)
    after: Any = None
    return WorkerRun(
        Ending(exit_code=0), WorkerReport(returned={0: CallResult(result, after)}, done=True)
    )


def test_a_card_that_computes_says_how_much_memory_is_free() -> None:
    workers: Any = FakeWorkers(_answered(1.0))
    assert probe_gpu(workers, CARD) == GpuMemory(3, 7)
    (plan,) = workers.plans
    assert (plan.mode, plan.device) == ("cuda", "cuda:1")


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (_answered(1.5), "no answer"),
        (WorkerRun(Ending(exit_code=0), WorkerReport()), "no answer"),
        (WorkerRun(Ending(signal=9, over="wall"), _answered(1.0).report), "no answer"),
        (
            WorkerRun(
                Ending(exit_code=0),
                WorkerReport(errors=[WorkerError("call", 0, "X", "CUDA gone", 1)]),
            ),
            "X: CUDA gone",
        ),
    ],
)
def test_a_card_that_does_not_compute_is_a_fault_of_ours(run: WorkerRun, why: str) -> None:
    workers: Any = FakeWorkers(run)
    with pytest.raises(EvaluatorFault, match=f"cuda:1 does not work: {why}"):
        probe_gpu(workers, CARD)
