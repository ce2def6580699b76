"""Plans on both sides of a comparison, on the host: what is the same, and what is slowed."""

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest
import torch

from benchmark_files import benchmark
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Clock, Failed, Gpu, SpeedClass, Tier, TimedCase
from kernelbenchx.measure.case_inputs import CaseInputs
from kernelbenchx.replay.plan import replayable
from kernelbenchx.worker.frames import pack
from replay_samples import view
from timing_host import Loadable, Pretended, inputs_of, relu, serving

PLANS = benchmark("_plans")
TIME = Pretended()
PLACE = PLANS.Place(
    Gpu(name="host", l2_bytes=1 << 20), TIME.clock(), "interpreter", random.Random(5), TIME.now_ns
)


def _recorded(inputs: CaseInputs) -> Any:
    """A plan without a launch: what is loaded does not matter to the programs here."""
    (nbytes,) = inputs.layout.storages
    plan = {
        "buffers": [{"t": "argument", "storage": 0, "nbytes": nbytes}],
        "steps": [],
        "cubins": [],
        "result": {"t": "tensor", **view(0, 64, 33)},
    }
    body = pack({"plan": plan})
    checked, why = replayable(body, body, inputs.layout)
    assert checked is not None, why
    return PLANS.Recorded(inputs.name, inputs.case.name, (body, body), checked.to_bytes())


class Counting(Loadable):
    """Says how often it was called."""

    def __init__(self, function: Any) -> None:
        def run(*args: Any) -> Any:
            self.calls += 1
            return function(*args)

        super().__init__(TIME.slowed(run), "function")
        self.calls = 0


@contextmanager
def _sides(kind: Any, function: Any = torch.relu) -> Iterator[tuple[list[Any], list[Any]]]:
    with ExitStack() as stack:

        def runners(role: str, one: Any, body: Any) -> list[Any]:
            program = Counting(body)
            return [
                stack.enter_context(
                    serving(f"{role} {n}", program, trusted=True, clock=TIME.clock(), kind=one)
                )
                for n in (0, 1)
            ]

        candidates = runners("candidate", kind, function)
        if kind is PLANS.Slowed:
            others = runners("others", PLANS.Replaying, function)
            for one, other in zip(candidates, others, strict=True):
                one.shorter = other
        yield candidates, runners("baseline", PLANS.Replaying, torch.relu)


def test_a_plan_against_itself_is_a_tie_and_judged() -> None:
    inputs = inputs_of(relu())
    with _sides(PLANS.Replaying) as (candidates, baselines):
        found = PLANS.timed(PLACE, inputs, _recorded(inputs), candidates, baselines)
    assert isinstance(found, TimedCase)
    device = found.find_comparison("eager", Clock.DEVICE)
    assert device is not None
    assert device.tier is Tier.REPLAY
    assert device.speed_class is SpeedClass.TIE
    assert found.judged_outputs == 4


def test_a_wrong_plan_is_seen() -> None:
    inputs = inputs_of(relu())
    with _sides(PLANS.Replaying, lambda x: x + 1.0) as (candidates, baselines):
        found = PLANS.timed(PLACE, inputs, _recorded(inputs), candidates, baselines)
    assert isinstance(found, Failed)
    assert found.reason is Reason.TIMED_WRONG


@pytest.mark.parametrize("slots", [3, 4, 7, 20, 32])
def test_one_call_more_in_twenty_is_found_slower_whatever_the_slots(slots: int) -> None:
    drawn = inputs_of(relu())
    drawn = replace(drawn, layout=replace(drawn.layout, slots=slots))
    inputs, rounds = PLANS.in_twenties(drawn)
    assert inputs.layout.slots * rounds == PLANS.CALLS
    assert inputs.layout.slots >= min(slots, PLANS.CALLS)
    with _sides(PLANS.Slowed) as (candidates, baselines):
        for runner in (*candidates, *baselines):
            runner.rounds = rounds
        found = PLANS.timed(PLACE, inputs, _recorded(inputs), candidates, baselines)
    assert isinstance(found, TimedCase)
    device = found.find_comparison("eager", Clock.DEVICE)
    assert device is not None
    assert device.speedup == pytest.approx(20 / 21, abs=0.003)
    assert device.speed_class is SpeedClass.SLOWER
    assert found.judged_outputs == 4


@pytest.mark.parametrize(
    ("slots", "room", "found"),
    [(6, 100, 10), (6, 9, 5), (6, 4, 4), (3, 1, 4), (32, 100, 20), (32, 19, 10)],
)
def test_slots_divide_twenty_and_fit_where_they_can(slots: int, room: int, found: int) -> None:
    drawn = inputs_of(relu())
    drawn = replace(drawn, layout=replace(drawn.layout, slots=slots))
    inputs, rounds = PLANS.in_twenties(drawn, room * drawn.layout.stride)
    assert (inputs.layout.slots, rounds) == (found, PLANS.CALLS // found)


def test_what_is_changed_in_place_is_changed_once_where_it_is_judged() -> None:
    """Rounds are repeated on the same memory, except in the process whose outputs are drawn."""
    inputs, rounds = PLANS.in_twenties(inputs_of(relu()))
    assert rounds > 1
    with _sides(PLANS.Slowed) as (candidates, baselines):
        for runner in (*candidates, *baselines):
            runner.rounds = rounds
        recorded = _recorded(inputs)
        one = candidates[0]
        one.recorded = one.shorter.recorded = recorded
        one.open(inputs.layout)
        block = inputs.draw_block(0)
        for slot, storages in enumerate(block.storages):
            one.fill(slot, storages)
        assert torch.equal(one.inputs[0][0], one.inputs[-1][0])
        assert len(one.inputs) == inputs.layout.slots + 1
        assert len(one.shorter.inputs) == inputs.layout.slots
        before = TIME.now()
        mean_us = one.run("queued")
        calls = (TIME.now() - before) * 1e6 / (1e6 * 1e-4)
        assert calls == pytest.approx(PLANS.CALLS + 1, rel=0.01)
        assert mean_us * rounds == pytest.approx((PLANS.CALLS + 1) * 100.0, rel=0.01)


def test_nothing_is_asked_before_there_is_a_plan() -> None:
    inputs = inputs_of(relu())
    with _sides(PLANS.Replaying) as (candidates, _):
        candidates[0].hello()
        with pytest.raises(AssertionError):
            candidates[0].open(inputs.layout)
