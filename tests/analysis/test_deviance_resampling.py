"""Whole tasks are drawn, left out and permuted; what is known comes out."""

import time

import numpy as np
import pytest

from counted_trials import crossed, drawn
from kernelbenchx.analysis.deviance_resampling import (
    bootstrap,
    jackknife_bias,
    permutation_p,
    spread,
)
from kernelbenchx.analysis.explained_deviance import TERMS, deviances_of

SIZES = (40, 30, 20, 10, 8, 6, 6, 5, 3, 2)
CATEGORY, METHOD = TERMS.index("category"), TERMS.index("method")


def _rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_category_that_says_nothing_seems_to_explain_and_the_correction_takes_it_back() -> None:
    raw, corrected = [], []
    for seed in range(60):
        counts = drawn(_rng(seed), SIZES, by_category=0.0, by_method=0.5, by_task=1.0)
        share = deviances_of(counts).shares[CATEGORY]
        raw.append(share)
        corrected.append(share - jackknife_bias(counts)[CATEGORY])
    assert np.mean(raw) > 0.015
    assert abs(np.mean(corrected)) < 0.15 * np.mean(raw)


def test_the_jackknife_is_that_of_leaving_each_task_out_by_hand() -> None:
    counts = drawn(_rng(3), (4, 3), by_category=1.0, by_method=0.5, by_task=0.5)
    raw = deviances_of(counts).shares[METHOD]
    by_hand = 0.0
    for task in range(7):
        size = counts.sizes[counts.category_of[task]]
        weights = np.where(counts.category_of == counts.category_of[task], size / (size - 1), 1.0)
        weights[task] = 0.0
        left = crossed(counts.successes, (4, 3))
        left.successes[:] *= weights[:, None]
        left.trials[:] *= weights[:, None]
        by_hand += (size - 1) / size * (deviances_of(left).shares[METHOD] - raw)
    assert jackknife_bias(counts)[METHOD] == pytest.approx(by_hand, abs=1e-9)


def test_a_category_of_one_task_is_never_redrawn() -> None:
    outcomes = np.array([[1.0, 0.0], [0.0, 1.0]])
    shares = bootstrap(crossed(outcomes, (1, 1)), rng=_rng(), replicates=20)
    assert np.allclose(shares, shares[0])


def test_tasks_that_differ_make_the_interval_of_category_wide() -> None:
    alike = np.repeat(_rng(2).random((130, 1)) < 0.3, 4, axis=1) * 1.0
    mixed = _rng(2).permuted(alike, axis=0)  # the same rates, tasks torn apart
    clustered = spread(crossed(alike, SIZES), rng=_rng(), replicates=300)
    torn = spread(crossed(mixed, SIZES), rng=_rng(), replicates=300)
    width = clustered.high[CATEGORY] - clustered.low[CATEGORY]
    assert width > 1.5 * (torn.high[CATEGORY] - torn.low[CATEGORY])


def test_the_interval_holds_the_corrected_share_and_none_is_below_zero() -> None:
    counts = drawn(_rng(4), SIZES, by_category=1.0, by_method=1.0, by_task=0.5)
    found = spread(counts, rng=_rng(), replicates=300)
    assert (found.low >= 0.0).all()
    assert (found.low <= np.maximum(found.corrected, 0.0)).all()
    assert (np.maximum(found.corrected, 0.0) <= found.high).all()
    assert (found.corrected[:5] < found.raw[:5]).all()


def test_permutations_find_effects_and_none_where_there_is_none() -> None:
    there = drawn(_rng(5), SIZES, by_category=1.5, by_method=1.0, by_task=0.5)
    found = permutation_p(there, rng=_rng(), replicates=200)
    assert (found[[0, 1, 3, 4]] < 0.02).all()
    assert np.isnan(found[[2, 5]]).all()
    nothing = drawn(_rng(6), SIZES, by_category=0.0, by_method=0.0, by_task=1.0)
    assert (permutation_p(nothing, rng=_rng(), replicates=200)[[0, 1, 3, 4]] > 0.02).all()


def test_permutations_know_tasks_that_fail_every_method() -> None:
    """Independence of attempts would be refuted at once; that of categories is not."""
    rejected = 0
    for seed in range(40):
        hard = np.repeat(_rng(seed).random((130, 1)) < 0.3, 4, axis=1) * 1.0
        p = permutation_p(crossed(hard, SIZES), rng=_rng(seed), replicates=60)[CATEGORY]
        rejected += int(p < 0.05)
    assert rejected <= 6


def test_a_hundred_thousand_attempts_take_seconds() -> None:
    rng = _rng(7)
    sizes = (60, 36, 17, 16, 10, 6, 6, 6, 6, 5, 5, 3, 2, 2, 4)
    counts = crossed(rng.binomial(54, 0.3, size=(184, 10)) * 1.0, sizes)
    counts.trials[:] = 54.0
    start = time.process_time()
    spread(counts, rng=rng)
    permutation_p(counts, rng=rng)
    assert counts.n > 99_000
    assert time.process_time() - start < 20.0


def test_draws_in_which_all_end_alike_are_left_out() -> None:
    hits = np.zeros((40, 2))
    hits[:4], hits[5, 0] = 1.0, 1.0
    counts = crossed(hits, (20, 20))
    assert 0.0 < np.isnan(bootstrap(counts, rng=_rng(), replicates=500)).mean() < 0.05
    found = spread(counts, rng=_rng(), replicates=500)
    assert np.isfinite(found.low).all() and np.isfinite(found.high).all()
    hits[1:4] = 0.0
    rare = spread(crossed(hits, (20, 20)), rng=_rng(), replicates=500)
    assert np.isnan(rare.low).all() and np.isfinite(rare.corrected).all()


def test_a_handful_of_tasks_has_no_interval() -> None:
    counts = drawn(_rng(), (7, 6), by_category=0.5, by_method=0.5, by_task=0.1)
    assert np.isfinite(spread(counts, rng=_rng(), replicates=200).high).all()
    fewer = spread(counts.without_tasks(counts.tasks[-2:]), rng=_rng(), replicates=200)
    assert np.isnan(fewer.raw_low).all() and np.isfinite(fewer.raw).all()


def test_what_hangs_on_one_task_cannot_be_corrected() -> None:
    hits = np.zeros((20, 2))
    hits[0, 0] = 1.0
    found = spread(crossed(hits, (10, 10)), rng=_rng(), replicates=200)
    assert np.isfinite(found.raw).all()
    assert np.isnan(found.corrected).all() and np.isnan(found.low).all()
