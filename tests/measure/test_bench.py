"""A bench on the host: forms of tasks, cases in order, what ends a measurement."""

import dataclasses
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from msgspec.structs import replace

from kernelbenchx import catalog
from kernelbenchx.catalog.published_sizes import SIZES
from kernelbenchx.core.huge import HugeResult, make_not_judged
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import (
    Failed,
    Gpu,
    LeftOut,
    Observation,
    Performance,
    ReferenceCompilation,
    Tier,
    Timed,
    Unmeasured,
)
from kernelbenchx.measure import bench as module
from kernelbenchx.measure import case_inputs, own_processes
from kernelbenchx.measure.baseline_processes import BaselineProcesses, compute_room
from kernelbenchx.measure.bench import Bench
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.case_timing import ReplayFailure
from kernelbenchx.measure.core_cases import CoreCases
from kernelbenchx.measure.input_layout import FEWEST_SLOTS, FITS_CACHE, MOST_SLOTS
from kernelbenchx.measure.timed_runners import SubmissionRunners
from kernelbenchx.measure.timed_tasks import TimedTasks
from kernelbenchx.spec import case
from kernelbenchx.spec.task import Task
from samples import timed_case
from timing_host import small

NAME = "activation/relu"
FAILED = Failed(case="c", reason=Reason.STALE, detail="d")


def _task() -> Task:
    one = small(NAME, shape=(8, 4), dtype=torch.float32)
    more = case(shape=(16,), dtype=torch.float32)
    return Task(**{**vars(one), "timings": one.timings + more})


@dataclass
class FakeReferences:
    closed: bool = False
    prepared: list[tuple[str, str, int]] = field(default_factory=list)

    def prepare(self, kind: str, task: str, forms: Sequence[Any]) -> None:
        self.prepared.append((kind, task, len(forms)))

    def runners(self) -> dict[str, list[Any]]:
        return {"eager": ["r0", "r1"]}

    def processes(self) -> list[int]:
        return [11, 12]

    def close(self) -> None:
        self.closed = True


class Timings:
    """In place of the timing of a case: gives what was planned and notes what it was given."""

    def __init__(self, *found: Any) -> None:
        self.found = list(found)
        self.given: list[dict[str, Any]] = []

    def __call__(self, **given: Any) -> "Timings":
        self.given.append(given)
        self.inputs = given["inputs"]
        return self

    def run(self) -> Any:
        return self.found.pop(0)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    task = _task()
    monkeypatch.setattr(catalog, "load", lambda _name: task)
    call = case_inputs._warm_call
    monkeypatch.setattr(case_inputs, "_warm_call", lambda *given: (0.0, call(*given)[1]))
    monkeypatch.setattr(own_processes, "SETTLE_S", 0.0)
    found = Bench.for_device("cpu", 7, ("eager",))
    found.references = FakeReferences()  # type: ignore[assignment]
    return found


def _timed(
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
    timings: Timings,
    replays: Sequence[Any] = (),
    **more: Any,
) -> Performance | ReplayFailure:
    monkeypatch.setattr(module, "CaseTiming", timings)
    entries: list[Any] = [SimpleNamespace(process=-1)]
    return bench.time(NAME, SubmissionRunners(entries, replays, **more))


def test_the_forms_of_a_task_have_one_slot(bench: Bench) -> None:
    found = bench.layouts(NAME)
    assert [layout.call["args"][0]["shape"] for layout in found] == [[8, 4], [16]]
    assert [layout.slots for layout in found] == [1, 1]


class FakeCompiling:
    """Notes in which order things happen."""

    def __init__(self) -> None:
        self.happened: list[str] = []

    def expect(self, tasks: Sequence[str]) -> None:
        self.happened += tasks

    def wait(self, task: str) -> None:
        self.happened.append(f"wait {task}")

    @contextmanager
    def pause(self) -> Iterator[None]:
        self.happened.append("quiet")
        yield
        self.happened.append("loud")

    def records(self) -> list[ReferenceCompilation]:
        return [ReferenceCompilation(task=NAME, seconds=1.0, cases=2, fell_back=False)]

    def close(self) -> None:
        self.happened.append("closed")


def test_references_are_compiled_before_they_are_needed_and_not_while_anything_is_timed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling = FakeCompiling()
    bench.compiling = compiling  # type: ignore[assignment]
    bench.expect([NAME])
    bench.layouts(NAME)
    assert bench.references.prepared == [("compile", NAME, 2)]  # type: ignore[attr-defined]
    _timed(bench, monkeypatch, Timings(FAILED))
    bench.close()
    assert compiling.happened == [NAME, f"wait {NAME}", "quiet", "loud", "closed"]
    assert [one.task for one in bench.list_compilations()] == [NAME]


def test_nothing_is_compiled_unless_it_is_asked_for(bench: Bench) -> None:
    bench.expect([NAME])
    bench.layouts(NAME)
    assert bench.compiling is None and bench.list_compilations() == []
    assert bench.references.prepared == []  # type: ignore[attr-defined]


def test_a_bench_that_compiles_tells_its_references_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = Bench.for_device("cpu", 7, ("eager", "compile"))
    assert found.compiling is not None
    assert found.references.environment == found.compiling.environment
    found.close()


def test_inputs_are_made_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real = CaseInputs.of

    def of(task: Task, name: str, *more: Any) -> CaseInputs:
        made.append(name)
        return real(task, name, *more)

    monkeypatch.setattr(CaseInputs, "of", of)
    bench.layouts(NAME)
    bench.layouts(NAME)
    assert len(made) == 2


@pytest.mark.parametrize(("core_only", "asked"), [(False, 1), (True, 0)])
def test_the_huge_call_of_a_correct_submission_is_judged_after_its_times(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, core_only: bool, asked: int
) -> None:
    given: list[Any] = []
    said = make_not_judged("asked")

    def judge(*words: Any) -> HugeResult:
        given.append(words)
        return said

    monkeypatch.setattr(module, "judge_huge_call", judge)
    bench.huge_from = 99
    timings = Timings(timed_case(2.0, "one"), timed_case(2.0, "two"))
    found = _timed(bench, monkeypatch, timings, core_only=core_only)
    assert isinstance(found, Timed) and found.huge == (None if core_only else said)
    assert [one[-2:] for one in given] == [("cpu", 99)] * asked


def test_every_case_is_timed_in_order(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    timings = Timings(timed_case(2.0, "one"), timed_case(2.0, "two"))
    found = _timed(bench, monkeypatch, timings, ["p0", "p1"])
    assert isinstance(found, Timed)
    assert [one.case for one in found.cases] == ["one", "two"]
    assert found.tier is Tier.REPLAY
    assert found.not_replayed == ""
    assert found.gpu.name == "host"
    eager = found.find_speedup()
    assert eager is not None and eager.speedup == pytest.approx(2.0)
    for given, shape in zip(timings.given, ([8, 4], [16]), strict=True):
        crew, layout = given["runners"], given["inputs"].layout
        assert (len(crew.entries), crew.replays) == (1, ["p0", "p1"])
        assert crew.baselines == {"eager": ["r0", "r1"]}
        assert layout.call["args"][0]["shape"] == shape
        assert layout.slots >= FEWEST_SLOTS
        assert given["rung"] == "interpreter"


def test_every_submission_has_inputs_of_its_own(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drawn(digest: str) -> list[bytes]:
        timings = Timings(timed_case(2.0, "one"), timed_case(2.0, "two"))
        _timed(bench, monkeypatch, timings, ["p0", "p1"], digest=digest)
        blocks = [given["inputs"].draw_block(0) for given in timings.given]
        return [storage.numpy().tobytes() for one in blocks for (storage,) in one.storages]

    first, other, same = drawn("a"), drawn("b"), drawn("a")
    assert first == same
    assert not set(first) & set(other)


def test_where_nothing_is_replayed_there_are_more_slots_and_it_is_told_why(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    timings = Timings(*(timed_case(2.0, name, tier=Tier.HOST_TIMED) for name in "ab"))
    found = _timed(bench, monkeypatch, timings, obstacle="calls a library")
    assert isinstance(found, Timed) and found.tier is Tier.HOST_TIMED
    assert found.not_replayed == "calls a library"
    assert {one["obstacle"] for one in timings.given} == {"calls a library"}
    slots = [one["inputs"].layout.slots for one in timings.given]
    assert all(FEWEST_SLOTS < number <= MOST_SLOTS for number in slots)


def test_published_sizes_that_do_not_fit_are_left_out_by_name(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = tuple({"shape": (n,), "dtype": "float32"} for n in (8, 1 << 20))
    monkeypatch.setitem(SIZES, NAME, sizes)
    bench.tasks = TimedTasks("published")
    bench.where = dataclasses.replace(bench.where, room_bytes=1 << 22)
    found = _timed(bench, monkeypatch, Timings(timed_case(2.0, "one")), ["p0", "p1"])
    assert isinstance(found, Timed) and len(found.cases) == 1
    assert [one.case for one in found.left_out] == ["shape=(1048576,),dtype=float32"]
    bench.tasks = TimedTasks("published")
    bench.where = dataclasses.replace(bench.where, room_bytes=1)
    nothing = _timed(bench, monkeypatch, Timings(), ["p0", "p1"])
    assert isinstance(nothing, Unmeasured) and nothing.reason is Reason.UNSUPPORTED


@pytest.mark.parametrize(("kinds", "processes"), [(1, 6), (2, 8)])
def test_all_slots_of_a_crew_leave_half_of_the_card_to_others(kinds: int, processes: int) -> None:
    """Each process has them; drawn, taken, remembered and kept they exist some times more."""
    free = 140 << 30
    assert 0.49 * free < (processes + 8) * compute_room(free, kinds) <= 0.5 * free


def test_a_case_that_cannot_be_replayed_ends_it_for_another_crew(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    timings = Timings(timed_case(2.0, "one"), ReplayFailure("reads a value"))
    assert _timed(bench, monkeypatch, timings, ["p0", "p1"]) == ReplayFailure("reads a value")


@pytest.mark.parametrize("end", [FAILED, Unmeasured(reason=Reason.IMPOSSIBLE, detail="too fast")])
def test_the_first_case_that_fails_ends_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, end: Performance
) -> None:
    timings = Timings(end, timed_case(2.0))
    found = _timed(bench, monkeypatch, timings)
    assert isinstance(found, Failed | Unmeasured)
    assert replace(found, before=None, after=None) == end
    assert len(timings.given) == 1


@pytest.mark.parametrize("end", [FAILED, Unmeasured(reason=Reason.IMPOSSIBLE, detail="too fast")])
def test_what_was_measured_and_seen_until_then_is_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, end: Performance
) -> None:
    seen = [Observation(sm_mhz=1, other_processes=0), Observation(sm_mhz=2, other_processes=0)]
    bench.observe = lambda _own: seen.pop(0)
    first = timed_case(2.0, "one")
    found = _timed(bench, monkeypatch, Timings(first, end))
    assert isinstance(found, Failed | Unmeasured)
    assert found.cases == (first,)
    assert (found.before, found.after) == (
        Observation(sm_mhz=1, other_processes=0),
        Observation(sm_mhz=2, other_processes=0),
    )


@pytest.mark.parametrize("quiet", [0, 1])
def test_somebody_else_on_the_card_voids_the_times(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, quiet: int
) -> None:
    seen = [Observation(other_processes=0)] * quiet + [
        Observation(other_processes=1),
        Observation(),
    ]
    bench.observe = lambda _own: seen.pop(0)
    found = _timed(bench, monkeypatch, Timings(timed_case(2.0), timed_case(2.0)))
    assert isinstance(found, Unmeasured)
    assert found.reason is Reason.DISTURBED
    assert len(found.cases) == 2
    assert Observation(other_processes=1) in (found.before, found.after)


def _by_baseline(*micros: float, tier: Tier = Tier.REPLAY, waits: bool = False) -> Timings:
    """Both cases of a task, one submission after another, by the baseline's time in the second."""
    second = [timed_case(us / 100.0, "two", tier=tier) for us in micros]
    pairs = [(timed_case(1.0, "one"), replace(one, waits_for_host=waits)) for one in second]
    return Timings(*(one for pair in pairs for one in pair))


def test_a_baseline_that_is_slower_than_it_was_voids_the_times(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    timings = _by_baseline(200.0, 219.0, 190.0, 210.0, 208.0)
    found = [_timed(bench, monkeypatch, timings) for _ in range(5)]
    odd = found.pop(3)
    assert all(isinstance(one, Timed) for one in found)
    assert isinstance(odd, Unmeasured)
    assert (odd.reason, odd.case) == (Reason.DISTURBED, _task().timings[1].name)
    assert odd.detail == "eager took 210.0 us here and 190.0 us beside another submission"


def test_in_another_number_of_slots_a_baseline_may_be_slower(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Resizing(Timings):
        def run(self) -> Any:
            layout = self.inputs.layout
            slots = len(self.found)  # differs from one submission to the next
            self.inputs = dataclasses.replace(
                self.inputs, layout=dataclasses.replace(layout, slots=slots)
            )
            return super().run()

    timings = Resizing(*_by_baseline(200.0, 300.0).found)
    for _ in range(2):
        assert isinstance(_timed(bench, monkeypatch, timings), Timed)


def test_one_case_says_nothing_of_another(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        timings = Timings(timed_case(1.0, f"{name} one"), timed_case(9.0, f"{name} two"))
        assert isinstance(_timed(bench, monkeypatch, timings), Timed)


def test_times_from_outside_a_process_differ_more_and_are_not_held_against_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    timings = _by_baseline(200.0, 300.0, tier=Tier.HOST_TIMED)
    for _ in range(2):
        assert isinstance(_timed(bench, monkeypatch, timings), Timed)


@pytest.mark.parametrize(("waits", "kind"), [(True, Timed), (False, Unmeasured)])
def test_a_host_that_is_slower_is_not_held_against_a_case_that_waits_for_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, waits: bool, kind: type
) -> None:
    timings = _by_baseline(200.0, 300.0, waits=waits)
    assert isinstance(_timed(bench, monkeypatch, timings), Timed)
    assert isinstance(_timed(bench, monkeypatch, timings), kind)


def test_what_a_submission_does_wrong_is_told_also_on_a_busy_card(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.observe = lambda _own: Observation(other_processes=1)
    found = _timed(bench, monkeypatch, Timings(FAILED))
    assert isinstance(found, Failed) and found.reason is FAILED.reason


CARD = Gpu(name="card", l2_bytes=1 << 10)
FULL = replace(CARD, bandwidth_gb_per_s=100.0, tflops={"fp32": 1.0})


def test_peaks_are_measured_once_and_others_are_quiet(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling = FakeCompiling()

    def peaks() -> Gpu:
        compiling.happened.append("peaks")
        return FULL

    bench.compiling, bench.card, bench.peaks = compiling, CARD, peaks  # type: ignore[assignment]
    bench.layouts(NAME)
    for _ in range(2):
        timings = Timings(timed_case(2.0, "one"), timed_case(2.0, "two"))
        found = _timed(bench, monkeypatch, timings)
        assert isinstance(found, Timed) and found.gpu == FULL
        assert {given["card"].bandwidth_gb_per_s for given in timings.given} == {100.0}
    quiet = ["quiet", "loud"]
    assert compiling.happened == [f"wait {NAME}", "quiet", "peaks", "loud", *quiet, *quiet]


def test_peaks_that_could_not_be_measured_are_asked_for_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> Gpu:
        raise torch.OutOfMemoryError

    bench.card, bench.peaks = CARD, fails
    with pytest.raises(torch.OutOfMemoryError):
        _timed(bench, monkeypatch, Timings())
    bench.peaks = lambda: FULL
    found = _timed(bench, monkeypatch, Timings(timed_case(2.0, "one"), timed_case(2.0, "two")))
    assert isinstance(found, Timed) and found.gpu == FULL


@pytest.mark.parametrize("kept", [None, FULL])
def test_a_bench_on_a_card_starts_references_and_measures_nothing(
    monkeypatch: pytest.MonkeyPatch, kept: Gpu | None
) -> None:
    happened: list[str] = []

    def measured(device: str) -> Gpu:
        happened.append(f"peaks of {device}")
        return FULL

    monkeypatch.setattr(BaselineProcesses, "start", lambda _self: happened.append("references"))
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _device: (1 << 30, 1 << 30))
    monkeypatch.setattr(module, "describe_gpu", lambda _device: CARD)
    monkeypatch.setattr(module, "clock_of", lambda _device: None)
    monkeypatch.setattr(module, "load_or_measure_gpu", measured)
    monkeypatch.setattr(module, "load_kept_gpu", lambda _bare: kept)
    found = Bench.for_device("cuda:0", 7, ("eager",))
    assert (happened, found.where.cache_bytes) == (["references"], 1 << 10)
    assert found.card == (kept or CARD)
    found.measure_peaks()
    assert found.card == FULL
    assert happened == ["references", *([] if kept else ["peaks of cuda:0"])]


@pytest.mark.parametrize(("cache", "flagged"), [(1 << 20, (FITS_CACHE,)), (1 << 8, ())])
def test_a_case_whose_blocks_fit_into_the_cache_of_a_card_is_flagged(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, cache: int, flagged: tuple[str, ...]
) -> None:
    bench.layouts(NAME)
    bench.where = dataclasses.replace(bench.where, device="cuda:0", cache_bytes=cache)
    known = replace(timed_case(2.0, "one"), flags=("known",))
    found = _timed(bench, monkeypatch, Timings(known, timed_case(2.0, "two")), ["p0", "p1"])
    assert isinstance(found, Timed)
    assert [one.flags for one in found.cases] == [("known", *flagged), flagged]


def test_our_own_processes_are_no_strangers(bench: Bench) -> None:
    seen: list[set[int]] = []

    def observe(own: Collection[int]) -> Observation:
        seen.append(set(own))
        return Observation()

    bench.observe = observe
    bench._observe_gpu()
    assert {os.getpid(), os.getppid()} <= seen[0]


def test_closing_ends_the_references(bench: Bench) -> None:
    bench.close()
    references: Any = bench.references
    assert references.closed


def test_who_is_timed_is_held_where_all_others_are(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []
    bench.hold = held.append
    monkeypatch.setattr(module, "CaseTiming", Timings(*(timed_case(2.0, name) for name in "ab")))
    own = os.pidfd_open(os.getpid())
    entries: list[Any] = [SimpleNamespace(process=own), SimpleNamespace(process=-1)]
    bench.time(NAME, SubmissionRunners(entries, ()))
    os.close(own)
    assert held == [11, 12, os.getpid()]


WRONG = Failed(case="c", reason=Reason.TIMED_WRONG, detail="d", process="entry 0")


def _core(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, *found: Any, **given: Any
) -> tuple[Performance | ReplayFailure, Timings]:
    timings = Timings(*found)
    monkeypatch.setattr(module, "CaseTiming", timings)
    entries: list[Any] = [SimpleNamespace(process=-1)]
    return bench.time(NAME, SubmissionRunners(entries, (), core_only=True, **given)), timings


def test_a_wrong_case_of_a_core_correct_submission_is_left_out(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed, _ = _core(bench, monkeypatch, WRONG, timed_case(2.0))
    assert isinstance(timed, Timed) and len(timed.cases) == 1
    assert timed.left_out == (LeftOut(case="c", why="timed_wrong: d", process="entry 0"),)
    correct = _timed(bench, monkeypatch, Timings(WRONG))
    assert isinstance(correct, Failed) and correct.reason is Reason.TIMED_WRONG


def test_being_right_in_no_timed_case_is_a_failure(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, _ = _core(bench, monkeypatch, WRONG, replace(WRONG, case="d"))
    assert isinstance(found, Failed) and found.case == "c"


def test_a_stale_answer_ends_it_also_for_core_cases(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, timings = _core(bench, monkeypatch, FAILED, timed_case(2.0))
    assert isinstance(found, Failed) and found.reason is Reason.STALE
    assert len(timings.given) == 1


def test_cases_that_ask_for_more_than_core_are_not_timed_for_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = catalog.load(NAME).timings
    other = LeftOut(case=first.name, why="needs layout")
    monkeypatch.setattr(module, "core_cases", lambda *_: CoreCases((second,), (other,)))
    found, timings = _core(bench, monkeypatch, timed_case(2.0))
    assert isinstance(found, Timed)
    assert [one["inputs"].case.name for one in timings.given] == [second.name]
    assert found.left_out == (other,)
    bench._core.clear()
    monkeypatch.setattr(module, "core_cases", lambda *_: CoreCases((), (other,)))
    nothing, _ = _core(bench, monkeypatch)
    assert isinstance(nothing, Unmeasured) and "no timing case" in nothing.detail
    everything = _timed(bench, monkeypatch, Timings(timed_case(2.0), timed_case(2.0)))
    assert isinstance(everything, Timed) and not everything.left_out
