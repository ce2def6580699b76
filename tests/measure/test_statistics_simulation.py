"""Verdicts on simulated cards: rarely wrong, and where it matters the naive procedure is not."""

import importlib.util
import re
import sys
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from kernelbenchx.core.performance import Clock, SpeedClass
from kernelbenchx.measure import aggregates, statistics
from kernelbenchx.measure.block_sampling import CALL_BLOCKS
from kernelbenchx.measure.statistics import (
    HOST_BOUND_PLAN,
    HOST_TIMED_PLAN,
    HOST_WAITING_PLAN,
    Estimate,
    SamplingPlan,
)

ROOT = Path(__file__).parents[2]
RUNS = 600
RNG = np.random.default_rng(17)
ALLOWED = 0.05


def _simulation() -> ModuleType:
    path = ROOT / "benchmarks" / "statistics_simulation.py"
    spec = importlib.util.spec_from_file_location("statistics_simulation", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks its own module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SIMULATION = _simulation()
WORLDS = (*SIMULATION.A_A, *SIMULATION.BORDER)
AS_PLANNED = [world for world in WORLDS if world.between <= SIMULATION.PLAN.between]
BEYOND = [world for world in WORLDS if world.between > SIMULATION.PLAN.between]


HOSTS = {host.name: host for host in SIMULATION.HOSTS}
WAITING, BOUND = "WALL_WAITING, quickest", "WALL_BOUND, all"


def _name(world: Any) -> str:
    return str(world.name)


@pytest.mark.parametrize("world", AS_PLANNED, ids=_name)
def test_verdicts_and_intervals_hold_over_all_looks(world: Any) -> None:
    got = SIMULATION.tally(world, SIMULATION.planned, RUNS, seed=11)
    assert got.wrong <= ALLOWED
    assert got.covered >= 1 - ALLOWED


@pytest.mark.parametrize("world", BEYOND, ids=_name)
def test_processes_that_differ_more_than_planned_cost_coverage_before_verdicts(world: Any) -> None:
    got = SIMULATION.tally(world, SIMULATION.planned, RUNS, seed=11)
    assert got.wrong <= ALLOWED
    assert got.covered >= 0.8


@pytest.mark.parametrize("world", SIMULATION.A_A, ids=_name)
def test_a_kernel_against_itself_is_neither_faster_nor_slower(world: Any) -> None:
    got = SIMULATION.tally(world, SIMULATION.planned, RUNS, seed=12)
    assert got.paces[SpeedClass.FASTER] + got.paces[SpeedClass.SLOWER] <= ALLOWED


def test_the_naive_procedure_is_wrong_too_often() -> None:
    """The same simulation can tell: without corrections the promise does not hold."""
    by_name = {world.name: world for world in WORLDS}
    looks = SIMULATION.tally(by_name["1.0101"], SIMULATION.naive, 2 * RUNS, seed=11)
    assert looks.wrong > ALLOWED
    assert looks.covered < 0.9
    processes = SIMULATION.tally(by_name["1.0101, processes differ"], SIMULATION.naive, RUNS, 11)
    assert processes.wrong > 4 * ALLOWED
    a_a = SIMULATION.tally(by_name["A/A, processes far apart"], SIMULATION.naive, RUNS, 11)
    assert a_a.wrong > ALLOWED
    assert a_a.covered < 0.6


@pytest.mark.parametrize("world", SIMULATION.EFFECTS, ids=_name)
def test_real_differences_are_found(world: Any) -> None:
    got = SIMULATION.tally(world, SIMULATION.planned, RUNS, seed=13)
    expected = SpeedClass.FASTER if world.speedup > 1 else SpeedClass.SLOWER
    assert got.paces[expected] >= 0.95
    assert got.half_width <= 1.0


@pytest.mark.parametrize(
    ("pace", "speedup", "wrong"),
    [
        (SpeedClass.TIE, 1.0, False),
        (SpeedClass.TIE, 1.0101, True),
        (SpeedClass.FASTER, 1.0101, False),
        (SpeedClass.FASTER, 1.0099, True),
        (SpeedClass.SLOWER, 0.95, False),
        (SpeedClass.SLOWER, 1.0, True),
        (SpeedClass.UNDECIDED, 1.0, False),
    ],
)
def test_what_counts_as_wrong(pace: SpeedClass, speedup: float, wrong: bool) -> None:
    assert SIMULATION.wrong(pace, speedup) is wrong


@pytest.mark.parametrize("cases", [1, 6])
def test_intervals_of_tasks_hold(cases: int) -> None:
    world = SIMULATION.World(name="", noise=0.005, between=0.002, outliers=0.01)
    assert SIMULATION.task_coverage(cases, world, 200, seed=14) >= 1 - ALLOWED


@pytest.mark.slow
def test_intervals_of_tasks_by_the_judges_clock_hold_by_a_spread_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = SIMULATION.World(name="", between=HOST_TIMED_PLAN.between)
    assert SIMULATION.wall_coverage(6, world, 150, seed=14) >= 1 - ALLOWED
    monkeypatch.setattr(aggregates, "HOST_TIMED_PLAN", SIMULATION.PLAN)
    assert SIMULATION.wall_coverage(6, world, 150, seed=14) < 0.9


@pytest.mark.parametrize("name", [name for name in HOSTS if name.startswith("A/A")])
def test_with_the_host_in_the_time_a_kernel_is_no_faster_than_itself(name: str) -> None:
    for plan, got in SIMULATION.hosts_tally(HOSTS[name], 150, seed=16).items():
        assert got.wrong <= ALLOWED, plan
        assert got.covered >= 1 - ALLOWED, plan


def test_where_only_one_side_waits_the_quickest_blocks_are_seldomer_wrong_than_all() -> None:
    got = SIMULATION.hosts_tally(HOSTS["as fast, only one side waits"], 150, seed=16)
    assert ALLOWED < 2 * got[WAITING].wrong < got[BOUND].wrong


@pytest.mark.parametrize(
    "name", ["A/A, host quick at times", "as fast, only one side waits, quick at times"]
)
def test_where_the_host_is_quick_at_times_all_blocks_are_nearer_to_the_truth(name: str) -> None:
    got = SIMULATION.hosts_tally(HOSTS[name], 150, seed=16)
    assert got[BOUND].far_off < got[WAITING].far_off
    assert got[BOUND].wrong <= got[WAITING].wrong


@pytest.mark.parametrize(
    ("known", "blocks"),
    [
        ({HOST_TIMED_PLAN: 4, HOST_BOUND_PLAN: 4}, 4),
        ({HOST_TIMED_PLAN: 4, HOST_BOUND_PLAN: 16}, 16),
        ({HOST_TIMED_PLAN: 16, HOST_BOUND_PLAN: 4}, 16),
        ({HOST_TIMED_PLAN: 8, HOST_BOUND_PLAN: 99}, 32),
    ],
)
def test_it_is_measured_on_where_the_plan_of_the_verdict_is_not_final(
    known: dict[SamplingPlan, int], blocks: int
) -> None:
    paces = {HOST_TIMED_PLAN: SpeedClass.TIE, HOST_BOUND_PLAN: SpeedClass.FASTER}

    def look(upto: int, plan: SamplingPlan) -> Estimate:
        return Estimate(
            speedup=1.0,
            low=1.0,
            high=1.0,
            speed_class=paces[plan],
            look=plan.looks.index(upto),
            blocks=upto,
            final=upto >= known[plan] or upto == plan.looks[-1],
            disagreement=0.0,
        )

    stop = SIMULATION.judged(look, HOST_TIMED_PLAN, HOST_BOUND_PLAN)
    assert (stop.blocks, stop.pace) == (blocks, SpeedClass.FASTER)


def test_the_call_clock_is_looked_at_once_whatever_it_says() -> None:
    plan = statistics.PLANS[Clock.CALL]
    assert plan.looks[0] == CALL_BLOCKS
    for truth in (1.0, 2.0):
        times = SIMULATION.hosted(replace(HOSTS["A/A, quiet host"], speedup=truth), RNG)
        stop = SIMULATION.JUDGED["call, quickest, one look"](SIMULATION.looks_at(times))
        assert stop.blocks == CALL_BLOCKS
        assert (stop.pace is SpeedClass.FASTER) == (truth > 1.0)


def test_every_plan_with_the_host_in_the_time_is_simulated() -> None:
    """By its name, which comes first; that of graphs of calls has tables of its own."""
    assert {name.partition(",")[0] for name in SIMULATION.JUDGED} == {*SIMULATION.BUILT} - {
        "device"
    }


def test_plans_of_tier_wall_look_at_the_same_blocks_and_that_of_queued_calls_at_others() -> None:
    assert (
        HOST_TIMED_PLAN.looks
        == HOST_WAITING_PLAN.looks
        == HOST_BOUND_PLAN.looks
        != SIMULATION.QUEUED_PLAN.looks
    )
    assert HOST_TIMED_PLAN.level == HOST_WAITING_PLAN.level == HOST_BOUND_PLAN.level


def test_intervals_of_suites_are_clustered_by_task() -> None:
    by_task, by_submission = SIMULATION.suite_coverage(40, 8, 400, seed=15)
    assert by_task >= 0.91
    assert by_submission < 0.7


def test_what_was_printed_is_of_this_plan_and_the_document_quotes_it() -> None:
    printed = (ROOT / "benchmarks" / "statistics_simulation.txt").read_text(encoding="utf-8")
    document = (ROOT / "docs" / "explanation" / "statistics.md").read_text(encoding="utf-8")
    assert SIMULATION.terms() in printed
    quoted = [line for line in document.splitlines() if line.startswith("|") and "%" in line]
    assert len(quoted) > 10
    assert [line for line in quoted if line not in printed.splitlines()] == []
    prose = [line for line in document.splitlines() if not line.startswith("|")]
    shares = re.findall(r"(\d+\.\d+) %", " ".join(prose))
    assert len(shares) > 10
    assert [share for share in shares if f" {share}% " not in printed] == []


def test_the_print_names_every_plan_that_there_is() -> None:
    plans = [one for one in vars(statistics).values() if isinstance(one, SamplingPlan)]
    assert len(plans) >= 4
    assert {*plans, *statistics.PLANS.values()} == set(SIMULATION.BUILT.values())


@pytest.mark.parametrize("name", SIMULATION.BUILT)
def test_what_was_printed_of_another_plan_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed, plan = SIMULATION.terms(), SIMULATION.BUILT[name]
    for field in fields(plan):
        value = getattr(plan, field.name)
        other = (*value, 99) if field.name == "looks" else value * 2
        changed = replace(plan, **{field.name: other})
        monkeypatch.setitem(SIMULATION.BUILT, name, changed)
        assert SIMULATION.terms() not in printed
    monkeypatch.setitem(SIMULATION.BUILT, name, plan)
    assert SIMULATION.terms() in printed
