"""Calls on a card: what others may have caused is tried again alone, what a sick card did is
nobody's."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.outcome import Broken, Reason, Void
from kernelbenchx.evaluate import call_runner, gpu_health
from kernelbenchx.evaluate.call_runner import CallRunner
from kernelbenchx.evaluate.calls import find_first_call, plan_slots
from kernelbenchx.evaluate.gpu_health import GpuMemory
from kernelbenchx.evaluate.gpu_lock import GpuLock
from kernelbenchx.evaluate.process_slots import ProcessSlots
from kernelbenchx.evaluate.slot_scheduler import PutOff, SlotScheduler, Turn
from kernelbenchx.evaluate.workers import WorkerRun
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.orders import CallPlan, PlannedCall, WorkerError, WorkerReport

TAKEN = "CUDA out of memory. Process 4711 has 138 GiB memory in use."
ADDRESS = "CUDA error: an illegal memory access was encountered"
PLENTY, LITTLE = GpuMemory(100 << 30, 139 << 30), GpuMemory(1 << 30, 139 << 30)
LOST = WorkerRun(Ending(lost=True, fault="this far"), WorkerReport())


class Card:
    """A gate, and an account of who was there when."""

    def __init__(self, *, memory: GpuMemory | None = PLENTY) -> None:
        self.gate, self.crews = GpuLock(4, 1), ProcessSlots(4)
        self.memory = memory
        self.seen: list[str] = []

    def looked_at(self, _workers: object, _card: object) -> GpuMemory:
        self.seen.append(f"asked {self._state()}")
        if self.memory is None:
            raise EvaluatorFault("the card does not work")
        return self.memory

    def called(self) -> None:
        self.seen.append(f"called {self._state()}")

    def _state(self) -> str:
        alone = " with nobody waiting" if self.crews._alone else ""
        return ("alone" if self.gate._owned else "beside others") + alone


def _failing(kind: str, message: str) -> WorkerRun:
    report = WorkerReport(
        entry="relu", done=True, errors=[WorkerError("call", None, kind, message, 7)]
    )
    return WorkerRun(Ending(exit_code=0), report)


def _calling(card: Card, monkeypatch: pytest.MonkeyPatch, *runs: WorkerRun) -> CallRunner:
    left = iter(runs)

    def run(_plan: object, _wall_s: float) -> WorkerRun:
        card.called()
        return next(left)

    monkeypatch.setattr(gpu_health, "probe_gpu", card.looked_at)
    monkeypatch.setattr(call_runner, "probe_gpu", card.looked_at)
    workers: Any = SimpleNamespace(run=run, settings=SimpleNamespace(wall_s=1.0))
    plan: Any = None
    return CallRunner(workers, plan, plan_slots("activation/relu", 1, 1), lambda _stage: None)


def test_what_went_well_is_asked_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    card: Any = Card()
    _calling(card, monkeypatch, LOST).run_on_gpu(card, card.crews)
    assert card.seen == ["called beside others"]


def test_an_error_of_its_own_kernels_is_its_own_where_the_card_still_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    card: Any = Card()
    run = _failing("AcceleratorError", ADDRESS)
    (failed,) = _calling(card, monkeypatch, run).run_on_gpu(card, card.crews).every_failure()
    assert isinstance(failed, Broken) and ADDRESS in failed.detail
    assert card.seen == ["called beside others", "asked beside others"], "and it is not tried again"


@pytest.mark.parametrize("message", [ADDRESS, TAKEN])
def test_on_a_card_that_does_not_work_nobody_is_broken(
    monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    card: Any = Card(memory=None)
    with pytest.raises(EvaluatorFault):
        _calling(card, monkeypatch, _failing("AcceleratorError", message)).run_on_gpu(
            card, card.crews
        )
    with card.gate.acquire_exclusive(), card.crews.take_alone():
        pass  # and it is given back


@pytest.mark.parametrize(
    ("memory", "where"), [(PLENTY, "alone"), (LITTLE, "alone with nobody waiting")]
)
def test_for_want_of_memory_it_is_called_again_with_the_card_to_itself(
    monkeypatch: pytest.MonkeyPatch, memory: GpuMemory, where: str
) -> None:
    card: Any = Card(memory=memory)
    runs = _failing("OutOfMemoryError", TAKEN), LOST
    found = _calling(card, monkeypatch, *runs).run_on_gpu(card, card.crews)
    assert found.report is LOST.report, "what happened beside others does not count"
    first = ["asked alone"] if memory is LITTLE else []
    assert card.seen == ["called beside others", *first, f"asked {where}", f"called {where}"]


def test_where_nobody_can_begin_for_want_of_memory_the_others_have_to_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Full(Card):
        def looked_at(self, workers: object, card: object) -> GpuMemory:
            self.memory = PLENTY if self.crews._alone else None
            return super().looked_at(workers, card)

    for first in (_failing("OutOfMemoryError", TAKEN), _failing("AcceleratorError", ADDRESS)):
        card: Any = Full()
        found = _calling(card, monkeypatch, first, LOST).run_on_gpu(card, card.crews)
        assert found.report is LOST.report, "what happened where we could not begin does not count"
        where = "alone with nobody waiting"
        assert card.seen[-2:] == [f"asked {where}", f"called {where}"]


def test_who_wants_too_much_memory_also_alone_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    card: Any = Card()
    run = _failing("OutOfMemoryError", TAKEN)
    (failed,) = _calling(card, monkeypatch, run, run).run_on_gpu(card, card.crews).every_failure()
    assert isinstance(failed, Broken) and TAKEN in failed.detail


CALLS = plan_slots("activation/relu", 1, 1)


class Processes:
    """Runs what it is told, and remembers the plans."""

    def __init__(self, *runs: WorkerRun) -> None:
        self.plans: list[Any] = []
        self._left = iter(runs)

    def run(self, plan: Any, _wall_s: float) -> WorkerRun:
        self.plans.append(plan)
        return next(self._left)

    def calling(self) -> CallRunner:
        workers: Any = SimpleNamespace(run=self.run, settings=SimpleNamespace(wall_s=1.0))
        calls = tuple(
            PlannedCall(slot.call, (), ablate=slot.ablate, reuses=find_first_call(CALLS, slot))
            if slot.again
            else PlannedCall(slot.call, (), ablate=slot.ablate)
            for slot in CALLS
        )
        plan = CallPlan(mode="interpret", source="", entries=("relu",), form="function",
                    language="triton", seed=3, calls=calls)  # fmt: skip
        return CallRunner(workers, plan, CALLS, lambda _stage: None, secret=7)


def _crashed(begun: int | None) -> WorkerRun:
    return WorkerRun(Ending(signal=11), WorkerReport(entry="relu", begun=begun))


def _all_raised(count: int) -> WorkerRun:
    errors = [WorkerError("call", number, "ValueError", "no", 7) for number in range(count)]
    return WorkerRun(Ending(exit_code=0), WorkerReport(entry="relu", errors=errors, done=True))


FATAL = next(n for n, slot in enumerate(CALLS) if not (slot.ablate or slot.again))
WITHOUT = next(n for n, slot in enumerate(CALLS) if slot.ablate)


def test_after_a_crash_all_other_calls_are_made_again_in_another_order() -> None:
    processes = Processes(_crashed(FATAL), _all_raised(len(CALLS) - 1))
    found = processes.calling().run_calls()
    first, second = processes.plans
    lost = CALLS[FATAL].drawn.case.name
    again = [n for n, one in enumerate(CALLS) if one.drawn.case.name == lost and not one.ablate]
    kept = [one.call for n, one in enumerate(first.calls) if n not in again]
    assert len(second.calls) == len(kept)
    assert {id(one.call) for one in second.calls} == {id(one) for one in kept}
    assert [id(one.call) for one in second.calls] != [id(one) for one in kept]
    assert second.seed != first.seed
    crash = found.failures[FATAL]
    assert isinstance(crash, Broken) and crash.reason is Reason.CRASH
    assert crash.case == CALLS[FATAL].drawn.case.name
    others = {n for n, slot in enumerate(CALLS) if not slot.ablate} - set(again)
    assert set(found.failures) == others | {FATAL}, "each under the number that it was planned with"
    for number in others:
        failure = found.failures[number]
        assert isinstance(failure, Broken) and failure.case == CALLS[number].drawn.case.name


def test_memory_is_used_again_only_behind_the_call_that_it_belongs_to() -> None:
    processes = Processes(_crashed(FATAL), _all_raised(len(CALLS) - 1))
    processes.calling().run_calls()
    for plan in processes.plans:
        for at, one in enumerate(plan.calls):
            assert one.reuses is None or one.reuses < at


def test_after_a_second_ending_the_others_are_not_reached() -> None:
    found = Processes(_crashed(FATAL), _crashed(0)).calling().run_calls()
    broken = [one for one in found.failures.values() if isinstance(one, Broken)]
    assert len(broken) <= 2 and all(one.reason is Reason.CRASH for one in broken)
    assert not any(map(found.has_answer, range(len(CALLS))))


def test_an_end_without_kernels_says_nothing() -> None:
    count = sum(not slot.ablate for slot in CALLS)
    processes = Processes(_crashed(WITHOUT), _all_raised(count))
    found = processes.calling().run_calls()
    assert len(processes.plans[1].calls) == count
    assert WITHOUT not in found.failures
    assert all(isinstance(one, Broken) and one.reason is Reason.RUNTIME_ERROR
               for one in found.failures.values())  # fmt: skip


@pytest.mark.parametrize("first", [_crashed(None), WorkerRun(Ending(signal=11), WorkerReport())])
def test_a_crash_in_no_call_leaves_nothing_to_try_again(first: WorkerRun) -> None:
    processes = Processes(first)
    found = processes.calling().run_calls()
    assert isinstance(found.whole, Broken) and found.whole.reason is Reason.CRASH
    assert len(processes.plans) == 1


class Queue(SlotScheduler):
    """Says whether others wait."""

    def __init__(self, *, waiting: bool) -> None:
        super().__init__(2)
        self.waiting = waiting

    def others_wait(self) -> bool:
        return self.waiting


SPUN = WorkerRun(
    Ending(signal=9, over="call", limit_s=3.0), WorkerReport(entry="relu", begun=FATAL)
)


def test_what_the_limit_ended_goes_on_only_when_no_other_waits() -> None:
    turn, queue = Turn(), Queue(waiting=True)
    turn.begin(queue)
    processes = Processes(SPUN, _all_raised(len(CALLS) - 1))
    with pytest.raises(PutOff):
        replace(processes.calling(), turn=turn).run_calls()
    assert len(processes.plans) == 1
    queue.waiting = False
    found = replace(processes.calling(), turn=turn).run_calls()
    assert len(processes.plans) == 2, "what it told before is not asked again"
    spun = found.failures[FATAL]
    assert isinstance(spun, Broken) and spun.reason is Reason.TIMEOUT
    assert len(found.failures) > 1


def test_where_no_other_waits_it_goes_on_at_once() -> None:
    turn = Turn()
    turn.begin(Queue(waiting=False))
    processes = Processes(SPUN, _all_raised(len(CALLS) - 1))
    replace(processes.calling(), turn=turn).run_calls()
    assert len(processes.plans) == 2


def test_what_crashed_goes_on_though_others_wait() -> None:
    turn = Turn()
    turn.begin(Queue(waiting=True))
    processes = Processes(_crashed(FATAL), _all_raised(len(CALLS) - 1))
    replace(processes.calling(), turn=turn).run_calls()
    assert len(processes.plans) == 2


def test_calls_with_other_facts_are_told_apart() -> None:
    turn = Turn()
    turn.begin(Queue(waiting=False))
    processes = Processes(*[SPUN, _all_raised(len(CALLS) - 1)] * 2)
    calling = replace(processes.calling(), turn=turn)
    calling.run_calls()
    replace(calling, task="another").run_calls()
    assert len(processes.plans) == 4


def test_a_fault_of_ours_in_the_second_process_is_a_fault() -> None:
    found = Processes(_crashed(FATAL), LOST).calling().run_calls()
    assert isinstance(found.whole, Void)
