"""Witnesses that cannot be replayed on both sides of a comparison, on the host: one is slowed."""

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest
import torch

from benchmark_files import benchmark
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Clock, Failed, Gpu, SpeedClass, Tier, TimedCase
from kernelbenchx.measure import comparisons
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.measure.host_clock import JudgeClock
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.worker.timing.recorded_steps import READS
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from timing_host import PAUSE_S, Pretended, inputs_of, relu, serving, small, without_slack

PLANS, WALLED = benchmark("_plans"), benchmark("_walled")
TIME = Pretended()
PLACE = PLANS.Place(
    Gpu(name="host", l2_bytes=1 << 20), TIME.clock(), "interpreter", random.Random(5), TIME.now_ns
)
CALL_US = 1e6 * PAUSE_S
EXPECTED = PLANS.CALLS / (PLANS.CALLS + 1)


@pytest.fixture(autouse=True)
def _exact(monkeypatch: pytest.MonkeyPatch) -> None:
    without_slack(monkeypatch)
    monkeypatch.setattr(comparisons, "HOSTED_US", CALL_US / 2)


@contextmanager
def _crew(
    function: Any = torch.relu, kind: Any = WALLED.OneMore, other: Any = torch.relu
) -> Iterator[Any]:
    with ExitStack() as stack:

        def runners(role: str, one: Any, body: Any) -> list[RunnerClient]:
            program = SubmissionProgram(TIME.slowed(body), "function")
            trusted = one is WALLED.Usual
            return [
                stack.enter_context(
                    serving(f"{role} {n}", program, trusted=trusted, clock=TIME.clock(), kind=one)
                )
                for n in (0, 1)
            ]

        candidates = runners("slowed", kind, function)
        yield WALLED.WallCrew(candidates, runners("baseline", WALLED.Usual, other))


def _inputs(slots: int) -> tuple[CaseInputs, int]:
    drawn = inputs_of(relu())
    found = PLANS.in_twenties(replace(drawn, layout=replace(drawn.layout, slots=slots)))
    assert found[0].layout.slots * found[1] == PLANS.CALLS
    return found  # type: ignore[no-any-return]


def _device(found: Any) -> Any:
    assert isinstance(found, TimedCase), found
    device = found.find_comparison("eager", Clock.DEVICE)
    assert device is not None
    assert device.tier is Tier.HOST_TIMED
    return device


@pytest.mark.parametrize("slots", [3, 7, 32])
def test_one_call_more_in_twenty_is_found_slower_whatever_the_slots(slots: int) -> None:
    inputs, rounds = _inputs(slots)
    with _crew() as crew:
        found = WALLED.timed_walled(PLACE, inputs, rounds, crew, "")
    device = _device(found)
    assert device.speedup == pytest.approx(EXPECTED, abs=0.003)
    assert device.speed_class is SpeedClass.SLOWER
    assert device.baseline_us == pytest.approx(CALL_US, rel=0.01)
    assert found.judged_outputs >= 4


@pytest.mark.slow
def test_without_that_call_it_is_not() -> None:
    inputs, rounds = _inputs(4)
    with _crew(kind=RunnerClient) as crew:
        device = _device(WALLED.timed_walled(PLACE, inputs, rounds, crew, ""))
    assert device.speedup == pytest.approx(1.0, abs=0.003)
    assert device.speed_class is SpeedClass.UNDECIDED


def test_a_wrong_answer_is_seen() -> None:
    inputs, rounds = _inputs(4)
    with _crew(lambda x: x + 1.0) as crew:
        found = WALLED.timed_walled(PLACE, inputs, rounds, crew, "")
    assert isinstance(found, Failed)
    assert found.reason is Reason.TIMED_WRONG


def test_a_witness_that_fails_on_the_other_side_is_no_verdict() -> None:
    inputs, rounds = _inputs(4)
    with _crew(other=lambda x: x.no_such_thing) as crew:
        found = WALLED.timed_walled(PLACE, inputs, rounds, crew, "")
    assert found.reason is Reason.EVALUATOR
    assert "no_such_thing" in found.detail


@pytest.mark.slow
def test_who_waits_for_the_host_is_judged_as_one_who_does() -> None:
    inputs, rounds = _inputs(20)
    widths = {}
    for obstacle in ("draws random numbers", READS):
        with _crew() as crew:
            found = WALLED.timed_walled(PLACE, inputs, rounds, crew, obstacle)
        device = _device(found)
        assert found.waits_for_host is (obstacle == READS)
        widths[obstacle] = device.high / device.low
    assert widths[READS] > 1.03 * widths["draws random numbers"]


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"out": "contiguous"}])
def test_random_numbers_are_drawn_in_the_additional_call_as_well(options: dict[str, str]) -> None:
    """Also into an argument, which is filled anew before every round."""
    task = small("random/rand", shape=(64, 33), dtype=torch.float32, **options)
    inputs, rounds = PLANS.in_twenties(inputs_of(task, "random/rand"))
    with _crew(task.reference, other=task.reference) as crew:
        device = _device(WALLED.timed_walled(PLACE, inputs, rounds, crew, "draws"))
    assert device.speedup == pytest.approx(EXPECTED, abs=0.003)


def _slow_fill(seconds: float) -> Callable[..., None]:
    fill = RunnerClient.fill

    def slowly(self: RunnerClient, slot: int, storages: Any) -> None:
        TIME.pass_by(seconds)
        fill(self, slot, storages)

    return slowly


def _rounds(inputs: CaseInputs, rounds: int) -> Any:
    rooms = [
        torch.empty(inputs.layout.outputs, dtype=torch.uint8) for _ in range(inputs.layout.slots)
    ]
    return WALLED.Rounds.around(JudgeClock(TIME.clock(), rooms, TIME.now_ns), rounds)


@pytest.mark.parametrize(("side", "calls"), [("candidates", 21), ("baselines", 20)])
def test_a_block_is_so_many_calls(monkeypatch: pytest.MonkeyPatch, side: str, calls: int) -> None:
    """However long it takes to fill the slots, of which there is one more in one round."""
    monkeypatch.setattr(RunnerClient, "fill", _slow_fill(PAUSE_S / 2))
    inputs, rounds = _inputs(4)
    block = inputs.draw_block(0)
    wall = _rounds(inputs, rounds)
    with _crew() as crew:
        runner = getattr(crew, side)[0]
        runner.open(inputs.layout)
        for _ in range(2):  # in the first it is not known yet how long anything around it takes
            elapsed, _ = wall.elapsed_us(runner, "batch", block.storages)
            wall.elapsed_us(runner, "null", block.storages)
        assert torch.equal(runner.inputs[0][0], block.storages[0][0])
        assert len(runner.inputs) == inputs.layout.slots + calls - PLANS.CALLS
        if side == "candidates":
            assert torch.equal(runner.inputs[-1][0], runner.inputs[0][0])
            assert runner.inputs[-1][0].data_ptr() != runner.inputs[0][0].data_ptr()
    assert elapsed * rounds == pytest.approx(calls * CALL_US, rel=0.02)
    counts = {count for _, count in wall.usual}
    assert (inputs.layout.slots + 1 in counts) is (side == "candidates")


def test_a_call_that_is_waited_for_is_made_once() -> None:
    inputs, rounds = _inputs(4)
    block, wall = inputs.draw_block(0), _rounds(inputs, rounds)
    with _crew() as crew:
        runner = crew.candidates[0]
        runner.open(inputs.layout)
        before = TIME.now()
        wall.elapsed_us(runner, "call", block.storages)
        calls = (TIME.now() - before) / PAUSE_S
    assert calls == pytest.approx(inputs.layout.slots + 1, rel=0.02)  # one before the clock runs
