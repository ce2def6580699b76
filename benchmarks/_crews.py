"""Processes for benchmarks on a card: started, confined and ended as an evaluation does it."""

import gc
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TypeVar

import torch
from _plans import Place, Recorded, Replaying, Slowed
from _walled import OneMore, Usual, WallCrew, Walled

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.environment import Environment
from kernelbenchx.core.errors import KbxError
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.evaluation_state import EvaluationState
from kernelbenchx.evaluate.expectation import accepted_entries
from kernelbenchx.evaluate.gpu_slots import GpuSlot, GpuSlots
from kernelbenchx.evaluate.machine import environment
from kernelbenchx.evaluate.session import resolve_settings
from kernelbenchx.evaluate.submission_timing import Timing
from kernelbenchx.evaluate.timed_processes import entry_plan, open_timed_process, replay_plan
from kernelbenchx.evaluate.workers import Workers
from kernelbenchx.evaluate.zygotes import open_zygotes
from kernelbenchx.measure.baseline_processes import PAIRS
from kernelbenchx.measure.bench import Bench
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed, awake
from kernelbenchx.replay.plan import replayable
from kernelbenchx.runner.isolation import choose
from kernelbenchx.worker import reserved_cores

_COMPILE_S = 120.0
Kind = TypeVar("Kind", bound=Replaying)
Walling = TypeVar("Walling", OneMore, Usual)


@dataclass(frozen=True)
class Station:
    """One card, a warm parent for its processes, and the settings of both."""

    timing: Timing
    gpu_slots: GpuSlots
    settings: Settings
    isolation: str
    environment: Environment

    @property
    def card(self) -> GpuSlot:
        """The first card."""
        return self.gpu_slots.slots[0]


@contextmanager
def station(jobs: int, seed: int, baseline: str = "eager") -> Iterator[Station]:
    """Open it; processes start when they are asked for."""
    settings = resolve_settings(
        Settings(device="cuda", stage=Stage.PERF, baselines=(baseline,), jobs=jobs, gpus=(0,))
    )
    isolation = choose(None)
    with open_zygotes(settings, isolation) as zygotes:
        timing, cards = Timing(Workers(zygotes, settings, isolation)), GpuSlots.of(settings, seed)
        with closing(cards), closing(timing):
            level, machine = isolation.level.value, environment("cuda")
            yield Station(timing, cards, settings, level, machine)


def attempt_of(name: str, source: str) -> EvaluationState:
    """A submission that no rule has looked at."""
    known = facts(name)
    submission = Submission(name=name.partition("/")[2], task=name, source=source)
    return EvaluationState(submission, known, accepted_entries(known))


def bench_of(device: str, seed: int) -> tuple[Bench, Place]:
    """Inputs, clock and card in this process, without references."""
    torch.set_num_threads(1)
    gc.disable()  # as in a bench of its own: it would come while a clock runs
    if device.startswith("cuda"):
        gc.collect()
        torch.cuda.empty_cache()  # how much room there is depends on what is free
    bench = Bench.for_device(device, seed, ())
    return bench, Place(bench.card, bench.clock, chance=bench.chance)


def inputs_of(bench: Bench, name: str, case: str, *, walled: bool = False) -> CaseInputs:
    """Those of one case, as an evaluation would draw them for replays or for the judge's clock."""
    return bench._inputs_of(name, case, walled=walled)


@contextmanager
def replays(here: Station, kind: type[Kind], names: Sequence[str]) -> Iterator[list[Kind]]:
    """Processes without any submission in them, all of them ready."""
    with ExitStack() as stack:
        found = []
        for name in names:
            raw = stack.enter_context(
                open_timed_process(here.timing.workers, replay_plan(here.card.device), [])
            )
            made = kind(name, raw.channel, raw.device, trusted=True)
            found.append(stack.enter_context(closing(made)))
        for one in found:
            one.hello()
        yield found


@contextmanager
def slowed_replays(here: Station, names: Sequence[str]) -> Iterator[list[Slowed]]:
    """Each with the second process that it needs."""
    with replays(here, Slowed, names) as found:
        with replays(here, Replaying, [f"{name}, rounds" for name in names]) as others:
            for one, other in zip(found, others, strict=True):
                one.shorter = other
            yield found


@contextmanager
def wall_crews(
    here: Station, inputs: Mapping[str, Sequence[CaseInputs]]
) -> Iterator[list[WallCrew]]:
    """For every task two processes with its witness on each side, all of them compiled at once.

    What goes wrong with that is said again when they are timed.
    """
    with ExitStack() as stack:
        found = [stack.enter_context(_wall_crew(here, name)) for name in inputs]
        ready = [
            (runner, cases)
            for crew, cases in zip(found, inputs.values(), strict=True)
            for runner in crew.everybody
        ]
        with ThreadPoolExecutor(max(1, min(here.settings.jobs, len(ready)))) as pool:
            for runner, cases in ready:
                pool.submit(_compiled, runner, cases)
        yield found


@contextmanager
def _wall_crew(here: Station, name: str) -> Iterator[WallCrew]:
    attempt = attempt_of(name, witness_source(name))
    with ExitStack() as stack:

        def started(kind: type[Walling], role: str) -> list[Walling]:
            found = []
            for number in range(PAIRS):
                raw = stack.enter_context(
                    open_timed_process(
                        here.timing.workers, entry_plan(attempt, here.card.device), []
                    )
                )
                made = kind(f"{role} {number}", raw.channel, raw.device, trusted=kind is Usual)
                made.process, raw.process = raw.process, -1  # who has it closes it
                found.append(stack.enter_context(closing(made)))
            return found

        yield WallCrew(started(OneMore, "slowed"), started(Usual, "baseline"), stack)


def _compiled(runner: RunnerClient, cases: Sequence[CaseInputs]) -> None:
    with suppress(RunnerFailed), awake(runner):
        runner.hello()
        for one in cases:
            runner.prepare(replace(one.layout, slots=1), _COMPILE_S)


@contextmanager
def beside_the_clock(here: Station, bench: Bench, crew: WallCrew) -> Iterator[None]:
    """This process on the core of a clock, those whom it times together on the one beside."""
    before = os.sched_getaffinity(0)
    bench._pin_to_core(crew.everybody)
    reserved_cores.take(here.card.index)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def recorded_witnesses(
    here: Station, bench: Bench, names: Sequence[str], missing: Callable[[str], None]
) -> list[Recorded | Walled]:
    """Every timing case: its plan, or why its launches cannot be replayed."""
    lock = threading.Lock()

    def found(name: str) -> list[Recorded | Walled]:
        try:
            return list(_recorded(here, bench, name, lock))
        except (RunnerFailed, KbxError) as failed:
            missing(f"{name}: not recorded: {failed}")
            return []

    with ThreadPoolExecutor(max_workers=max(1, min(here.settings.jobs, len(names)))) as pool:
        return [one for each in pool.map(found, names) for one in each]


def _recorded(
    here: Station, bench: Bench, name: str, lock: threading.Lock
) -> Iterator[Recorded | Walled]:
    """Compiled beside the others, recorded while nobody else is."""
    attempt = attempt_of(name, witness_source(name))
    with lock:
        inputs = [inputs_of(bench, name, case.name) for case in catalog.load(name).timings]
    with open_timed_process(
        here.timing.workers, entry_plan(attempt, here.card.device), []
    ) as runner:
        with awake(runner):
            runner.hello()
            for one in inputs:
                runner.prepare(replace(one.layout, slots=1), _COMPILE_S)
        for one in inputs:
            with lock, awake(runner):
                found = _plan(runner, one, bench)
            yield found
        with lock:
            runner.release()


def _plan(runner: RunnerClient, inputs: CaseInputs, bench: Bench) -> Recorded | Walled:
    layout = replace(inputs.layout, slots=2)
    runner.open(layout)
    for slot, storages in enumerate(inputs.draw_block(-1, 2).storages):
        runner.fill(slot, storages)
    bench.clock.synchronise()
    runner.ask({"op": "tune"}, _COMPILE_S)
    first, second = (runner.ask({"op": "record", "slot": at}, _COMPILE_S).body for at in (0, 1))
    plan, why = replayable(first, second, layout)
    if plan is None:
        return Walled(inputs.name, inputs.case.name, why)
    return Recorded(inputs.name, inputs.case.name, (first, second), plan.to_bytes())


def jobs_here() -> int:
    """As many submissions at once as `kbx eval` would take."""
    return os.cpu_count() or 1
