"""Compiles submissions in parallel with everything else, without the GPU, so that the process that
holds the GPU does not wait for the compiler."""

import heapq
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from kernelbenchx.core.errors import EvaluatorFault
from kernelbenchx.core.evaluation import KernelFacts
from kernelbenchx.evaluate.compiler_facts import needs_of
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.gpu_slots import GpuSlot
from kernelbenchx.evaluate.machine import find_gpu_target
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.measure.input_layout import describe_call, layout_for
from kernelbenchx.runner.compiled_frames import foresees_obstacle, kernels_in, pack_compiled
from kernelbenchx.runner.orders import CallPlan, PlannedCall, write_order
from kernelbenchx.runner.scratch import OversizedResult, Scratch, read_result
from kernelbenchx.worker.limits import Limits
from kernelbenchx.worker.triton_cache import MOST_BYTES

Urgency = tuple[int, int]
"""The smallest goes first; among equals, the first to come."""


class PrioritySemaphore:
    """A semaphore with an order."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._waiting: list[tuple[Urgency, int]] = []

    @contextmanager
    def acquire(self, urgency: Urgency) -> Iterator[None]:
        """Acquire one of the places."""
        with self._changed:
            mine = (urgency, next(self._numbers))
            heapq.heappush(self._waiting, mine)
            self._changed.wait_for(lambda: self._free > 0 and self._waiting[0] == mine)
            heapq.heappop(self._waiting)
            self._free -= 1
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()


LEFT_FREE = 4
"""Cores left to processes that are being timed."""
_HEADERS = 1 << 20


_TIMES, _CHECKS = 0, 1
"""Correct submissions go first: the GPU should not wait for kernels to time."""


def _make_compile_slots() -> PrioritySemaphore:
    return PrioritySemaphore(max(1, (os.cpu_count() or 1) - LEFT_FREE))


@dataclass
class AheadCompiler:
    """Compiles submissions in processes that see the forms of calls and no values.

    A failure here costs time and nothing else: processes on the GPU compile what they do not find.
    """

    workers: Workers
    target: Callable[[int], str] = find_gpu_target
    _room: PrioritySemaphore = field(default_factory=_make_compile_slots)

    def compile_for_checks(
        self, attempt: EvaluationState, plan: CallPlan, card: GpuSlot, tell: Callable[[str], None]
    ) -> CallPlan:
        """Compiles what the calls of a plan will launch; the plan carries the results."""
        forms = tuple(dict.fromkeys(describe_form(planned, plan.form) for planned in plan.calls))
        result = self._compile_for_gpu(replace(plan, layouts=forms), card, _CHECKS, tell)
        attempt.compiled = pack_compiled(result)
        attempt.kernels = needs_of(kernels_in(result), self.target(card.index))
        return replace(plan, compiled=attempt.compiled)

    def compile_for_timing(
        self, attempt: EvaluationState, card: GpuSlot, tell: Callable[[str], None]
    ) -> None:
        """Compiles what will be launched while it is timed, beside what exists already."""
        tell("waiting")
        try:
            forms = tuple(one.to_json() for one in card.bench.layouts(attempt.submission.task))
        except EvaluatorFault:
            return  # the performance stage reports it
        plan = CallPlan(
            mode="ahead",
            source=attempt.source,
            entries=attempt.entries,
            binding=attempt.binding,
            form=attempt.facts.form,
            language=attempt.submission.language,
            seed=0,
            calls=(),
            all_configurations=True,
            layouts=forms,
            compiled=attempt.compiled,
        )
        result = self._compile_for_gpu(plan, card, _TIMES, tell)
        attempt.compiled += pack_compiled(result, MOST_BYTES - len(plan.compiled))
        attempt.foresees_obstacle = foresees_obstacle(result)
        attempt.kernels = _merge_timed_kernels(attempt.kernels, result, self.target(card.index))

    def _compile_for_gpu(
        self, plan: CallPlan, card: GpuSlot, purpose: int, tell: Callable[[str], None]
    ) -> bytes:
        target = self.target(card.index)
        if not target:
            return b""
        plan = replace(plan, mode="ahead", calls=(), device="cpu", target=target, red_zone=0)
        # Short sources usually compile sooner, and some submission should be ready soon.
        tell("waiting")
        with self._room.acquire((purpose, len(plan.source))):
            tell("compiling")
            try:
                return self._compile_plan(plan)
            except (EvaluatorFault, OversizedResult, OSError):
                return b""

    def _compile_plan(self, plan: CallPlan) -> bytes:
        settings = self.workers.settings
        limits = Limits(
            wall_s=settings.compile_time_limit_s,
            cpu_s=settings.compile_time_limit_s,
            memory_bytes=settings.memory_bytes,
            result_bytes=MOST_BYTES + _HEADERS,
        )
        with Scratch() as scratch:
            order, result = scratch.path / "order", scratch.result("ahead")
            write_order(order, plan)
            self.workers.zygotes["ahead"].run(order, result, limits)
            return read_result(result, limit_bytes=limits.result_bytes)


def _merge_timed_kernels(known: list[KernelFacts], result: bytes, target: str) -> list[KernelFacts]:
    """What kernels need on the timed inputs, which are the large ones.

    Of a list of autotune configurations all were compiled, and which one will be chosen is not
    known: what was known before stays.
    """
    said = (one for one in kernels_in(result) if isinstance(one, dict))
    found = needs_of((one for one in said if one.get("configuration") is None), target)
    names = {one.name for one in found}
    return sorted([*(one for one in known if one.name not in names), *found], key=_name)


def _name(one: KernelFacts) -> str:
    return one.name


def describe_form(planned: PlannedCall, form: str) -> str:
    """Describe a call without its values."""
    return layout_for(describe_call(planned.call), 0, 1, form).to_json()
