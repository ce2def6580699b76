"""Truths of losses and of the smallest GELU against mpmath, at random points and at traps."""

import random
from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec.call import Call, call

DIGITS = 50
SHARE = 1e-3
"""Of what a submission is allowed, a truth may be off by so much."""
_CHANCE = random.Random(7)
UNIT = [_CHANCE.random() for _ in range(20)] + [0.0, 1.0, 1e-30, 1e-7, 1 - 2.0**-24, 0.5]
LABELS = [_CHANCE.random() for _ in range(20)] + [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
LOGS = [-_CHANCE.expovariate(0.5) for _ in range(22)] + [-40.0, -1e-6, 3.0, 0.0]
X, Y, L = (torch.tensor(one) for one in (UNIT, LABELS, LOGS))


def _log(x: Any) -> Any:
    return mpmath.mpf(-100) if x == 0 else max(mpmath.log(x), mpmath.mpf(-100))


def _cross_entropy(x: Any, y: Any) -> Any:
    return -(y * _log(x) + (1 - y) * _log(1 - x))


def _divergence(x: Any, t: Any) -> Any:
    return (t * mpmath.log(t) if t else mpmath.mpf(0)) - t * x


def _divergence_of_logs(x: Any, t: Any) -> Any:
    return mpmath.exp(t) * (t - x)


def _smooth(x: Any, y: Any) -> Any:
    d = abs(x - y)
    return d * d / 2 / mpmath.mpf("0.5") if d < 0.5 else d - mpmath.mpf("0.25")


def _of(name: str, *args: torch.Tensor, **words: Any) -> tuple[str, Call]:
    return name, call(*args, **words, reduction="none")


@pytest.mark.parametrize(
    ("asked", "opinion"),
    [
        (_of("loss/binary_cross_entropy", X, Y), _cross_entropy),
        (_of("loss/kl_div", L, X), _divergence),
        (_of("loss/kl_div", L, L.flip(0), log_target=True), _divergence_of_logs),
        (_of("loss/smooth_l1_loss", L, X, beta=0.5), _smooth),
    ],
)
def test_a_truth_is_what_many_digits_say(
    asked: tuple[str, Call], opinion: Callable[[Any, Any], Any]
) -> None:
    name, given = asked
    task: Any = catalog.load(name)
    (truth,) = (leaf.value for leaf in task.exact(given).leaves)
    (budget,) = task.contract.budgets(given, (truth,), (torch.float32,))
    with mpmath.workdps(DIGITS):
        pairs = zip(*(one.double().tolist() for one in given.args), strict=True)
        for mine, most, pair in zip(truth.tolist(), budget.tolist(), pairs, strict=True):
            assert abs(mine - opinion(*map(mpmath.mpf, pair))) <= SHARE * most, pair


def _gelu(x: Any) -> Any:
    return x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def _tanh_gelu(x: Any) -> Any:
    return x * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + 0.044715 * x**3))) / 2


@pytest.mark.parametrize(("approximate", "opinion"), [("none", _gelu), ("tanh", _tanh_gelu)])
def test_the_smallest_gelu_is_where_many_digits_say(
    approximate: str, opinion: Callable[[Any], Any]
) -> None:
    task = catalog.load("reduce/min_gelu")
    chance = random.Random(3)
    x = torch.tensor([[chance.gauss(-1, 2) for _ in range(40)] for _ in range(8)])
    values, indices = (leaf.value for leaf in task.exact(call(x, 1, False, approximate)).leaves)
    with mpmath.workdps(DIGITS):
        for row, value, index in zip(x.double().tolist(), values, indices, strict=True):
            scores = [opinion(mpmath.mpf(one)) for one in row]
            least = min(scores)
            assert scores.index(least) == int(index)
            assert abs(least - float(value)) < 1e-12
