"""Truths of elementwise functions against mpmath with 50 digits, at random points and traps.

No truth may be further from the exact value than a thousandth of what a submission is allowed.
"""

import math
from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec import Close
from kernelbenchx.spec.call import Call, call

SHARE = 1e-3
GENERATOR = torch.Generator().manual_seed(11)


def points(low: float, high: float, *traps: float) -> torch.Tensor:
    """Random ones of a range, and what must be met."""
    drawn = low + (high - low) * torch.rand(40, generator=GENERATOR, dtype=torch.float64)
    return torch.cat((drawn, torch.tensor(traps, dtype=torch.float64))).float()


def nested(outer: Callable[[Any], Any], inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: outer(inner(x))


def limited_log_odds(x: Any) -> Any:
    z = min(max(x, mpmath.mpf(1e-6)), 1 - mpmath.mpf(1e-6))
    return mpmath.log(z / (1 - z))


ANGLES = points(-1e4, 1e4, math.pi / 2, 355.0, 1e8, -1e20, 3e38, 16367173.0 * 2**72)
UNIT = points(-1, 1, 1.0, -1.0, 1e-20, 0.9999999, -0.5)
SPREAD = points(-4, 4, 1e-30, -1e-6, 0.0, 5.5, -9.0, 30.0)
TAIL = points(-3, 9.2, 0.0, 1e-8, 5.0, 9.0, -6.0)
ABOVE = points(1e-6, 20, 1.0, 1 + 2.0**-23, 1 - 2.0**-24, 3e38, 2e-38)
ROOTS = points(0, 5000, 0.0, 1e-30, 1e-8, 1.0, 7800.0)
HALVES = points(-170, 170, 0.0, 88.8, -104.0, 176.0, 1e-8)
SHARES = points(0, 1, 0.5, 0.50000006, 1e-20, 0.9999999)

CASES = [
    ("cos", call(ANGLES), mpmath.cos),
    ("cos", call(ANGLES.bfloat16()), mpmath.cos),
    ("asin", call(UNIT), mpmath.asin),
    ("erf", call(SPREAD), mpmath.erf),
    ("erf", call(SPREAD.half()), mpmath.erf),
    ("log", call(ABOVE), mpmath.log),
    ("rsqrt", call(ABOVE), lambda x: 1 / mpmath.sqrt(x)),
    ("logit", call(SHARES), lambda x: mpmath.log(x / (1 - x))),
    ("logit", call(SHARES, eps=1e-6), limited_log_odds),
    ("erfc_sqrt", call(TAIL), mpmath.erfc),
    ("erfc_sqrt", call(TAIL.bfloat16()), mpmath.erfc),
    ("exp_sqrt", call(HALVES), nested(mpmath.sqrt, mpmath.exp)),
    ("sqrt_exp", call(ROOTS), nested(mpmath.exp, mpmath.sqrt)),
    ("sqrt_tanh", call(ROOTS), nested(mpmath.tanh, mpmath.sqrt)),
    ("rad2deg_sqrt", call(SPREAD), mpmath.degrees),
]


@pytest.mark.parametrize(("name", "asked", "opinion"), CASES)
def test_a_truth_is_what_many_digits_say(
    name: str, asked: Call, opinion: Callable[[Any], Any]
) -> None:
    task = catalog.load(f"math/{name}")
    assert isinstance(task.contract, Close)
    for copies in (1, 3):  # a few are computed in another loop than many
        many = call(asked.args[0].repeat(copies), **asked.kwargs)
        truths = tuple(leaf.value for leaf in task.exact(many).leaves)
        natives = tuple(leaf.value.dtype for leaf in task.native(many).leaves)
        with mpmath.workdps(50):
            exact = [float(opinion(mpmath.mpf(x))) for x in asked.args[0].tolist()]
        other = torch.tensor(exact * copies, dtype=torch.float64)
        budget = task.contract.budgets(many.widen(), truths, natives)[0]
        assert truths[0].dtype == torch.float64
        assert bool(((truths[0] - other).abs() <= SHARE * budget).all()), (truths[0], other)
        assert not bool(((truths[0] * (1 + 1e-4) - other).abs() <= SHARE * budget).all())


@pytest.mark.parametrize(
    ("name", "x", "value"),
    [
        ("cos", math.inf, math.nan),
        ("asin", 1.0000001, math.nan),
        ("erf", -math.inf, -1.0),
        ("log", -0.0, -math.inf),
        ("log", -1.0, math.nan),
        ("rsqrt", -0.0, -math.inf),
        ("rsqrt", 0.0, math.inf),
        ("logit", 1.0, math.inf),
        ("logit", -0.0, -math.inf),
        ("logit", math.inf, math.nan),
        ("erfc_sqrt", -math.inf, 2.0),
        ("exp_sqrt", -math.inf, 0.0),
        ("exp_sqrt", 400.0, math.exp(200.0)),
        ("sqrt_exp", -1.0, math.nan),
        ("sqrt_exp", -0.0, 1.0),
        ("sqrt_tanh", math.inf, 1.0),
        ("sqrt_tanh", -1.0, math.nan),
        ("rad2deg_sqrt", -math.inf, -math.inf),
    ],
)
def test_a_truth_at_the_ends_is_what_its_statement_says(name: str, x: float, value: float) -> None:
    task = catalog.load(f"math/{name}")
    for count in (1, 100):
        truth = task.exact(call(torch.full((count,), x))).leaves[0].value
        other = torch.full((count,), value, dtype=torch.float64)
        assert torch.allclose(truth, other, rtol=1e-14, atol=0, equal_nan=True)
        assert not torch.allclose(truth, torch.full_like(other, 0.3), equal_nan=True)


def test_with_eps_the_ends_of_logit_are_finite_and_without_it_they_are_not() -> None:
    task, asked = catalog.load("math/logit"), torch.tensor([-math.inf, 0.0, 1.0, 2.0, math.nan])
    limited = task.exact(call(asked, eps=0.1)).leaves[0].value
    assert torch.allclose(limited[:4], torch.tensor([-1, -1, 1, 1]).double() * math.log(9))
    assert bool(limited[4].isnan())
    plain = task.exact(call(asked)).leaves[0].value
    assert plain[1:3].tolist() == [-math.inf, math.inf] and plain[[0, 3, 4]].isnan().all()
    closed = task.exact(call(asked, eps=0.0)).leaves[0].value
    assert closed[:4].tolist() == [-math.inf, -math.inf, math.inf, math.inf]
