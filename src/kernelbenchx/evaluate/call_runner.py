"""Makes the calls of a plan. A second process makes the rest after a call that ended the first; on
a GPU failures are retried alone if other processes may have caused them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.evaluate.call_results import CallResults, results_of
from kernelbenchx.evaluate.calls import Slot, calls_without, shuffle_calls
from kernelbenchx.evaluate.gpu_health import (
    is_crowded,
    is_gpu_working,
    may_be_caused_by_others,
    may_be_gpu_fault,
    probe_gpu,
)
from kernelbenchx.evaluate.gpu_slots import GpuSlot
from kernelbenchx.evaluate.process_slots import ProcessSlots
from kernelbenchx.evaluate.slot_scheduler import PutOff, Turn
from kernelbenchx.evaluate.time_limits import CallLimit
from kernelbenchx.evaluate.workers import WorkerRun, Workers
from kernelbenchx.runner.orders import CallPlan


@dataclass(frozen=True)
class CallRunner:
    """Makes the calls of one submission."""

    workers: Workers
    plan: CallPlan
    planned: tuple[Slot, ...]
    tell: Callable[[str], None]
    secret: int = 0
    """Draws the order of calls in a second process."""
    limit: CallLimit | None = None
    """Where each call has a limit of its own."""
    turn: Turn | None = None
    """Where the submission may have to give way to others."""
    task: str = ""

    def run(self, plan: CallPlan) -> WorkerRun:
        """Calls of this submission within its time limit."""
        if self.limit is not None:
            return self.limit.run(self.workers, plan)
        return self.workers.run(plan, self.workers.settings.wall_s)

    def run_calls(self) -> CallResults:
        """The caller decides what else may use the GPU.

        After a process that ended in a call, a fresh one makes all others, in another order. A
        second such ending is the last: calls without an answer by then were not reached.
        """
        self.tell("calling")
        results = self._run_first_process()
        if results.fatal is None:
            return results
        numbers = calls_without(self.planned, results.fatal)
        numbers = shuffle_calls(self.planned, numbers, derive_seed(self.secret, "second process"))
        run = self.run(_reorder_calls(self.plan, numbers))
        later = results_of(run, [self.planned[number] for number in numbers])
        return results.merge_second_run(later, numbers)

    def _run_first_process(self) -> CallResults:
        """After a time limit ended the process, make its other calls only if no submission
        waits."""
        if self.turn is not None and self._name in self.turn.results:
            return self.turn.results[self._name]
        run = self.run(self.plan)
        results = results_of(run, self.planned)
        if self.turn is not None and results.fatal is not None and run.ending.timed_out:
            self.turn.results[self._name] = results
            if self.turn.others_wait:
                raise PutOff
        return results

    @property
    def _name(self) -> str:
        """A name for each set of calls: a submission may make its calls several times."""
        zeros = all(one.zeros for one in self.plan.calls)
        return f"{self.task} {zeros} {bool(self.plan.binaries)}"

    def run_on_gpu(self, card: GpuSlot, crews: ProcessSlots) -> CallResults:
        """Make the calls on a working GPU; a GPU that does not work is a fault of the evaluator."""
        self.tell("waiting")
        with card.gate.acquire_shared():
            results = self.run_calls()
            failed = list(results.every_failure())
            others = any(map(may_be_caused_by_others, failed))
            sound = (
                others
                or not any(map(may_be_gpu_fault, failed))
                or is_gpu_working(self.workers, card)
            )
        if others:
            return self._retry_on_gpu(card, crews)
        return results if sound else self._retry_alone(card, crews)

    def _retry_on_gpu(self, card: GpuSlot, crews: ProcessSlots) -> CallResults:
        """Retry with the GPU to itself, and with its memory if waiting processes hold most."""
        self.tell("waiting")
        with card.gate.acquire_exclusive():
            if not is_crowded(self.workers, card):
                return self.run_calls()
        return self._retry_alone(card, crews)

    def _retry_alone(self, card: GpuSlot, crews: ProcessSlots) -> CallResults:
        self.tell("waiting")
        with crews.take_alone(), card.gate.acquire_exclusive():
            probe_gpu(self.workers, card)
            return self.run_calls()


def _reorder_calls(plan: CallPlan, numbers: Sequence[int]) -> CallPlan:
    """These calls in this order; random numbers drawn inside a call are new ones, too."""
    place: dict[int | None, int] = {number: at for at, number in enumerate(numbers)}
    kept = (plan.calls[number] for number in numbers)
    calls = [replace(one, reuses=place.get(one.reuses)) for one in kept]
    return replace(
        plan, calls=tuple(calls), seed=derive_seed(plan.seed, "second process") % (1 << 31)
    )
