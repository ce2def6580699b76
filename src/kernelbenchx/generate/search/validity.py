"""How likely a setting is to compile and to be right, learned from those that did and did not.

Logistic regression with a penalty, on the steps away from the text and on their sizes: a frontier
beyond which tiles do not fit is a plane, and a number that must not be changed at all is a V.
"""

from dataclasses import dataclass

import numpy as np

from kernelbenchx.generate.search.gaussian_process import Floats

LIKELY = 0.85
"""Before anything failed."""
_PENALTY = 0.5
_ROUNDS = 25


@dataclass(frozen=True)
class Validity:
    """The fitted regression."""

    weights: Floats

    def at(self, features: Floats) -> Floats:
        """The chance of each row."""
        return _chance(_design(features) @ self.weights)


def fit_validity(features: Floats, valid: Floats) -> Validity:
    """By Newton's method; without failures only the belief that most settings are valid stays."""
    design = _design(features)
    centre = np.zeros(design.shape[1])
    centre[0] = np.log(LIKELY / (1.0 - LIKELY))
    weights = centre.copy()
    ridge = np.eye(design.shape[1]) * _PENALTY
    for _ in range(_ROUNDS):
        chance = _chance(design @ weights)
        slope = design.T @ (valid - chance) - ridge @ (weights - centre)
        bend = (design * (chance * (1.0 - chance))[:, None]).T @ design + ridge
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-8:
            break
    return Validity(weights)


def _design(features: Floats) -> Floats:
    ones = np.ones((len(features), 1))
    return np.hstack([ones, features, np.abs(features)])


def _chance(score: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(score, -30.0, 30.0))))
