"""Truths of special functions against mpmath at 50 digits: random points and traps.

No truth may be further from the exact value than a thousandth of what a submission is allowed.
"""

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec import Close
from kernelbenchx.spec.call import Call, call

SHARE = 1e-3
INF, NAN = math.inf, math.nan
Range = tuple[float, float]


def _points(*ranges: Range, also: Sequence[float] = (), each: int = 12) -> torch.Tensor:
    chance = random.Random(repr(ranges))
    drawn = [chance.uniform(*one) for one in ranges for _ in range(each)]
    return torch.tensor([*drawn, *also])


def _allowed(name: str, asked: Call) -> tuple[torch.Tensor, torch.Tensor]:
    """The truth, and a thousandth of its budget."""
    task = catalog.load(name)
    assert isinstance(task.contract, Close)
    truth = task.exact(asked).leaves[0].value
    budget = task.contract.budgets(asked, (truth,), (torch.float32,))[0]
    return truth, SHARE * budget


def _gammaln(x: Any) -> Any:
    return mpmath.log(abs(mpmath.gamma(x)))


def _zeta(x: Any, q: Any) -> Any:
    """mpmath continues below 0 in another way: there the terms are summed."""
    head = mpmath.mpf(0)
    while q < 0:
        head, q = head + q ** int(-x), q + 1
    return head + mpmath.zeta(x, q)


def _chebyshev(x: Any, n: int) -> Any:
    return mpmath.chebyt(n, x) if n >= 0 else mpmath.mpf(0)


ONE: list[tuple[str, torch.Tensor, Callable[[Any], Any]]] = [
    (
        "airy_ai",
        _points(
            *((-2.5, -2.0), (-8.2, -7.8), (-40, -8), (-400, -40), (1.9, 2.2), (-8, 2), (2, 26)),
            also=(0.0, -0.0, 1e-20, -2.338107, -2.12, -4.0879, 8.0, 100.0),
        ),
        mpmath.airyai,
    ),
    (
        "bessel_j1",
        _points(
            *((-4, 4), (3.8, 3.86), (4.9, 5.3), (19, 21), (-60, -5), (100, 1e4)),
            also=(0.0, 1e-20, -1e-6, 3.8317, 7.01559, 5.04, 1e6),
        ),
        lambda x: mpmath.besselj(1, x),
    ),
    (
        "digamma",
        _points(
            *((0, 1), (1.44, 1.48), (2, 40), (-8, 0), (-900, -100), (100, 1e5)),
            also=(1e-20, -1e-20, 1.4616321, -0.504083, -2.999, -3.001, 1e20),
        ),
        mpmath.digamma,
    ),
    (
        "gammaln",
        _points(
            *((0, 3.5), (0.95, 1.05), (1.95, 2.05), (-6, 0), (-150, -100), (100, 1e3)),
            also=(1e-20, -1e-20, 1.0, 2.0, -2.457, -2.61, -2.5, -3.001),
        ),
        _gammaln,
    ),
    (
        "i0",
        _points((-10, 10), (10, 92), (-1e-3, 1e-3), also=(0.0, 8.0, -88.8, 91.9, 1e-20)),
        lambda x: mpmath.besseli(0, x),
    ),
]


@pytest.mark.parametrize(("name", "points", "opinion"), ONE)
def test_a_truth_of_one_variable_is_what_many_digits_say(
    name: str, points: torch.Tensor, opinion: Callable[[Any], Any]
) -> None:
    truth, allowed = _allowed(f"math/{name}", call(points))
    with mpmath.workdps(50):
        for x, true, most in zip(points.tolist(), truth.tolist(), allowed.tolist(), strict=True):
            assert abs(opinion(mpmath.mpf(x)) - true) <= most, x


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 10])
def test_a_truth_of_polygamma_is_what_many_digits_say(n: int) -> None:
    points = _points((0.001, 1), (1.44, 1.48), (1, 30), (100, 1e4), also=(1.0, 0.5, 1e-3))
    truth, allowed = _allowed("math/polygamma", call(n, points))
    with mpmath.workdps(50):
        for x, true, most in zip(points.tolist(), truth.tolist(), allowed.tolist(), strict=True):
            assert abs(mpmath.polygamma(n, mpmath.mpf(x)) - true) <= most, x


def test_a_truth_of_zeta_is_what_many_digits_say() -> None:
    x = _points((1.25, 14), (1.0001, 1.1), (10, 40), each=15)
    q = _points((0.1, 30), (0.01, 2), (1, 100), each=15)
    traps = ((1 + 2.0**-20, 0.7), (2.0, -0.5), (3.0, -1.625), (5.0, -19.75), (40.0, 1.0))
    x = torch.cat([x, torch.tensor([one for one, _ in traps])])
    q = torch.cat([q, torch.tensor([two for _, two in traps])])
    truth, allowed = _allowed("math/zeta", call(x, q))
    with mpmath.workdps(50):
        for a, b, true, most in zip(
            x.tolist(), q.tolist(), truth.tolist(), allowed.tolist(), strict=True
        ):
            assert abs(_zeta(mpmath.mpf(a), mpmath.mpf(b)) - true) <= most, (a, b)


@pytest.mark.parametrize("n", [-3, 0, 1, 2, 3, 12, 59])
def test_a_truth_of_chebyshev_polynomials_is_what_many_digits_say(n: int) -> None:
    points = _points((-1, 1), (-0.01, 0.01), (0.99, 1.01), (-3, 3), also=(0.0, 1.0, -1.0, 1e-6))
    truth, allowed = _allowed("math/chebyshev_polynomial_t", call(points, n))
    with mpmath.workdps(80):
        for x, true, most in zip(points.tolist(), truth.tolist(), allowed.tolist(), strict=True):
            assert abs(_chebyshev(mpmath.mpf(x), n) - true) <= most, x


@pytest.mark.parametrize(
    ("name", "asked", "expected"),
    [
        ("airy_ai", call(torch.tensor([INF, -INF, NAN])), [0.0, 0.0, NAN]),
        ("bessel_j1", call(torch.tensor([INF, -INF, NAN])), [0.0, 0.0, NAN]),
        (
            "digamma",
            call(torch.tensor([0.0, -0.0, -1.0, -7.0, INF, -INF, NAN, -1e20])),
            [-INF, INF, NAN, NAN, INF, NAN, NAN, NAN],
        ),
        (
            "gammaln",
            call(torch.tensor([0.0, -0.0, -1.0, -8.0, INF, -INF, NAN, -1e20])),
            [INF, INF, INF, INF, INF, INF, NAN, INF],
        ),
        ("i0", call(torch.tensor([INF, -INF, NAN, 1e20])), [INF, INF, NAN, INF]),
        ("polygamma", call(0, torch.tensor([0.0, INF, NAN])), [-INF, INF, NAN]),
        ("polygamma", call(1, torch.tensor([0.0, INF, NAN])), [INF, 0.0, NAN]),
        ("polygamma", call(2, torch.tensor([0.0, INF, NAN])), [-INF, 0.0, NAN]),
        (
            "zeta",
            call(
                torch.tensor([1.0, 0.5, -2.0, 2.0, 3.0, 2.5, 2.5, NAN, 2.0]),
                torch.tensor([2.0, 2.0, 3.0, 0.0, -1.0, -4.0, -0.5, 2.0, NAN]),
            ),
            [INF, NAN, NAN, INF, INF, INF, NAN, NAN, NAN],
        ),
        ("chebyshev_polynomial_t", call(torch.tensor([INF, -INF, NAN]), 3), [INF, -INF, NAN]),
        ("chebyshev_polynomial_t", call(torch.tensor([-INF, -1e20]), 60), [INF, INF]),
        ("chebyshev_polynomial_t", call(torch.tensor([INF, NAN]), 0), [1.0, 1.0]),
        ("chebyshev_polynomial_t", call(torch.tensor([INF, NAN]), -1), [0.0, 0.0]),
    ],
)
def test_a_truth_at_poles_and_infinities_is_what_its_statement_says(
    name: str, asked: Call, expected: list[float]
) -> None:
    truth = catalog.load(f"math/{name}").exact(asked).leaves[0].value
    torch.testing.assert_close(
        truth, torch.tensor(expected, dtype=torch.float64), rtol=0.0, atol=0.0, equal_nan=True
    )


@pytest.mark.parametrize(("name", "at"), [("airy_ai", -2.12), ("bessel_j1", 5.04)])
def test_torch_is_no_second_opinion_everywhere(name: str, at: float) -> None:
    x = torch.tensor([at])
    truth, allowed = _allowed(f"math/{name}", call(x))
    own = getattr(torch.special, name)(x.double())
    assert bool((own - truth).abs() > allowed)
