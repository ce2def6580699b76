"""Times submissions on one device: one at a time, each with its own processes."""

import random
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial

import msgspec
import torch

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import (
    Failed,
    Gpu,
    Observation,
    Performance,
    ReferenceCompilation,
    Tier,
    Timed,
    TimedCase,
    Unmeasured,
)
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.core.settings import OURS
from kernelbenchx.measure.aggregates import task_speedups
from kernelbenchx.measure.baseline_processes import BaselineProcesses, compute_room
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.case_timing import CaseTiming, ReplayFailure
from kernelbenchx.measure.core_cases import (
    NOT_RIGHT,
    NOTHING_TO_TIME,
    CoreCases,
    core_cases,
    failed_case,
    in_dtype,
)
from kernelbenchx.measure.gpu_observer import (
    Observer,
    find_disturbance,
    list_throttling,
    make_observer,
)
from kernelbenchx.measure.huge_call import judge_huge_call
from kernelbenchx.measure.input_layout import FITS_CACHE, TimingDevice, fits_cache
from kernelbenchx.measure.own_processes import observe_settled, own_processes
from kernelbenchx.measure.peak_cache import load_kept_gpu, load_or_measure_gpu
from kernelbenchx.measure.peaks import describe_gpu
from kernelbenchx.measure.process_control import pid_of
from kernelbenchx.measure.published_problems import PublishedProblems
from kernelbenchx.measure.reference_compiler import ReferenceCompiler
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.measure.timed_problem import TimedProblem
from kernelbenchx.measure.timed_runners import SubmissionRunners, TimedRunners
from kernelbenchx.measure.timed_tasks import TimedTasks
from kernelbenchx.spec.huge_call import INT32
from kernelbenchx.spec.task import Task
from kernelbenchx.worker import reserved_cores
from kernelbenchx.worker.timing.clocks import DeviceClock, clock_of
from kernelbenchx.worker.timing.layout import Layout

_UNUSUAL = 0.1
"""A baseline that is slower than before by this share was disturbed."""
_WALL_S = 0.012
"""Total time of the calls of one host-timed block, on the quicker side too. It includes the launch
of the first call, which differs by 100 us and more from run to run."""


@dataclass
class Bench:
    """Everything that stays between two submissions of a run."""

    device: str
    seed: int
    card: Gpu
    references: BaselineProcesses
    where: TimingDevice
    clock: DeviceClock
    observe: Observer
    compiling: ReferenceCompiler | None = None
    """Compiles references before they are needed, if they are compiled at all."""
    hold: Callable[[int], None] = lambda _process: None
    """Keeps a process on the core where all timed processes run."""
    peaks: Callable[[], Gpu] | None = None
    """Measures the peaks of the GPU, which are not known yet; None if nothing is to be measured."""
    huge_from: int | None = None
    """A huge call has more elements than this; None: none is made on this device."""
    tasks: TimedTasks = field(default_factory=TimedTasks)
    problems: PublishedProblems = field(default_factory=PublishedProblems)
    chance: random.Random = field(default_factory=lambda: random.Random(secrets.randbits(62)))
    _inputs: dict[tuple[str, str, bool], CaseInputs] = field(default_factory=dict)
    _core: dict[str, CoreCases] = field(default_factory=dict)
    _usual: dict[tuple[str, str, int], float] = field(default_factory=dict)
    """The best time of the first baseline, by task, case and slots."""

    @classmethod
    def for_device(
        cls,
        device: str,
        seed: int,
        kinds: tuple[str, ...],
        sizes: str = OURS,
        isolation: str = "auto",
    ) -> "Bench":
        """A bench for a device; peaks of a GPU that were never measured are not known yet."""
        where = torch.device(device)
        problems = PublishedProblems(device, isolation)
        tasks = TimedTasks(sizes, problems.task)
        compiling = ReferenceCompiler.for_device(device) if "compile" in kinds else None
        references = BaselineProcesses(device, kinds, compiling.environment if compiling else None)
        if where.type != "cuda":
            card = Gpu(name="host", l2_bytes=1 << 20)
            return cls(
                device, seed, card, references, TimingDevice(device, 1 << 16, 1 << 28),
                clock_of(where), lambda _own: Observation(), compiling,
                tasks=tasks, problems=problems,
            )  # fmt: skip
        references.start()
        free, _ = torch.cuda.mem_get_info(where)
        bare = describe_gpu(where)
        kept = load_kept_gpu(bare)
        room = TimingDevice(device, bare.l2_bytes, compute_room(free, len(kinds)))
        return cls(
            device, seed, kept or bare, references, room, clock_of(where),
            make_observer(bare.uuid), compiling,
            partial(reserved_cores.hold, clock=where.index or 0),
            None if kept else partial(load_or_measure_gpu, device), INT32, tasks, problems,
        )  # fmt: skip

    def layouts(self, name: str) -> list[Layout]:
        """The form of every timing case with a single slot, for runners to prepare."""
        found = [self._inputs_of(name, case.name).layout for case in self._task(name).timings]
        forms = [Layout(one.call, one.storages, one.outputs, 1, one.form) for one in found]
        if self.compiling is not None and not isinstance(self._task(name), TimedProblem):
            self.compiling.wait(name)
            self.references.prepare("compile", name, forms)
        return forms

    def expect(self, tasks: Sequence[str]) -> None:
        """Begin with whatever takes long and can be done in the background."""
        if self.compiling is not None:
            self.compiling.expect(tasks)

    def list_compilations(self) -> list[ReferenceCompilation]:
        """What was compiled for the tasks so far."""
        return [] if self.compiling is None else self.compiling.records()

    def time(self, name: str, candidates: SubmissionRunners) -> Performance | ReplayFailure:
        """Every timing case of a task; the first that fails, or cannot be replayed, ends it."""
        self.measure_peaks()
        with self._pause_compiling():
            found = self._time_cases(name, candidates)
            if not isinstance(found, Timed) or candidates.core_only:
                return found
            seed = derive_seed(self.seed, candidates.digest, name, "huge")
            known = (self._task(name), candidates.entries, seed, self.device, self.huge_from)
            return msgspec.structs.replace(found, huge=judge_huge_call(*known))

    def _pause_compiling(self) -> AbstractContextManager[None]:
        return nullcontext() if self.compiling is None else self.compiling.pause()

    def measure_peaks(self) -> None:
        """Measure the peaks if they are not known. Only allowed while no other process uses the
        GPU, since they may be kept for good."""
        if self.peaks is not None:
            with self._pause_compiling():
                self.card, self.peaks = self.peaks(), None

    def _time_cases(self, name: str, candidates: SubmissionRunners) -> Performance | ReplayFailure:
        started, compiled = time.monotonic(), self.compiling is not None
        before = observe_settled(self._observe_gpu)
        replays = candidates.replays
        crew = TimedRunners(
            candidates.entries,
            replays,
            self.problems.baselines(self._task(name), self.references.runners),
        )
        self._pin_to_core(candidates.entries)
        cases: list[TimedCase] = []
        wanted = CoreCases(self._task(name).timings, ())
        if candidates.core_only:
            wanted = in_dtype(self._core_cases(name), candidates.dtype)
        wrong: list[Failed] = []
        for case in wanted.core:
            inputs = self._inputs_of(name, case.name, walled=not replays)
            timing = CaseTiming(
                inputs=inputs.for_submission(candidates.digest),
                runners=crew,
                card=self.card,
                clock=self.clock,
                chance=self.chance,
                rung="cuda" if self.device.startswith("cuda") else "interpreter",
                obstacle=candidates.obstacle,
            )
            found = timing.run()
            if isinstance(found, ReplayFailure):
                return found
            if candidates.core_only and isinstance(found, Failed) and found.reason in NOT_RIGHT:
                wrong.append(found)
                continue
            if isinstance(found, Failed | Unmeasured):
                return self._excuse_timeout(found, before, cases)
            cases.append(self._flag_cache_fit(found, timing.inputs))
            odd = self._describe_slow_baseline((name, case.name, timing.inputs.layout.slots), found)
            if odd:
                void = Unmeasured(reason=Reason.DISTURBED, detail=odd, case=case.name)
                return self._excuse_timeout(void, before, cases)
        if not cases:
            return self._excuse_timeout(wrong[0] if wrong else NOTHING_TO_TIME, before, cases)
        after = self._observe_gpu()
        why = find_disturbance(before, after)
        if why:
            return _attach_observations(
                Unmeasured(reason=Reason.DISTURBED, detail=why), cases, before, after
            )
        replayed = all(one.tier is Tier.REPLAY for case in cases for one in case.comparisons[:1])
        return Timed(
            tier=Tier.REPLAY if replayed else Tier.HOST_TIMED,
            cases=tuple(cases),
            speedups=task_speedups(cases),
            gpu=self.card,
            before=before,
            after=after,
            not_replayed=candidates.obstacle,
            seconds=round(time.monotonic() - started, 3),
            flags=(
                *list_throttling(before, after),
                *self.problems.missing(self._task(name), compiled),
            ),
            left_out=(*self.tasks.list_left_out(name), *wanted.others, *map(failed_case, wrong)),
        )

    def _core_cases(self, name: str) -> CoreCases:
        if name not in self._core:
            self._core[name] = core_cases(self._task(name), name, self.seed, self.device)
        return self._core[name]

    def _task(self, name: str) -> Task:
        return self.tasks.load(name, self.seed, self.where)

    def _flag_cache_fit(self, found: TimedCase, inputs: CaseInputs) -> TimedCase:
        if not fits_cache(inputs.touched_bytes, inputs.layout.slots, self.where):
            return found
        return msgspec.structs.replace(found, flags=(*found.flags, FITS_CACHE))

    def _pin_to_core(self, entries: Sequence[RunnerClient]) -> None:
        """Pin all to one core: switching between two makes launching take up to a third longer."""
        stopped = [pid_of(one.process) for one in entries if one.process >= 0]
        running = [*self.references.processes(), *self.problems.processes()]
        for pid in [*running, *filter(None, stopped)]:
            self.hold(pid)

    def _excuse_timeout(
        self, found: Failed | Unmeasured, before: Observation, cases: Sequence[TimedCase]
    ) -> Failed | Unmeasured:
        """On a GPU that was shared or slowed down, a timeout is not the submission's fault."""
        after = self._observe_gpu()
        why = find_disturbance(before, after)
        if why and isinstance(found, Failed) and found.reason is Reason.TIMEOUT:
            found = Unmeasured(reason=Reason.DISTURBED, detail=why, case=found.case)
        return _attach_observations(found, (*cases, *found.cases), before, after)

    def _describe_slow_baseline(self, what: tuple[str, str, int], found: TimedCase) -> str:
        """Describe a baseline much slower than before in as many slots: the GPU was loaded.

        Times that include the host do not count: a host is slower at times.
        """
        headline = found.comparisons[0]
        if headline.tier is not Tier.REPLAY or found.waits_for_host:
            return ""
        known = self._usual.setdefault(what, headline.baseline_us)
        self._usual[what] = min(known, headline.baseline_us)
        if headline.baseline_us <= known * (1.0 + _UNUSUAL):
            return ""
        return (
            f"{headline.baseline} took {headline.baseline_us:.1f} us here and {known:.1f} us "
            "beside another submission"
        )

    def close(self) -> None:
        """End the references."""
        if self.compiling is not None:
            self.compiling.close()
        self.problems.close()
        self.references.close()

    def _inputs_of(self, name: str, case: str, *, walled: bool = False) -> CaseInputs:
        key = (name, case, walled)
        if key not in self._inputs:
            task = self._task(name)
            found = next(one for one in task.timings if one.name == case)
            where = replace(self.where, least_s=_WALL_S if walled else 0.0)
            eager = self.problems.own_eager(task)
            self._inputs[key] = CaseInputs.of(task, name, found, self.seed, where, eager)
        return self._inputs[key]

    def _observe_gpu(self) -> Observation:
        return self.observe(own_processes(self.card.uuid))


def _attach_observations(
    found: Failed | Unmeasured,
    cases: Sequence[TimedCase],
    before: Observation,
    after: Observation,
) -> Failed | Unmeasured:
    """Attach the observations, also to a result without times."""
    return msgspec.structs.replace(found, cases=tuple(cases), before=before, after=after)
