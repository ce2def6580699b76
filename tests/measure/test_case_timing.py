"""One timing case from end to end on the host: times, verdicts, judged outputs, failures."""

import math
import random
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import (
    FELL_BACK,
    Clock,
    Failed,
    Gpu,
    SpeedClass,
    Tier,
    TimedCase,
    Unmeasured,
)
from kernelbenchx.measure import case_timing, comparisons, output_judging
from kernelbenchx.measure.block_sampling import Sampling
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.case_timing import CaseTiming, ReplayFailure
from kernelbenchx.measure.host_wait import NEVER, HostWait
from kernelbenchx.measure.input_layout import SlotBounds
from kernelbenchx.measure.roofline import UNKNOWN_BANDWIDTH_SLACK
from kernelbenchx.measure.runner_client import GONE, RunnerClient
from kernelbenchx.measure.statistics import HOST_TIMED_PLAN
from kernelbenchx.measure.timed_runners import TimedRunners
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.timing import calls, loop
from kernelbenchx.worker.timing.clocks import HostClock
from kernelbenchx.worker.timing.recorded_steps import READS
from timing_host import (
    PAUSE_S,
    Broken,
    Loadable,
    Pretended,
    inputs_of,
    relu,
    serving,
    small,
    without_slack,
)

Function = Callable[..., Any]


TIME = Pretended()


@pytest.fixture(autouse=True)
def _exact(monkeypatch: pytest.MonkeyPatch) -> None:
    without_slack(monkeypatch)
    monkeypatch.setattr(comparisons, "HOSTED_US", 0.5e6 * PAUSE_S)
    monkeypatch.setattr(output_judging, "LATER_S", 0.0)
    _own_clocks(monkeypatch)


def _own_clocks(monkeypatch: pytest.MonkeyPatch, slowed: int = 1) -> None:
    """What processes that are timed see of the pretended time."""
    own = SimpleNamespace(perf_counter=lambda: TIME.now() / slowed)
    monkeypatch.setattr(calls, "time", own)


def _timed(
    candidate: Any,
    baseline: Any,
    task: Task | None = None,
    compiled: Any | None = None,
    obstacle: str = "",
    name: str = "activation/relu",
    replayed: Any | None = None,
    seed: int = 3,
    inputs: CaseInputs | None = None,
    card: Gpu | None = None,
) -> Any:
    task = task or relu()

    def runners(name: str, program: Any, *, trusted: bool) -> list[RunnerClient]:
        programs = program if isinstance(program, list) else [program] * 2
        clock = TIME.clock()
        return [
            stack.enter_context(serving(f"{name} {n}", one, trusted=trusted, clock=clock))
            for n, one in enumerate(programs)
        ]

    with ExitStack() as stack:
        entries = runners("entry", candidate, trusted=False)
        baselines = {"eager": runners("eager", baseline, trusted=True)}
        if compiled is not None:
            baselines["compile"] = runners("compile", compiled, trusted=True)
        timing = CaseTiming(
            inputs=inputs or inputs_of(task, name),
            runners=TimedRunners(
                entries,
                [] if replayed is None else runners("replay", replayed, trusted=True),
                dict(baselines),
            ),
            card=card or Gpu(name="host", l2_bytes=1 << 20),
            clock=TIME.clock(),
            now_ns=TIME.now_ns,
            chance=random.Random(seed),
            rung="interpreter",
            obstacle=obstacle,
        )
        return timing.run()


def _program(function: Function, pause_s: float = PAUSE_S) -> Loadable:
    return Loadable(TIME.slowed(function, pause_s), "function")


def test_a_right_candidate_is_timed_by_both_clocks_and_judged() -> None:
    found = _timed(_program(torch.relu, 2 * PAUSE_S), _program(torch.relu))
    assert isinstance(found, TimedCase)
    device, call = found.comparisons
    assert (device.clock, call.clock) == (Clock.DEVICE, Clock.CALL)
    assert device.tier is Tier.HOST_TIMED
    assert device.speed_class is SpeedClass.SLOWER
    assert device.speedup == pytest.approx(0.5, rel=0.02)
    assert call.speedup == pytest.approx(0.5, rel=0.02)
    assert device.candidate_us == pytest.approx(2e6 * PAUSE_S, rel=0.02)
    assert {one.pair for one in device.samples} == {0, 1}
    assert (
        found.judged_outputs == 10
    )  # of two processes: two of any block, two and one of the quickest
    assert found.flags == ()


@pytest.mark.parametrize(("needs_us", "possible"), [(0.9, True), (1.1, False)])
def test_what_is_faster_than_the_card_can_be_is_no_time(needs_us: float, possible: bool) -> None:
    """And what is a little slower is one."""
    task = relu()
    moved = task.cost(**task.timings[0].params).bytes
    least_s = needs_us * PAUSE_S
    card = Gpu(name="host", bandwidth_gb_per_s=moved / least_s / 1e9 / UNKNOWN_BANDWIDTH_SLACK)
    found = _timed(_program(torch.relu), _program(torch.relu), task, card=card)
    if possible:
        assert isinstance(found, TimedCase)
        assert found.efficiency.roofline_us == pytest.approx(1e6 * least_s)
        assert found.comparisons[0].candidate_us > found.efficiency.roofline_us
    else:
        assert isinstance(found, Unmeasured)
        assert (found.reason, found.case) == (Reason.IMPOSSIBLE, task.timings[0].name)
        assert f"where the GPU needs at least {1e6 * least_s:.4g} us" in found.detail
        (kept,) = found.cases
        assert kept.comparisons[0].samples


@pytest.mark.parametrize(("touch_s", "quiet"), [(2e-5, True), (1e-3, False)])
def test_times_beside_work_that_somebody_left_are_no_times(
    touch_s: float, quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HostClock, "touch", lambda _self: TIME.pass_by(touch_s))
    found = _timed(_program(torch.relu), _program(torch.relu))
    if quiet:
        assert isinstance(found, TimedCase)
    else:
        assert isinstance(found, Unmeasured) and found.reason is Reason.DISTURBED
        assert "other work was on the GPU" in found.detail


def test_a_process_whose_clock_is_slowed_is_timed_by_ours_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _own_clocks(monkeypatch, slowed=10)
    found = _timed(_program(torch.relu, 2 * PAUSE_S), _program(torch.relu))
    assert isinstance(found, TimedCase)
    assert found.comparisons[0].speedup == pytest.approx(0.5, rel=0.02)
    (flag,) = found.flags
    assert "only the judge's counts" in flag


@pytest.mark.slow
def test_outputs_of_the_call_clock_are_judged_whatever_those_of_the_other_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A process can tell which clock is around it, as each call is waited for by one of them."""
    told = [""]
    run = calls.BoundCase.run

    def noted(self: calls.BoundCase, header: dict[str, Any], *more: Any) -> Any:
        told[0] = str(header["how"])
        return run(self, header, *more)

    def cheat(x: torch.Tensor) -> torch.Tensor:
        TIME.pass_by(PAUSE_S)
        return x * 0.5 if told[0] == "call" else torch.relu(x)

    monkeypatch.setattr(calls.BoundCase, "run", noted)
    for seed in range(6):
        found = _timed(Loadable(cheat, "function"), _program(torch.relu), seed=seed)
        assert isinstance(found, Failed), seed
        assert found.reason is Reason.TIMED_WRONG


@pytest.mark.parametrize(
    ("factor", "reason"), [(0.5, Reason.TIMED_WRONG), (1.0, Reason.RUNTIME_ERROR)]
)
def test_who_fails_after_an_output_was_taken_still_answers_for_it(
    factor: float, reason: Reason
) -> None:
    """It could guess that a wrong one was taken by then: no memory, it would say."""
    count = [0]

    def fails(x: torch.Tensor) -> torch.Tensor:
        TIME.pass_by(PAUSE_S)
        count[0] += 1
        if count[0] > 100:
            raise RuntimeError("CUDA out of memory")
        return torch.relu(x) * factor

    found = _timed(Loadable(fails, "function"), _program(torch.relu))
    assert isinstance(found, Failed) and found.reason is reason, found


@pytest.mark.parametrize("at", ["measure", "truth_of"])
@pytest.mark.parametrize(("factor", "reason"), [(0.5, Reason.TIMED_WRONG), (1.0, None)])
def test_where_the_bench_has_no_memory_left_what_was_taken_is_judged_all_the_same(
    at: str, factor: float, reason: Reason | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that saw what was taken could hold it all; it is ended first."""
    ended: list[int] = []
    happened = [0]
    owner: Any = Sampling if at == "measure" else output_judging
    honest = getattr(owner, at)

    def short(*given: Any) -> Any:
        happened[0] += 1
        if happened[0] == (3 if at == "measure" else 1):
            raise torch.OutOfMemoryError
        return honest(*given)

    monkeypatch.setattr(owner, at, short)
    monkeypatch.setattr(TimedRunners, "end_entries", lambda _self: ended.append(1))
    candidate = _program(lambda x: torch.relu(x) * factor)
    if reason is None:
        with pytest.raises(torch.OutOfMemoryError):
            _timed(candidate, _program(torch.relu))
    else:
        found = _timed(candidate, _program(torch.relu))
        assert isinstance(found, Failed) and found.reason is reason
    assert ended == [1]


def test_a_baseline_that_fails_later_saves_nobody_who_was_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count = [0]

    def fails(x: torch.Tensor) -> torch.Tensor:
        TIME.pass_by(PAUSE_S)
        count[0] += 1
        if count[0] > 100:
            raise RuntimeError("CUDA out of memory")
        return torch.relu(x)

    wrong = _timed(_program(lambda x: torch.relu(x) * 0.5), Loadable(fails, "function"))
    assert isinstance(wrong, Failed), wrong
    count[0] = 0
    right = _timed(_program(torch.relu), Loadable(fails, "function"))
    assert isinstance(right, Unmeasured) and right.reason is Reason.EVALUATOR


def test_who_has_nothing_sensible_to_say_of_its_results_is_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_given: Any) -> Any:
        raise RuntimeError("CUDA out of memory")

    monkeypatch.setattr(calls, "describe_result", fails)
    found = _timed(_program(lambda x: torch.relu(x) * 0.5), _program(torch.relu))
    assert isinstance(found, Failed) and found.reason is Reason.MALFORMED
    assert "memory" not in found.detail


@pytest.mark.parametrize(
    ("first", "factor", "reason"),
    [
        (lambda x: x * 0.25, 1.0, Reason.LATE),
        (torch.ones_like, 1.0, Reason.LATE),  # though it looks like what was there before
        (lambda x: x * 0.25, 0.5, Reason.TIMED_WRONG),
        (torch.ones_like, 0.5, Reason.STALE),
    ],
)
def test_what_a_thread_does_after_the_clock_stopped_is_late(
    first: Function, factor: float, reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = threading.Event()
    threads: list[threading.Thread] = []

    def later(x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = first(x)

        def write() -> None:
            waited.wait()
            y.copy_(torch.relu(x) * factor)

        threads.append(threading.Thread(target=write, daemon=True))
        threads[-1].start()
        return y

    def sleep(_seconds: float) -> None:
        waited.set()
        for thread in threads:
            thread.join()

    monkeypatch.setattr(output_judging, "time", SimpleNamespace(sleep=sleep))
    found = _timed(_program(later), _program(torch.relu))
    waited.set()
    assert isinstance(found, Failed)
    assert found.reason is reason


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pause_s", "slots"), [(PAUSE_S, 4), (0.25 * PAUSE_S, 16), (2.0 * PAUSE_S, 4)]
)
def test_who_is_much_quicker_than_the_baseline_is_timed_in_longer_blocks(
    pause_s: float, slots: int
) -> None:
    found, used = _resized(pause_s, SlotBounds(least_s=3.9 * PAUSE_S, most=32), slots=4)
    assert used == pytest.approx(slots, abs=1)
    assert found.comparisons[0].speedup == pytest.approx(PAUSE_S / pause_s, rel=0.03)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("replayed", "pause_s", "slots"), [(True, 1.0, 2), (True, PAUSE_S, 8), (False, 1.0, 8)]
)
def test_who_is_replayed_and_slow_is_timed_in_shorter_blocks(
    replayed: bool, pause_s: float, slots: int
) -> None:
    """Not who could be slow at first only."""
    found, used = _resized(pause_s, SlotBounds(fewest=2), slots=8, replayed=replayed)
    assert used == slots
    assert found.comparisons[0].speedup == pytest.approx(PAUSE_S / pause_s, rel=0.03)


def test_that_all_slots_are_bound_at_first_makes_nobody_slow() -> None:
    class Slowly(Loadable):
        def bind(self, arguments: Any) -> Any:
            TIME.pass_by(0.5)
            return super().bind(arguments)

    program = Slowly(TIME.slowed(torch.relu, PAUSE_S), "function")
    _found, used = _resized(PAUSE_S, SlotBounds(fewest=2), slots=8, replayed=True, program=program)
    assert used == 8


def _resized(
    pause_s: float,
    bounds: SlotBounds,
    slots: int,
    *,
    replayed: bool = False,
    program: Loadable | None = None,
) -> tuple[TimedCase, int]:
    """What was found, and with how many slots."""
    usual = inputs_of(relu())
    inputs = replace(usual, layout=replace(usual.layout, slots=slots), bounds=bounds)
    used: list[int] = []

    class Watched(Sampling):
        def measure(self, number: int) -> None:
            used.append(self.inputs.layout.slots)
            assert all(len(side.runner.rooms) == used[-1] for side in self.device_sides)
            super().measure(number)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(case_timing, "Sampling", Watched)
        if replayed:
            plan: Any = SimpleNamespace(to_bytes=lambda: b"", plan={"launches": []})
            patched.setattr(case_timing, "replayable", lambda *_given: (plan, ""))
            patched.setattr(case_timing, "measure_kernel_shares", lambda *_given: ())
        found = _timed(
            _program(torch.relu, PAUSE_S if replayed else pause_s),
            _program(torch.relu),
            inputs=inputs,
            replayed=(program or _program(torch.relu, pause_s)) if replayed else None,
        )
    assert isinstance(found, TimedCase)
    assert len(set(used)) == 1
    return found, used[0]


def test_the_other_way_round_it_is_faster() -> None:
    found = _timed(_program(torch.relu), _program(torch.relu, 2 * PAUSE_S))
    assert isinstance(found, TimedCase)
    assert found.comparisons[0].speed_class is SpeedClass.FASTER


def _stale() -> Function:
    kept: dict[int, torch.Tensor] = {}

    def run(x: torch.Tensor) -> torch.Tensor:
        return kept.setdefault(x.data_ptr(), torch.relu(x))

    return run


def _counting(right: int) -> Function:
    made = 0

    def run(x: torch.Tensor) -> torch.Tensor:
        nonlocal made
        made += 1
        return torch.relu(x) if made <= right else x * 0.5

    return run


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (_stale(), Reason.STALE),
        (_counting(6), Reason.TIMED_WRONG),
        (lambda x: torch.full_like(x, float("nan")).view(torch.uint8).fill_(255).view(x.dtype),
         Reason.LATE),
    ],
)  # fmt: skip
def test_what_does_not_compute_while_it_is_timed_is_named(
    function: Function, reason: Reason
) -> None:
    found = _timed(_program(function), _program(torch.relu))
    assert isinstance(found, Failed)
    assert found.reason is reason
    assert found.trick


def test_a_candidate_that_raises_fails_with_its_words() -> None:
    found = _timed(Broken(torch.relu, 20), _program(torch.relu))
    assert isinstance(found, Failed)
    assert found.reason is Reason.RUNTIME_ERROR
    assert "no more" in found.detail


def test_a_baseline_that_raises_is_our_fault() -> None:
    found = _timed(_program(torch.relu), Broken(torch.relu, 0))
    assert isinstance(found, Unmeasured)
    assert found.reason is Reason.EVALUATOR


@pytest.mark.parametrize("calls", [20, 40])
def test_a_baseline_that_fails_while_it_is_timed_is_our_fault(calls: int) -> None:
    found = _timed(_program(torch.relu), Broken(torch.relu, calls))
    assert isinstance(found, Unmeasured)
    assert found.reason is Reason.EVALUATOR
    assert found.detail.startswith("eager ")
    assert "no more" in found.detail


def test_the_same_function_on_both_sides_is_no_tie_by_a_clock_around_processes() -> None:
    found = _timed(_program(torch.relu), _program(torch.relu))
    assert isinstance(found, TimedCase)
    device = found.comparisons[0]
    assert device.tier is Tier.HOST_TIMED
    assert device.speed_class is SpeedClass.UNDECIDED
    assert device.low < 1.0 < device.high
    assert max(one.block for one in device.samples) == HOST_TIMED_PLAN.enough - 1


@pytest.mark.parametrize(
    ("waits", "speed_class", "blocks"),
    [
        (NEVER, SpeedClass.SLOWER, HOST_TIMED_PLAN.looks[0]),
        (HostWait(bound=False, within=True), SpeedClass.UNDECIDED, HOST_TIMED_PLAN.enough),
    ],
)
def test_who_turns_out_to_wait_for_the_host_is_measured_on(
    waits: HostWait, speed_class: SpeedClass, blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the first blocks seemed to say is not said before more of them do not help."""
    monkeypatch.setattr(case_timing, "find_host_wait", lambda *_: waits)
    found = _timed(_program(torch.relu, 1.035 * PAUSE_S), _program(torch.relu))
    assert isinstance(found, TimedCase)
    device = found.comparisons[0]
    assert device.speed_class is speed_class
    assert 1 + max(one.block for one in device.samples) == blocks


def test_a_side_whose_blocks_differ_much_is_measured_longer() -> None:
    chance = random.Random(2)

    def uneven(x: torch.Tensor) -> torch.Tensor:
        TIME.pass_by(PAUSE_S * abs(chance.gauss(0.0, 1.0)))
        return torch.relu(x)

    found = _timed(_program(uneven), _program(uneven))
    assert isinstance(found, TimedCase)
    device = found.comparisons[0]
    assert max(one.block for one in device.samples) == HOST_TIMED_PLAN.looks[-1] - 1


class Uncaptured(HostClock):
    """Of a device on which no graph can hold any calls."""

    def capture(self, calls: Any) -> Any:
        del calls
        raise RuntimeError("operation not permitted when stream is capturing")


def test_calls_that_no_graph_holds_wait_for_the_host_and_are_known_less_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = _timed(_program(torch.relu), _program(torch.relu))
    assert isinstance(known, TimedCase) and not known.waits_for_host
    monkeypatch.setattr(HostClock, "capture", Uncaptured.capture)
    found = _timed(_program(torch.relu), _program(torch.relu))
    assert isinstance(found, TimedCase) and found.waits_for_host
    assert not found.overhead_bound  # for how long is not known
    for one, other in zip(found.comparisons, known.comparisons, strict=True):
        wider = one.high / one.low > 1.03 * other.high / other.low
        assert wider is (one.clock is Clock.DEVICE)


@pytest.mark.parametrize(("obstacle", "waits"), [(READS, True), ("torch operator add", False)])
def test_a_candidate_can_say_that_it_waits(obstacle: str, waits: bool) -> None:
    found = _timed(_program(torch.relu), _program(torch.relu), obstacle=obstacle)
    assert isinstance(found, TimedCase)
    assert found.waits_for_host is waits


def test_calls_that_take_longer_than_what_they_launch_are_bound_by_overhead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = _timed(_program(torch.relu), _program(torch.relu))
    assert isinstance(found, TimedCase)
    assert not found.overhead_bound
    by_graph = HostClock.graph_us
    monkeypatch.setattr(HostClock, "graph_us", lambda *asked: 0.5 * by_graph(*asked))
    found = _timed(_program(torch.relu), _program(torch.relu))
    assert isinstance(found, TimedCase)
    assert found.overhead_bound and found.waits_for_host


def _compared(found: TimedCase) -> set[str]:
    return {one.baseline for one in found.comparisons}


def _slow_module(model: Any) -> Any:
    class Slow(model):  # type: ignore[misc]
        forward = TIME.slowed(model.forward)

    return Slow


def test_a_second_baseline_is_compared_with_and_judged_too() -> None:
    found = _timed(_program(torch.relu), _program(torch.relu), compiled=_program(torch.relu))
    assert isinstance(found, TimedCase)
    assert _compared(found) == {"eager", "compile"}
    assert (found.judged_outputs, found.flags) == (10, ())


def test_a_second_baseline_that_is_wrong_is_left_out_and_named() -> None:
    wrong = _program(lambda x: torch.relu(x) + 1.0)
    found = _timed(_program(torch.relu), _program(torch.relu), compiled=wrong)
    assert isinstance(found, TimedCase)
    assert _compared(found) == {"eager"}
    (flag,) = found.flags
    assert flag.startswith("torch.compile's answer is wrong: ")


def test_a_wrong_submission_fails_beside_a_wrong_baseline() -> None:
    wrong = lambda x: torch.relu(x) + 1.0  # noqa: E731
    found = _timed(_program(wrong), _program(torch.relu), compiled=_program(wrong))
    assert isinstance(found, Failed)


class Refused(Loadable):
    """A reference that torch did not compile."""

    why = ""

    def record(self, arguments: Any) -> tuple[dict[str, Any], bytes]:
        del arguments
        return {"fell_back": True, "why": self.why}, b""


@pytest.mark.parametrize("why", ["", "Unsupported: no"])
def test_where_torch_compiled_nothing_it_is_said(why: str) -> None:
    compiled = Refused(TIME.slowed(torch.relu, PAUSE_S), "function")
    compiled.why = why
    found = _timed(_program(torch.relu), _program(torch.relu), compiled=compiled)
    assert isinstance(found, TimedCase)
    assert found.flags == (FELL_BACK, *([f"torch.compile: {why}"] if why else []))
    assert _compared(found) == {"eager", "compile"}


def _in_blocks(fast: set[int], calls: int) -> Function:
    """Does nothing right in some of the blocks that it is timed in: it counts its calls."""
    made = -1

    def run(x: torch.Tensor) -> torch.Tensor:
        nonlocal made
        made += 1
        if (made // calls) in fast:
            TIME.pass_by(0.1 * PAUSE_S)
            return x * 0.5
        TIME.pass_by(PAUSE_S)
        return torch.relu(x)

    return run


@pytest.mark.slow
def test_blocks_that_count_answer_for_what_they_computed() -> None:
    """The quickest count: a cheat in a few of them must not be worth its while."""
    calls = inputs_of(relu()).layout.slots + 1
    for seed in range(6):
        cheat = [Loadable(_in_blocks({20, 21}, calls), "function") for _ in (0, 1)]
        found = _timed(cheat, _program(torch.relu), seed=seed)
        assert isinstance(found, Failed), seed


def _after(calls: float, honest: Function, made: list[int]) -> Function:
    """Random numbers for the first calls, zeros ever after."""

    def run(*shape: Any, **words: Any) -> torch.Tensor:
        made.append(0)
        cheats = len(made) > calls
        TIME.pass_by(0.1 * PAUSE_S if cheats else PAUSE_S)
        drawn: torch.Tensor = honest(*shape, **words)
        return torch.zeros_like(drawn) if cheats else drawn

    return run


@pytest.mark.slow
def test_random_numbers_are_judged_in_all_blocks() -> None:
    task = small("random/rand", shape=(64, 64), dtype=torch.float32)

    def timed(calls: float) -> tuple[Any, int]:
        made: list[list[int]] = [[], []]
        cheats = [Loadable(_after(calls, task.baseline, one), "function") for one in made]
        found = _timed(cheats, _program(task.baseline), task, name="random/rand")
        return found, len(made[0])

    honest, calls = timed(math.inf)
    assert isinstance(honest, TimedCase)
    for part in (0.1, 0.3, 0.5):  # the sooner it cheats, the sooner it is decided
        found, _ = timed(part * calls)
        assert isinstance(found, Failed), part


def _pooled(honest: Function, many: int) -> Function:
    """Random numbers of the first seeds, given to all others in turn."""
    pool: list[torch.Tensor] = []
    given: dict[int, int] = {}

    def run(*shape: Any, generator: torch.Generator, **words: Any) -> torch.Tensor:
        TIME.pass_by(PAUSE_S)
        seed = generator.initial_seed()
        place = given.setdefault(seed, len(given) % many)
        while len(pool) <= place:
            pool.append(honest(*shape, generator=generator, **words))
        return pool[place].clone()

    return run


@pytest.mark.slow
@pytest.mark.parametrize(("many", "kept"), [(24, True), (1 << 30, False)])
def test_random_numbers_that_were_kept_are_stale_however_few_are_taken(
    many: int, kept: bool
) -> None:
    task = small("random/rand", shape=(64, 64), dtype=torch.float32)
    pools = [Loadable(_pooled(task.baseline, many), "function") for _ in range(2)]
    found = _timed(pools, _program(task.baseline), task, name="random/rand")
    assert (isinstance(found, Failed) and found.reason is Reason.STALE) is kept, found


def test_what_draws_random_numbers_is_not_replayed_whatever_was_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A plan that looks the same each time would draw the same each time."""
    plan: Any = SimpleNamespace(to_bytes=lambda: b"", plan=SimpleNamespace(steps=()))
    monkeypatch.setattr(case_timing, "replayable", lambda *_given: (plan, ""))
    task = small("random/rand", shape=(64, 64), dtype=torch.float32)
    program = _program(task.baseline)
    found = _timed(program, program, task, name="random/rand", replayed=program)
    assert isinstance(found, ReplayFailure) and "random" in found.why
    program = _program(torch.relu)
    assert isinstance(_timed(program, program, replayed=program), TimedCase)


def test_a_crew_that_was_to_replay_and_cannot_is_not_timed() -> None:
    program = _program(torch.relu)
    assert isinstance(_timed(program, program, replayed=program), ReplayFailure)


class Refusing(Loadable):
    """A driver that does not take what the sandbox compiled."""

    def load(self, plan: dict[str, Any], binaries: bytes) -> None:
        del plan, binaries
        raise RuntimeError("device kernel image is invalid")


@pytest.mark.parametrize("dies", [False, True])
def test_a_binary_that_is_not_taken_alone_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, dies: bool
) -> None:
    plan = SimpleNamespace(to_bytes=lambda: b"")
    monkeypatch.setattr(CaseTiming, "_record_plan", lambda *_: (plan, ""))
    if dies:  # of that, too, it is not known whose fault it is, but it is no obstacle

        def gone(*_: Any) -> None:
            raise SystemExit

        monkeypatch.setattr(Refusing, "load", gone)
        monkeypatch.setattr(loop, "error_of", lambda _: {"type": GONE, "message": "it ended"})
    program = _program(torch.relu)
    found = _timed(program, program, replayed=Refusing(torch.relu, "function"))
    if dies:
        assert isinstance(found, Failed)
    else:
        assert isinstance(found, ReplayFailure)
        assert "device kernel image is invalid" in found.why
