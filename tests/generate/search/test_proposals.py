import math
import random

import numpy as np
import pytest

from benchmark_files import benchmark
from generate.search.sources import NAMED, PRODUCT
from kernelbenchx.generate.search.log_speed import LogSpeed
from kernelbenchx.generate.search.prior import Bottleneck, make_prior
from kernelbenchx.generate.search.proposals import propose
from kernelbenchx.generate.search.setting_space import Point, SettingSpace
from kernelbenchx.generate.search.trials import SettingTrial, Trials


def _tried(space: SettingSpace, values: dict[Point, float | None]) -> Trials:
    trials = Trials()
    for point, value in values.items():
        speed = None if value is None else LogSpeed(value, value - 0.01, value + 0.01)
        trials.add(SettingTrial(space, point, space.source(point), speed))
    return trials


def test_larger_is_tried_where_larger_was_faster() -> None:
    space = SettingSpace.of(NAMED)
    known: dict[Point, float | None] = {(256, 4): -0.4, (512, 4): -0.2, (1024, 4): 0.0}
    (found,) = propose(_tried(space, known), space, 1, random.Random(1))
    assert found.point[0] > 1024
    assert found.gain > 0


def test_what_was_tried_is_never_proposed_again_and_a_batch_has_no_twins() -> None:
    space = SettingSpace.of(NAMED)
    points = space.pool([], random.Random(1))
    trials = _tried(space, dict.fromkeys(points[:-3], 0.0))
    found = propose(trials, space, 10, random.Random(1))
    assert {one.point for one in found} == set(points[-3:])
    assert len(found) == 3


def test_code_that_another_space_reached_is_not_proposed() -> None:
    space, other = (
        SettingSpace.of(NAMED),
        SettingSpace.of(NAMED.replace("BLOCK = 1024", "BLOCK = 2048")),
    )
    trials = _tried(space, {space.start: 0.0})
    for point in other.pool([], random.Random(1)):
        if point != (4096, 8):
            trials.add(SettingTrial(other, point, other.source(point), None))
    found = propose(trials, space, 50, random.Random(1))
    reached = {other.source(point) for point in other.pool([], random.Random(1))}
    assert (4096, 8) in {one.point for one in found}
    assert all(space.source(o.point) not in reached or o.point == (4096, 8) for o in found)


def test_nothing_is_gained_at_the_limit_of_the_card() -> None:
    space = SettingSpace.of(NAMED)
    trials = _tried(space, {(512, 4): -0.2, (1024, 4): 0.0})
    (free,) = propose(trials, space, 1, random.Random(1))
    (capped,) = propose(trials, space, 1, random.Random(1), ceiling=0.0)
    assert free.gain > 0.01
    assert capped.gain < free.gain / 10


def test_settings_beyond_failures_are_left_for_last() -> None:
    space = SettingSpace.of(NAMED)
    known: dict[Point, float | None] = {(1024, 4): 0.0, (2048, 4): None, (4096, 4): None}
    found = propose(_tried(space, {**known, (8192, 8): None}), space, 3, random.Random(1))
    assert all(one.point[0] <= 1024 for one in found)


def test_the_same_chance_proposes_the_same() -> None:
    space = SettingSpace.of(PRODUCT)
    trials = _tried(space, {space.start: 0.0})
    prior = make_prior(Bottleneck.ARITHMETIC)
    first, second = (propose(trials, space, 3, random.Random(7), prior=prior) for _ in range(2))
    assert first == second


def test_nothing_measured_yet_is_no_obstacle() -> None:
    space = SettingSpace.of(NAMED)
    assert len(propose(Trials(), space, 2, random.Random(1))) == 2
    bare = SettingSpace.of("x = 1")
    assert len(propose(Trials(), bare, 2, random.Random(1))) == 1


@pytest.mark.parametrize("number", [1, 2])
def test_a_few_evaluations_bring_more_than_random_draws_and_a_grid(number: int) -> None:
    module = benchmark("search_budget")
    lost = {
        name: np.mean(
            [module.lost_after(module.WORLDS[number], module.WAYS[name], s)[-1] for s in range(5)]
        )
        for name in ("search, 4 at once", "random", "grid")
    }
    assert lost["search, 4 at once"] * 1.5 < min(lost["random"], lost["grid"])


def test_the_simulation_knows_its_best_and_what_does_not_compile() -> None:
    module = benchmark("search_budget")
    for world in module.WORLDS:
        run = module.Run.begun(world, 3)
        values = list(run.truth.values())
        assert any(math.isfinite(value) for value in values)
        if len(values) > 100:
            assert any(math.isnan(value) for value in values)
        best = max(
            run.truth,
            key=lambda point: -math.inf if math.isnan(run.truth[point]) else run.truth[point],
        )
        run.evaluate(best)
        assert run.lost() == 0.0
