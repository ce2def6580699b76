"""Blocks of one case on the host: who gets which values, which times count, what is kept."""

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from kernelbenchx.core.performance import Clock
from kernelbenchx.measure.block_sampling import (
    CALL_BLOCKS,
    CALLS,
    CALLS_JUDGED,
    LARGE_BYTES,
    LARGE_CALLS,
    Sampling,
)
from kernelbenchx.measure.block_times import TimedSide
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.output_judging import judge_outputs
from kernelbenchx.measure.output_sampling import OutputReservoir
from kernelbenchx.measure.random_repeats import NumberRepeats
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.spec.task import Task
from kernelbenchx.worker.timing import calls
from timing_host import Loadable, Pretended, inputs_of, relu, serving, small, without_slack

Function = Callable[..., Any]
NO_RUNNER: Any = None


@pytest.mark.parametrize("slowed", [1, 10])
@pytest.mark.parametrize(
    ("how", "clocks"), [("batch", {Clock.DEVICE, Clock.CALL}), ("graph", {Clock.CALL})]
)
def test_a_patched_clock_is_named_in_both_tiers(
    how: str, clocks: set[Clock], slowed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _crew(how, replays=how == "graph") as crew:
        own = SimpleNamespace(perf_counter=lambda: crew.time.now() / slowed)
        monkeypatch.setattr(calls, "time", own)
        for program in crew.programs.values():
            program.seconds *= 20
        for number in range(CALL_BLOCKS):
            crew.sampling.measure(number)
        assert {clock for clock, _ in crew.sampling.times.claimed} == clocks
        assert bool(crew.sampling.times.flags()) is (slowed > 1)


@pytest.fixture(autouse=True)
def _exact(monkeypatch: pytest.MonkeyPatch) -> None:
    without_slack(monkeypatch)


class Watching:
    """A function that takes down the values it is called with, and apart those that come again."""

    def __init__(self, time: Pretended, seconds: float, log: list[str], name: str) -> None:
        self.seen: list[bytes] = []
        self.again: list[bytes] = []
        self._known: set[bytes] = set()
        self.seconds = seconds
        self._time, self._log, self._name = time, log, name

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        value = x.numpy().tobytes()
        (self.again if value in self._known else self.seen).append(value)
        self._known.add(value)
        self._log.append(self._name)
        self._time.pass_by(self.seconds)
        return torch.relu(x)


class Crew:
    """Two entries and two references around one sampling."""

    def __init__(
        self, stack: ExitStack, how: str, *, replays: bool = False, slots: int = 4
    ) -> None:
        self.time = Pretended(noise=0.0)
        self.log: list[str] = []
        inputs = inputs_of(relu())
        self.inputs: CaseInputs = replace(inputs, layout=replace(inputs.layout, slots=slots))
        self.programs: dict[str, Watching] = {}
        entries = [self._side(stack, "candidate", pair, "entry", 2e-6) for pair in (0, 1)]
        baselines = [self._side(stack, "eager", pair, "eager", 4e-6) for pair in (0, 1)]
        devices = entries
        if replays:
            devices = [self._side(stack, "candidate", pair, "replay", 1e-6) for pair in (0, 1)]
        self.sampling = Sampling(
            inputs=self.inputs,
            clock=self.time.clock(),
            chance=random.Random(5),
            drawing=OutputReservoir(2, random.Random(6)),
            how=how,
            device_sides=devices + baselines,
            call_sides=entries + baselines,
            now_ns=self.time.now_ns,
        )
        if replays:
            for side in devices + baselines:
                side.runner.ask({"op": "capture"}, 10.0)
        self.sampling.warm(self.inputs.draw_block(-1))
        for program in self.programs.values():
            program.seen.clear()
        self.log.clear()

    def _side(self, stack: ExitStack, role: str, pair: int, kind: str, seconds: float) -> TimedSide:
        name = f"{kind} {pair}"
        program = self.programs[name] = Watching(self.time, seconds, self.log, name)
        runner: RunnerClient = stack.enter_context(
            serving(
                name,
                Loadable(program, "function"),
                trusted=kind != "entry",
                clock=self.time.clock(),
            )
        )
        runner.open(self.inputs.layout)
        return TimedSide(role, pair, runner)


@contextmanager
def _crew(how: str = "batch", *, replays: bool = False) -> Iterator[Crew]:
    with ExitStack() as stack:
        yield Crew(stack, how, replays=replays)


def test_no_timed_call_of_a_submission_sees_a_value_that_was_there_before() -> None:
    with ExitStack() as stack:
        crew = Crew(stack, "batch")
        for number in range(CALL_BLOCKS + 1):
            crew.sampling.measure(number)
        slots = crew.inputs.layout.slots
        for name in ("entry 0", "entry 1"):
            program = crew.programs[name]
            windows = 2 * CALL_BLOCKS + 1
            assert len(program.seen) == windows * slots
            # One call before each window, on what the first slot held by then: its own of the
            # window before, or those of another call of that window, which are in all slots.
            for place, found in enumerate(program.again[-windows:][1:]):
                assert found in program.seen[place * slots :][:slots]
        assert not set(crew.programs["entry 0"].seen) & set(crew.programs["entry 1"].seen)


@pytest.mark.parametrize(("how", "ways"), [("graph", "graph"), ("queued", "queued")])
def test_whoever_is_replayed_is_warmed_in_the_way_that_is_timed(how: str, ways: str) -> None:
    asked: list[str] = []
    with _crew(how, replays=True) as crew:
        for side in crew.sampling.device_sides:
            run = side.runner.run

            def noted(way: str, *given: Any, run: Any = run, **more: Any) -> float:
                asked.append(way)
                return float(run(way, *given, **more))

            setattr(side.runner, "run", noted)  # noqa: B010 - of this one alone
        crew.sampling.warm(crew.inputs.draw_block(-1))
    assert {way for way in asked if way != "null"} == {ways}


def test_how_long_a_quick_call_takes_is_known_without_what_is_around_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with _crew() as crew:
        fill = RunnerClient.fill

        def slowly(self: RunnerClient, slot: int, storages: Any) -> None:
            crew.time.pass_by(1e-3)
            fill(self, slot, storages)

        monkeypatch.setattr(RunnerClient, "fill", slowly)
        crew.sampling.warm(crew.inputs.draw_block(-1))
        assert crew.sampling.quickest_s == pytest.approx(2e-6, rel=0.01)
        assert crew.sampling._wall.usual == {}  # nobody was warm


def test_both_sides_of_a_pair_get_the_same_values() -> None:
    with _crew() as crew:
        crew.sampling.measure(0)
        for pair in (0, 1):
            mine, theirs = crew.programs[f"entry {pair}"], crew.programs[f"eager {pair}"]
            assert set(mine.seen) <= set(theirs.seen)
            # Runs without calls are on values, too, and one call on those comes before the next.
            assert len(set(theirs.seen) - set(mine.seen)) <= 1
            assert len(set(mine.seen)) > crew.inputs.layout.slots


def test_who_goes_first_is_drawn_anew() -> None:
    with _crew() as crew:
        firsts = set()
        for number in range(CALL_BLOCKS, CALL_BLOCKS + 12):
            crew.log.clear()
            crew.sampling.measure(number)
            firsts.add(crew.log[0])
        assert firsts == {"entry 0", "eager 0"}


def test_times_of_the_judge_s_clock() -> None:
    with _crew() as crew:
        for number in range(CALL_BLOCKS + 1):
            crew.sampling.measure(number)
        for clock, blocks in ((Clock.DEVICE, CALL_BLOCKS + 1), (Clock.CALL, CALL_BLOCKS)):
            samples = crew.sampling.times.samples("eager", clock)
            assert {(one.pair, one.block) for one in samples} == {
                (pair, block) for pair in (0, 1) for block in range(blocks)
            }
            for one in samples:
                assert one.candidate_us == pytest.approx(2.0, rel=1e-3)
                assert one.baseline_us == pytest.approx(4.0, rel=1e-3)
        claimed = crew.sampling.times.claimed
        for pair in (0, 1):
            assert len(claimed[Clock.DEVICE, pair]) == CALL_BLOCKS + 1
            assert len(claimed[Clock.CALL, pair]) == CALL_BLOCKS
        assert crew.sampling.times.overhead(Clock.DEVICE) == 0.0  # no pretended time passed


@pytest.mark.parametrize("how", ["graph", "queued"])
def test_times_of_runners_whose_own_clocks_count(how: str) -> None:
    with _crew(how, replays=True) as crew:
        for number in range(2):
            crew.sampling.measure(number)
        for one in crew.sampling.times.samples("eager", Clock.DEVICE):
            assert one.candidate_us == pytest.approx(1.0, rel=1e-3)
            assert one.baseline_us == pytest.approx(4.0, rel=1e-3)
        for one in crew.sampling.times.samples("eager", Clock.CALL):
            assert one.candidate_us == pytest.approx(2.0, rel=1e-3)
        assert set(crew.sampling.times.claimed) == {(Clock.CALL, pair) for pair in (0, 1)}
        assert Clock.DEVICE not in crew.sampling.times.overheads


@pytest.mark.parametrize(("how", "replays"), [("batch", False), ("graph", True)])
def test_outputs_of_every_candidate_are_kept_and_none_of_eager(how: str, replays: bool) -> None:
    with _crew(how, replays=replays) as crew:
        for number in range(CALL_BLOCKS):
            crew.sampling.measure(number)
        drawing = crew.sampling.drawing
    names = ["replay 0", "replay 1"] if replays else ["entry 0", "entry 1"]
    assert {name: len(some) for name, some in drawing.kept.items()} == dict.fromkeys(names, 2)
    by_call = {f"entry {pair} {pair} by call": CALLS_JUDGED for pair in (0, 1)}
    by_device = {} if replays else {f"entry {pair} {pair} by device": 2 for pair in (0, 1)}
    found = {key: len(some) for key, some in drawing.quickest.items()}
    assert found == {**by_call, **by_device}
    task = crew.inputs.task
    for taken in drawing.outputs():
        assert judge_outputs(task, crew.inputs.case, [taken], "interpreter") is None
        if taken.runner.startswith("entry"):
            assert taken.before is not None
            assert not torch.equal(taken.before, taken.room)


@pytest.mark.parametrize("quick", range(CALL_BLOCKS))
def test_the_quickest_block_of_either_clock_answers_for_itself(quick: int) -> None:
    """The call clock's, too: its blocks are few beside the device clock's."""
    with _crew() as crew:
        by_call = crew.sampling._time_calls

        def measured(side: TimedSide, block: Any, number: int) -> None:
            program = crew.programs[side.runner.name]
            usual, program.seconds = program.seconds, (0.5 if number == quick else 2) * 1e-6
            by_call(side, block, number)
            program.seconds = usual

        crew.sampling._time_calls = measured  # type: ignore[method-assign]
        for number in range(CALL_BLOCKS):
            crew.sampling.measure(number)
        for pair in (0, 1):
            (taken,) = crew.sampling.drawing.quickest[f"entry {pair} {pair} by call"]
            block = crew.inputs.draw_block(4 * quick + 2 + pair)
            values = [one.tensors()[0].numpy().tobytes() for one in block.calls]
            assert taken.call.tensors()[0].numpy().tobytes() in values


@pytest.mark.parametrize("number", [0, CALL_BLOCKS - 1, CALL_BLOCKS])
@pytest.mark.parametrize("slots", [2, CALLS + 2])
def test_the_call_clock_makes_few_calls_in_few_blocks(number: int, slots: int) -> None:
    with ExitStack() as stack:
        crew = Crew(stack, "graph", replays=True, slots=slots)
        crew.sampling.measure(number)
        timed = number < CALL_BLOCKS
        assert len(crew.sampling.times.overheads.get(Clock.CALL, [])) == timed
        for pair in (0, 1):
            assert len(crew.programs[f"entry {pair}"].seen) == timed * min(CALLS, slots)
            assert len(crew.programs[f"replay {pair}"].seen) == slots


def test_fewer_calls_with_much_memory_are_waited_for() -> None:
    with _crew("graph", replays=True) as crew:
        sampling = crew.sampling
        few = replace(crew.inputs.layout, slots=32)
        large = replace(few, storages=(LARGE_BYTES,))
        for layout, calls in ((few, CALLS), (large, LARGE_CALLS), (replace(large, slots=3), 3)):
            sampling.inputs = replace(crew.inputs, layout=layout)
            assert sampling.calls_per_block == calls


def _random_sampling(stack: ExitStack, task: Task, function: Function) -> Sampling:
    inputs = inputs_of(task, "random/rand")
    sides = []
    for role, name, trusted in (("candidate", "entry 0", False), ("eager", "eager 0", True)):
        program = Loadable(function, "function")
        runner = stack.enter_context(serving(name, program, trusted=trusted))
        runner.open(inputs.layout)
        sides += [TimedSide(role, pair, runner) for pair in (0, 1)]
    return Sampling(
        inputs, Pretended().clock(), random.Random(1), OutputReservoir(0, random.Random(1)),
        "batch", sides, sides,
    )  # fmt: skip


@pytest.mark.parametrize("right", [True, False])
def test_a_contract_about_several_calls_gets_them_from_one_block(right: bool) -> None:
    task = small("random/rand", shape=(40000,), dtype=torch.float32)
    kept = torch.Generator().manual_seed(3)

    def function(*size: Any, generator: torch.Generator) -> torch.Tensor:
        return torch.rand(*size, generator=generator if right else kept)

    with ExitStack() as stack:
        sampling = _random_sampling(stack, task, function)
        (group,) = sampling.measure_repeated(-100)
        assert {one.runner for one in group} == {"entry 0"}
        assert len(group) == task.contract.calls
        found = judge_outputs(task, task.timings[0], group, "interpreter")
        assert (found is None) is right


def test_something_of_all_that_a_submission_drew_is_noted() -> None:
    task = small("random/rand", shape=(40000,), dtype=torch.float32)
    with ExitStack() as stack:
        sampling = _random_sampling(stack, task, task.baseline)
        sampling.warm(sampling.inputs.draw_block(-1))
        assert sampling.noted == {}  # their times say nothing yet
        for number in range(2):
            sampling.measure(number)
        slots, called = sampling.inputs.layout.slots, sampling.calls_per_block
    ((name, noted),) = sampling.noted.items()
    assert name == "entry 0" and isinstance(noted, NumberRepeats)
    assert len(noted.samples) == 2 * 2 * (slots + called)  # blocks, pairs
    assert not sampling.drawing.outputs()  # whether or not one is taken
    with _crew() as crew:
        crew.sampling.measure(0)
        assert crew.sampling.noted == {}  # nothing is drawn


@pytest.mark.parametrize(("how", "replays"), [("batch", False), ("graph", True)])
def test_no_submission_learns_which_of_its_outputs_are_taken(
    how: str, replays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who saw that one was taken would know that the others are not, or fail in time."""
    told: dict[str, list[str]] = {}
    asking = RunnerClient.ask

    def ask(self: RunnerClient, header: dict[str, Any], *rest: Any) -> Any:
        told.setdefault(self.name.split()[0], []).append(str(header["op"]))
        return asking(self, header, *rest)

    with ExitStack() as stack:
        crew = Crew(stack, how, replays=replays)
        monkeypatch.setattr(RunnerClient, "ask", ask)
        for number in range(4):
            crew.sampling.measure(number)
    assert any(one.runner.startswith("entry") for one in crew.sampling.drawing.outputs())
    assert told["entry"] and "collect" not in told["entry"]
    assert ("collect" in told.get("replay", ())) is replays


@pytest.mark.parametrize(("how", "replays"), [("batch", False), ("graph", True)])
def test_what_a_submission_left_on_the_card_is_looked_for_before_others_have_their_turn(
    how: str, replays: bool
) -> None:
    with ExitStack() as stack:
        crew = Crew(stack, how, replays=replays)
        order: list[bool] = []
        look, elapsed_us = crew.sampling.quiet.look, crew.sampling._wall.elapsed_us

        def noted(runner: RunnerClient, *given: Any, **named: Any) -> Any:
            order.append(runner.trusted)
            return elapsed_us(runner, *given, **named)

        def looked() -> None:
            assert order[-1] is False
            order.append(True)
            look()

        crew.sampling._wall.elapsed_us = noted  # type: ignore[method-assign]
        crew.sampling.quiet.look = looked  # type: ignore[method-assign]
        for number in range(3):
            crew.sampling.measure(number)
    assert crew.sampling.quiet.waited_us
    assert crew.sampling.quiet.disturbed == ""
