import numpy as np
import pytest

from kernelbenchx.generate.search.gaussian_process import (
    Floats,
    Rows,
    align_columns,
    columns_of,
    fit_forecast,
)


def _rows(values: list[list[float]], source: int = 0) -> Rows:
    return Rows(np.asarray(values), np.full(len(values), source))


def _bowl(rows: Rows) -> Floats:
    return np.asarray(-0.1 * (rows.features[:, 0] - 1.0) ** 2)


TRIED = _rows([[x, y] for x in (-3.0, -1.0, 0.0, 2.0, 3.0) for y in (-1.0, 1.0)])


def test_what_was_measured_is_predicted_and_far_away_is_unknown() -> None:
    model = fit_forecast(TRIED, _bowl(TRIED), np.full(len(TRIED), 0.005))
    assert model.smooth_measurements() == pytest.approx(_bowl(TRIED), abs=0.02)
    near = model.at(_rows([[1.0, 0.0]]))
    far = model.at(_rows([[40.0, 0.0]]))
    assert near[0][0] == pytest.approx(0.0, abs=0.05)
    assert far[1][0] > 2 * near[1][0]


def test_a_feature_without_effect_gets_a_longer_scale_than_one_with() -> None:
    model = fit_forecast(TRIED, _bowl(TRIED), np.full(len(TRIED), 0.005))
    assert model.shape.scales[1] > model.shape.scales[0]


def test_noise_draws_measurements_towards_the_rest() -> None:
    values = _bowl(TRIED)
    values[4] += 0.5
    sure = fit_forecast(TRIED, values, np.full(len(TRIED), 0.001)).smooth_measurements()[4]
    unsure = fit_forecast(TRIED, values, np.full(len(TRIED), 0.5)).smooth_measurements()[4]
    assert unsure < sure


def test_one_source_teaches_another_its_shape_but_not_its_level() -> None:
    values = _bowl(TRIED)
    alone = Rows(np.asarray([[0.0, 0.0]]), np.asarray([1]))
    rows = Rows(
        np.vstack([TRIED.features, alone.features]),
        np.concatenate([TRIED.source, alone.source]),
    )
    model = fit_forecast(rows, np.append(values, 2.0), np.full(len(rows), 0.005))
    mean, _ = model.at(_rows([[0.0, 0.0], [-3.0, 0.0]], source=1))
    assert mean[0] == pytest.approx(2.0, abs=0.1)
    assert mean[1] < mean[0] - 0.2


def test_believing_removes_the_doubt_where_it_believes() -> None:
    model = fit_forecast(TRIED, _bowl(TRIED), np.full(len(TRIED), 0.005))
    row = _rows([[8.0, 0.0]])
    before, after = model.at(row), model.believing(row).at(row)
    assert after[1][0] < before[1][0] / 2
    assert after[0][0] == pytest.approx(before[0][0], abs=0.02)


def test_features_that_a_source_does_not_have_stay_at_zero() -> None:
    features = [{"b": 1.0}, {"a": 2.0, "b": 3.0}]
    rows = align_columns(features, [0, 1], columns_of(features))
    assert rows.features.tolist() == [[0.0, 1.0], [2.0, 3.0]]
    assert len(align_columns([{}], [0], columns_of([{}]))) == 1
