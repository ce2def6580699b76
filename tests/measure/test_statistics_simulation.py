"""Verdicts on simulated cards: rarely wrong, and where it matters the naive procedure is not."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kernelbenchx.core.performance import Pace
from kernelbenchx.measure import aggregates
from kernelbenchx.measure.statistics import WALL

ROOT = Path(__file__).parents[2]
RUNS = 600
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
    assert got.paces[Pace.FASTER] + got.paces[Pace.SLOWER] <= ALLOWED


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
    expected = Pace.FASTER if world.speedup > 1 else Pace.SLOWER
    assert got.paces[expected] >= 0.95
    assert got.half_width <= 1.0


@pytest.mark.parametrize(
    ("pace", "speedup", "wrong"),
    [
        (Pace.TIE, 1.0, False),
        (Pace.TIE, 1.0101, True),
        (Pace.FASTER, 1.0101, False),
        (Pace.FASTER, 1.0099, True),
        (Pace.SLOWER, 0.95, False),
        (Pace.SLOWER, 1.0, True),
        (Pace.UNDECIDED, 1.0, False),
    ],
)
def test_what_counts_as_wrong(pace: Pace, speedup: float, wrong: bool) -> None:
    assert SIMULATION.wrong(pace, speedup) is wrong


@pytest.mark.parametrize("cases", [1, 6])
def test_intervals_of_tasks_hold(cases: int) -> None:
    world = SIMULATION.World(name="", noise=0.005, between=0.002, outliers=0.01)
    assert SIMULATION.task_coverage(cases, world, 200, seed=14) >= 1 - ALLOWED


def test_intervals_of_tasks_by_the_judges_clock_hold_by_a_spread_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = SIMULATION.World(name="", between=WALL.between)
    assert SIMULATION.wall_coverage(6, world, 150, seed=14) >= 1 - ALLOWED
    monkeypatch.setattr(aggregates, "WALL", SIMULATION.PLAN)
    assert SIMULATION.wall_coverage(6, world, 150, seed=14) < 0.9


def test_intervals_of_suites_are_clustered_by_task() -> None:
    by_task, by_submission = SIMULATION.suite_coverage(40, 8, 400, seed=15)
    assert by_task >= 0.91
    assert by_submission < 0.7


def test_what_was_printed_is_of_this_plan_and_the_document_quotes_it() -> None:
    printed = (ROOT / "benchmarks" / "statistics_simulation.txt").read_text(encoding="utf-8")
    document = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    assert SIMULATION.terms() in printed
    quoted = [line for line in document.splitlines() if line.startswith("|") and "%" in line]
    assert len(quoted) > 10
    assert [line for line in quoted if line not in printed.splitlines()] == []
