"""The processes of a card's benchmarks on the host: a witness is recorded, its plan replayed."""

import random
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from benchmark_files import benchmark
from kernelbenchx.core.performance import Card, Clock, Tier, TimedCase
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.timing import Timing
from kernelbenchx.measure.bench import Bench
from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.worker.timing.clocks import HostClock
from samples import evaluation
from timing_host import relu

CREWS, PLANS = benchmark("_crews"), benchmark("_plans")
NAME = "activation/relu"
COPIES = "import torch\n\ndef relu(input):\n    return input.clone()\n"
ADDS = "import torch\n\ndef relu(input):\n    return input + 1\n"


TASK = replace(relu(), reference=lambda input: input.clone())
"""A task that asks for a copy: the one thing that is replayed without a card."""
CASE = TASK.timings[0].name


@pytest.fixture(scope="module")
def here() -> Iterator[Any]:
    settings = Settings(device="cuda", jobs=2)
    with Zygote("cuda", detect(), jobs=8) as zygote:
        workers: Any = SimpleNamespace(zygotes={"cuda": zygote}, settings=settings)
        cards: Any = SimpleNamespace(slots=[SimpleNamespace(device="cpu")])
        yield CREWS.Station(Timing(workers), cards, settings, "as here", evaluation().environment)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(CREWS.catalog, "load", lambda _name: TASK)
    made = Bench.on("cpu", 7, ())
    yield made
    made.close()


def test_what_cannot_be_replayed_is_said(
    here: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CREWS, "witness_source", lambda _name: ADDS)
    said: list[str] = []
    assert CREWS.recorded_witnesses(here, bench, [NAME], said.append) == []
    assert len(said) == 1
    assert said[0].startswith(f"not replayed: {NAME} {CASE}: ")


def test_one_that_fails_is_said_too(
    here: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CREWS, "witness_source", lambda _name: "1 / 0\n")
    said: list[str] = []
    assert CREWS.recorded_witnesses(here, bench, [NAME], said.append) == []
    assert said[0].startswith(f"not recorded: {NAME}")


@pytest.mark.parametrize("slowed", [False, True])
def test_a_recorded_plan_is_timed_in_processes_of_its_own(
    here: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch, slowed: bool
) -> None:
    monkeypatch.setattr(CREWS, "witness_source", lambda _name: COPIES)
    said: list[str] = []
    (plan,) = CREWS.recorded_witnesses(here, bench, [NAME], said.append)
    assert not said
    place = PLANS.Place(Card(name="host"), HostClock(), "interpreter", random.Random(1))
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
    device = found.comparison("eager", Clock.DEVICE)
    assert device is not None
    assert device.tier is Tier.REPLAY
    assert found.judged == 4
    assert torch.isfinite(torch.tensor([device.low, device.high])).all()
