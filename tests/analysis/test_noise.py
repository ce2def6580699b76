"""Identical code measured twice."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from attempts_made import made, wrong
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.noise import noise_of


def _measured(task: str, digest: str, *speedups: float, run: str = "1") -> list[Attempt]:
    return [
        made(task, over, digest=digest, run=run, round=number, key=f"{task}{digest}{run}{number}")
        for number, over in enumerate(speedups)
    ]


def test_changes_are_from_one_measurement_to_the_next() -> None:
    found = noise_of(_measured("a", "x", 1.0, math.e, 1.0) + _measured("b", "x", 2.0, 2.0))["card"]
    assert (found.kernels, found.tasks, found.measurements, found.elsewhere) == (2, 2, 5, 0)
    assert sorted(found.changes.tolist()) == pytest.approx([0.0, 1.0, 1.0])
    # Squares about the means of 0, 1, 0 and of 0, 0, over three degrees of freedom.
    assert found.spread.value == pytest.approx(math.sqrt((2 / 3) / 3))
    assert found.spread.n == 5


def test_other_code_another_task_or_another_card_is_no_repetition() -> None:
    assert noise_of([*_measured("a", "x", 1.0), *_measured("a", "y", 2.0)]) == {}
    assert noise_of([*_measured("a", "x", 1.0), *_measured("b", "x", 2.0)]) == {}
    here, there = made("a", 1.0, digest="x"), made("a", 2.0, digest="x", gpu="other")
    assert noise_of([here, there]) == {}
    assert noise_of([made("a", 1.0, digest="x"), wrong("a", digest="x")]) == {}
    tiers = [made("a", 1.0, digest="x", tier=tier) for tier in ("replay", "wall")]
    assert noise_of(tiers) == {} != noise_of([tiers[0], tiers[0]])


def test_equal_sources_that_were_judged_once_are_one_measurement() -> None:
    copies = _measured("a", "x", 1.0, 1.0, 1.0)
    shared = [replace(one, content_key="c") for one in copies]
    assert noise_of(shared) == {} != noise_of(copies)
    elsewhere = [replace(one, run="2", key="k", content_key="c") for one in copies[:1]]
    found = noise_of([*shared, *elsewhere])["card"]
    assert (found.measurements, found.elsewhere) == (2, 1)
    again = replace(copies[1], content_key="measured again")
    assert noise_of([*shared, again])["card"].measurements == 2


def test_two_runs_of_the_same_submission_are_two_measurements() -> None:
    given = _measured("a", "x", 1.0, run="1") + _measured("a", "x", 1.1, run="2")
    found = noise_of(given)["card"]
    assert found.elsewhere == 1
    assert found.floor == pytest.approx(math.log(1.1))


def test_the_spread_of_simulated_noise_is_found() -> None:
    rng = np.random.default_rng(7)
    given: list[Attempt] = []
    for task in range(80):
        given += _measured(f"t{task}", "x", *np.exp(rng.normal(0.3, 0.02, 3)).tolist())
    spread = noise_of(given)["card"].spread
    assert spread.low < 0.02 < spread.high
    assert spread.value == pytest.approx(0.02, rel=0.15)


def test_one_task_gives_a_spread_without_ends() -> None:
    spread = noise_of(_measured("a", "x", 1.0, 1.1))["card"].spread
    assert spread.value > 0 and math.isnan(spread.low)
