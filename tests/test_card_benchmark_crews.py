"""The processes of a card's benchmarks on the host: a witness is recorded, its plan replayed."""

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from benchmark_files import benchmark
from kernelbenchx.core.performance import Clock, Gpu, Tier, TimedCase, Unmeasured
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.submission_timing import Timing
from kernelbenchx.measure.bench import Bench
from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.worker.timing.clocks import HostClock
from samples import evaluation
from timing_host import relu

CREWS, PLANS, WALLED = map(benchmark, ("_crews", "_plans", "_walled"))
NAME = "activation/relu"
COPIES = "import torch\n\ndef relu(input):\n    return input.clone()\n"
ADDS = "import torch\n\ndef relu(input):\n    return input + 1\n"
FAILS = "1 / 0\n"


TASK = replace(relu(), reference=lambda input: input.clone())
"""A task that asks for a copy: the one thing that is replayed without a card."""
CASE = TASK.timings[0].name


@pytest.fixture(scope="module")
def here() -> Iterator[Any]:
    settings = Settings(device="cuda", jobs=2)
    with Zygote("cuda", detect(), jobs=8) as zygote:
        workers: Any = SimpleNamespace(zygotes={"cuda": zygote}, settings=settings)
        cards: Any = SimpleNamespace(slots=[SimpleNamespace(device="cpu", index=0)])
        yield CREWS.Station(Timing(workers), cards, settings, "as here", evaluation().environment)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(CREWS.catalog, "load", lambda _name: TASK)
    made = Bench.for_device("cpu", 7, ())
    yield made
    made.close()


@pytest.mark.slow
def test_of_what_cannot_be_replayed_it_is_known_why(
    here: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CREWS, "witness_source", lambda _name: ADDS)
    missing: list[str] = []
    (found,) = CREWS.recorded_witnesses(here, bench, [NAME], missing.append)
    assert found == WALLED.Walled(NAME, CASE, "torch operator aten.add")
    assert not missing


def test_one_that_fails_is_missing(
    here: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CREWS, "witness_source", lambda _name: FAILS)
    missing: list[str] = []
    assert CREWS.recorded_witnesses(here, bench, [NAME], missing.append) == []
    assert missing[0].startswith(f"{NAME}: not recorded: ")


@pytest.mark.slow
@pytest.mark.parametrize("source", [COPIES, FAILS], ids=["copies", "fails"])
def test_a_witness_is_timed_in_confined_processes_on_both_sides(
    here: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    monkeypatch.setattr(CREWS, "witness_source", lambda _name: source)
    held: list[int] = []
    monkeypatch.setattr(bench, "hold", held.append)
    place = PLANS.Place(Gpu(name="host"), HostClock(), "interpreter", random.Random(1))
    drawn = CREWS.inputs_of(bench, NAME, CASE, walled=True)
    inputs = replace(drawn, layout=replace(drawn.layout, slots=2))
    before = os.sched_getaffinity(0)
    with CREWS.wall_crews(here, {NAME: [drawn]}) as (crew,):
        assert [runner.trusted for runner in crew.everybody] == [False, False, True, True]
        if source == COPIES:  # one that fails may be gone before it is known
            assert all(runner.process >= 0 for runner in crew.everybody)
        with crew.stack, CREWS.beside_the_clock(here, bench, crew):
            found = WALLED.timed_walled(place, inputs, 1, crew, "")
        assert all(runner.channel.fileno() < 0 for runner in crew.everybody)
    assert os.sched_getaffinity(0) == before
    if source != COPIES:
        assert isinstance(found, Unmeasured)
        assert found.detail.startswith("a baseline failed: ")
        return
    assert len(set(held)) == 4
    assert isinstance(found, TimedCase)
    device = found.find_comparison("eager", Clock.DEVICE)
    assert device is not None
    assert device.tier is Tier.HOST_TIMED
    assert found.judged_outputs >= 4


@pytest.mark.parametrize("slowed", [False, True])
def test_a_recorded_plan_is_timed_in_processes_of_its_own(
    here: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch, slowed: bool
) -> None:
    monkeypatch.setattr(CREWS, "witness_source", lambda _name: COPIES)
    missing: list[str] = []
    (plan,) = CREWS.recorded_witnesses(here, bench, [NAME], missing.append)
    assert not missing
    place = PLANS.Place(Gpu(name="host"), HostClock(), "interpreter", random.Random(1))
    names = ("candidate 0", "candidate 1")
    drawn = CREWS.inputs_of(bench, plan.task, plan.case)
    inputs, rounds = PLANS.in_twenties(drawn) if slowed else (drawn, 1)
    with (
        CREWS.slowed_replays(here, names)
        if slowed
        else CREWS.replays(here, PLANS.Replaying, names) as candidates,
        CREWS.replays(here, PLANS.Replaying, ("baseline 0", "baseline 1")) as baselines,
    ):
        for runner in (*candidates, *baselines):
            runner.rounds = rounds
        found = PLANS.timed(place, inputs, plan, candidates, baselines)
    assert isinstance(found, TimedCase)
    device = found.find_comparison("eager", Clock.DEVICE)
    assert device is not None
    assert device.tier is Tier.REPLAY
    assert found.judged_outputs == 4
    assert torch.isfinite(torch.tensor([device.low, device.high])).all()
