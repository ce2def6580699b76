"""Runs plans in warm workers and reads back what they wrote."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.evaluate.slot_scheduler import Turn
from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.levels import WorkerIsolation
from kernelbenchx.runner.orders import CallPlan, WorkerReport, parse_report, write_order
from kernelbenchx.runner.scratch import OversizedResult, Scratch, read_result
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.worker.limits import Limits, compiler_limits, interpreter_limits


def _wall_clock_limits(seconds: float, **others: int) -> Limits:
    return Limits(wall_s=seconds, cpu_s=seconds, **others)


_LIMITS = {"interpret": interpreter_limits, "compile": compiler_limits}
"""Limits by elapsed time of each mode, from its time limit; all other limits count CPU time."""


@dataclass(frozen=True)
class WorkerRun:
    """How a worker ended and what it had written by then."""

    ending: Ending
    report: WorkerReport


@dataclass(frozen=True)
class Workers:
    """One zygote per mode; safe to use from several threads."""

    zygotes: dict[str, Zygote]
    settings: ResolvedSettings
    isolation: WorkerIsolation
    turn: Turn | None = None
    """The turn of the running submission: it may have to give way to others."""

    def stop(self) -> None:
        """End everything that runs; nothing runs afterwards."""
        for zygote in self.zygotes.values():
            zygote.stop()

    def run(
        self,
        plan: CallPlan,
        wall_s: float,
        call_s: float = math.inf,
        kind: str = "",
        *,
        by_clock: bool = False,
    ) -> WorkerRun:
        """Write the order, fork a worker for it, read the result after the worker ended.

        `call_s` limits each call. `kind` names the zygote, if the mode does not. With `by_clock`
        the limit counts elapsed time, and not CPU time. Raises `PutOff` if the submission has to
        give way.
        """
        kind = kind or plan.mode
        sizes = {
            "memory_bytes": self.settings.memory_bytes,
            "result_bytes": self.settings.output_bytes,
        }
        limits_in = _wall_clock_limits if by_clock else _LIMITS.get(kind, _wall_clock_limits)
        limits = replace(limits_in(wall_s, **sizes), call_s=call_s)
        with Scratch() as scratch:
            order, result = scratch.path / "order", scratch.result("worker")
            placed = write_order(order, plan)
            ending = self._ending(kind, order, result, limits)
            ending = replace(ending, limit_s=call_s if ending.over_call else wall_s)
            if ending.lost:
                return WorkerRun(ending, WorkerReport())
            try:
                data = read_result(result, limit_bytes=self.settings.output_bytes)
            except OversizedResult:
                return WorkerRun(replace(ending, over="result"), WorkerReport())
        return WorkerRun(ending, parse_report(data, plan, placed))

    def _ending(self, mode: str, order: Path, result: Path, limits: Limits) -> Ending:
        if self.turn is None:
            return self.zygotes[mode].run(order, result, limits)
        limits = replace(limits, long_s=self.turn.left_s)
        return self.turn.wait_for(self.zygotes[mode].start(order, result, limits))
