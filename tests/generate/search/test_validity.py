import numpy as np

from kernelbenchx.generate.search.validity import LIKELY, fit_validity


def test_without_failures_settings_are_likely_valid() -> None:
    nothing = fit_validity(np.zeros((0, 2)), np.zeros(0))
    assert abs(nothing.at(np.zeros((1, 2)))[0] - LIKELY) < 1e-9


def test_a_frontier_is_learned_from_both_sides() -> None:
    steps = np.asarray([[-2.0], [-1.0], [0.0], [1.0], [2.0], [3.0]])
    found = fit_validity(steps, (steps[:, 0] < 1.5).astype(float)).at(np.asarray([[-3.0], [4.0]]))
    assert found[0] > 0.8
    assert found[1] < 0.2


def test_a_number_that_must_stay_is_left_alone_after_failures_on_both_sides() -> None:
    steps = np.asarray([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [2.0, 1.0]])
    valid = np.asarray([1.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    found = fit_validity(steps, valid).at(np.asarray([[2.0, 0.0], [-2.0, 0.0], [0.0, 2.0]]))
    assert max(found[0], found[1]) < 0.3
    assert found[2] > 0.6
