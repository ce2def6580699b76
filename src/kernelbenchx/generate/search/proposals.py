"""Which settings to try next: those with the most to gain, as far as the cost model knows."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernelbenchx.generate.search.gaussian_process import (
    Floats,
    Forecast,
    Rows,
    align_columns,
    columns_of,
    fit_forecast,
)
from kernelbenchx.generate.search.setting_space import Point, SettingSpace
from kernelbenchx.generate.search.trials import Trials
from kernelbenchx.generate.search.validity import Validity, fit_validity

NEAR = 4
"""Of the best settings so far, in whose neighbourhood a large space is looked through."""
MOST_ROWS = 120
"""Measurements that the model learns from, the latest first; more would only take longer."""

Prior = Callable[[SettingSpace, Point], float]
"""What is believed of the log speed of a setting before anything is measured."""


def flat(_space: SettingSpace, _point: Point) -> float:
    """Every setting is as good as another."""
    return 0.0


@dataclass(frozen=True)
class Proposal:
    """A setting and why."""

    point: Point
    gain: float
    """Expected, of log speed over the best so far, the chance to fail included."""


def propose(
    trials: Trials,
    space: SettingSpace,
    count: int,
    chance: random.Random,
    *,
    prior: Prior = flat,
    ceiling: float = math.inf,
) -> list[Proposal]:
    """The settings of a space that are worth a try, best first; never code that was tried.

    `ceiling` is the log speed that no kernel can exceed: nothing is gained beyond it.
    """
    model = _LearnedModel.of(trials, space, prior)
    near = [one.point for one in _best_points(trials, space)]
    tried = {one.point for one in trials.of(space)}
    pool = [one for one in space.pool(near, chance) if one not in tried]
    table = model.table(pool)
    found: list[Proposal] = []
    left = np.ones(len(pool), dtype=bool)
    while left.any() and len(found) < count:
        gains = np.where(left, model.gains(table, ceiling), -math.inf)
        at = int(np.argmax(np.round(gains, 12)))
        left[at] = False
        if trials.knows(space.source(pool[at])):
            continue
        found.append(Proposal(pool[at], float(gains[at])))
        model = model.believing(table.row(at))
    return found


def _best_points(trials: Trials, space: SettingSpace) -> list["_ScoredPoint"]:
    scored = [
        _ScoredPoint(one.point, one.speed.value)
        for one in trials.of(space)
        if one.speed is not None
    ]
    return sorted(scored, key=lambda one: -one.value)[:NEAR]


@dataclass(frozen=True)
class _ScoredPoint:
    point: Point
    value: float


@dataclass(frozen=True)
class _LearnedModel:
    """Speed and validity, learned from what was tried."""

    space: SettingSpace
    prior: Prior
    columns: list[str]
    source: int
    forecast: Forecast
    centre: float
    best: float
    start: Floats
    """Features of the text as it is: validity is about steps away from it."""
    validity: Validity

    @classmethod
    def of(cls, trials: Trials, space: SettingSpace, prior: Prior) -> "_LearnedModel":
        timed = [one for one in trials.all if one.speed is not None][-MOST_ROWS:]
        families = list(dict.fromkeys([*(one.space.family for one in timed), space.family]))
        features = [one.space.features(one.point) for one in timed]
        start = space.features(space.start)
        columns = columns_of([*features, start])
        held = np.asarray([prior(one.space, one.point) for one in timed])
        values = np.asarray([one.speed.value for one in timed if one.speed]) - held
        centre = float(values.mean()) if len(values) else 0.0
        noise = np.asarray([one.speed.sd for one in timed if one.speed])
        rows = align_columns(features, [families.index(one.space.family) for one in timed], columns)
        forecast = fit_forecast(rows, values - centre, noise)
        means = forecast.smooth_measurements() + held
        return cls(
            space=space,
            prior=prior,
            columns=columns,
            source=families.index(space.family),
            forecast=forecast,
            centre=centre,
            best=float(means.max()) if len(means) else -math.inf,
            start=align_columns([start], [0], columns).features,
            validity=_validity(trials, space, columns),
        )

    def table(self, pool: Sequence[Point]) -> "_SettingTable":
        features = [self.space.features(point) for point in pool]
        rows = align_columns(features, [self.source] * len(pool), self.columns)
        prior = np.asarray([self.prior(self.space, point) for point in pool])
        return _SettingTable(rows, prior)

    def gains(self, table: "_SettingTable", ceiling: float) -> Floats:
        mean, spread = self.forecast.at(table.rows)
        mean = mean + table.prior
        gain = _expected_excess(mean, spread, self.best)
        if math.isfinite(ceiling):
            top = max(ceiling - self.centre, self.best)
            gain = gain - _expected_excess(mean, spread, top)
        return gain * self.validity.at(table.rows.features - self.start)

    def believing(self, row: Rows) -> "_LearnedModel":
        return replace(self, forecast=self.forecast.believing(row))


def _validity(trials: Trials, space: SettingSpace, columns: list[str]) -> Validity:
    own = trials.like(space)
    tried = align_columns([one.space.features(one.point) for one in own], [0] * len(own), columns)
    start = align_columns([space.features(space.start)], [0], columns)
    valid = np.asarray([float(one.speed is not None) for one in own])
    return fit_validity(tried.features - start.features, valid)


@dataclass(frozen=True)
class _SettingTable:
    """A pool of settings as numbers."""

    rows: Rows
    prior: Floats

    def row(self, at: int) -> Rows:
        return Rows(self.rows.features[at : at + 1], self.rows.source[at : at + 1])


def _expected_excess(mean: Floats, spread: Floats, over: float) -> Floats:
    """Of what exceeds `over`, for a normal variable."""
    if not math.isfinite(over):
        return spread
    z = (mean - over) / spread
    density = np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi)
    return np.asarray((mean - over) * _below(z) + spread * density)


def _below(z: Floats) -> Floats:
    """The normal distribution function."""
    return np.asarray([0.5 * math.erfc(-one / math.sqrt(2)) for one in z.tolist()])
