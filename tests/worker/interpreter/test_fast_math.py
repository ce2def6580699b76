"""Fast functions are wrong by as much as their documents say, and by no more."""

from __future__ import annotations

import numpy as np
import pytest

from kernelbenchx.worker.interpreter.dtypes import Array
from kernelbenchx.worker.interpreter.fast_math import fast_functions

FAST = fast_functions()
VALUES = np.linspace(-30, 30, 20_001, dtype=np.float32)
POSITIVE = np.geomspace(1e-30, 1e30, 20_001).astype(np.float32)
NEAR_ONE = np.linspace(0.5, 2, 20_001, dtype=np.float32)
TURN = np.linspace(-3.14, 3.14, 20_001, dtype=np.float32)


def single(values: list[float]) -> Array:
    return np.array(values, dtype=np.float32)


def errors(name: str, exact: Array, *arguments: Array) -> Array:
    off: Array = np.abs(FAST[name](*arguments).astype(np.float64) - exact)
    return off


def ulps(name: str, exact: Array, *arguments: Array) -> Array:
    size = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    off: Array = errors(name, exact, *arguments) / size
    return off


@pytest.mark.parametrize(
    ("name", "base", "grows"), [("fast_expf", np.e, 1.173), ("fast_exp10f", 10.0, 2.97)]
)
def test_exponentials_lose_digits_with_the_size_of_the_argument(
    name: str, base: float, grows: float
) -> None:
    off = ulps(name, base ** VALUES.astype(np.float64), VALUES)
    allowed = 2 + np.floor(grows * np.abs(VALUES))
    assert (off <= allowed + 0.5).all()
    assert off.max() > 0.8 * allowed.max() and (off > 2).any(), "and not less"


@pytest.mark.parametrize(
    ("name", "exact", "near_one", "elsewhere"),
    [
        ("fast_logf", np.log, 2**-21.41, 3),
        ("fast_log2f", np.log2, 2**-22, 2),
        ("fast_log10f", np.log10, 2**-24, 3),
    ],
)
def test_logarithms_have_an_absolute_error_around_one(
    name: str, exact: object, near_one: float, elsewhere: float
) -> None:
    true = exact(NEAR_ONE.astype(np.float64))  # type: ignore[operator]
    off = errors(name, true, NEAR_ONE)
    rounding = np.spacing(np.float32(1)) / 2
    assert off.max() <= near_one + rounding and off.max() > 0.8 * near_one
    far = POSITIVE[(POSITIVE < 0.5) | (POSITIVE > 2)]
    off = ulps(name, exact(far.astype(np.float64)), far)  # type: ignore[operator]
    assert 0.8 * elsewhere < off.max() <= elsewhere + 0.5


@pytest.mark.parametrize(
    ("name", "exact", "bound"),
    [("fast_sinf", np.sin, 2**-21.41), ("fast_cosf", np.cos, 2**-21.19)],
)
def test_sine_and_cosine_have_an_absolute_error_that_grows_outside_one_turn(
    name: str, exact: object, bound: float
) -> None:
    off = errors(name, exact(TURN.astype(np.float64)), TURN)  # type: ignore[operator]
    assert 0.8 * bound < off.max() <= bound + 2**-25
    off = errors(name, exact(VALUES.astype(np.float64)), VALUES)  # type: ignore[operator]
    assert off.max() > 2 * bound


def test_tangent_is_the_quotient_of_sine_and_cosine() -> None:
    exact = np.tan(TURN.astype(np.float64))
    relative = np.abs(FAST["fast_tanf"](TURN) - exact) / np.maximum(np.abs(exact), 1)
    assert 2**-22 < np.median(relative) + relative[np.abs(exact) < 1].max() < 2**-17


def test_hyperbolic_tangent_has_eleven_bits() -> None:
    exact = np.tanh(VALUES.astype(np.float64))
    off = errors("fast_tanhf", exact, VALUES)
    assert 0.8 * 2**-11 < off.max() <= 2**-11 + 2**-25


def test_a_power_is_that_of_two_so_that_a_negative_base_has_none() -> None:
    two = np.full_like(POSITIVE[8000:12000], 2.0)
    base = POSITIVE[8000:12000]
    off = (
        errors("fast_powf", base.astype(np.float64) ** 2, base, two) / base.astype(np.float64) ** 2
    )
    assert 2**-23 < off.max() < 2**-14
    assert np.isnan(FAST["fast_powf"](single([-2.0]), single([2.0]))).all()


def test_a_quotient_is_off_by_two_ulps_and_zero_for_a_huge_divisor() -> None:
    x, y = VALUES[1:], single([7.0]) + np.abs(VALUES[1:])
    off = ulps("fast_fdividef", x.astype(np.float64) / y.astype(np.float64), x, y)
    assert 1 < np.nanmax(off) <= 2.5
    huge = single([2.0**127, 2.0**125])
    assert FAST["fast_fdividef"](single([1e30, 1e30]), huge).tolist()[0] == 0
    assert FAST["fast_fdividef"](single([1e30, 1e30]), huge).tolist()[1] > 0


def test_subnormal_numbers_become_zero_and_odd_values_stay() -> None:
    assert FAST["fast_expf"](single([-90.0])).tolist() == [0.0]
    assert np.exp(np.float32(-90.0)) > 0
    assert FAST["fast_logf"](single([1e-40, 0.0, -1.0, np.inf])).tolist()[:2] == [-np.inf] * 2
    odd = FAST["fast_expf"](single([np.nan, np.inf, -np.inf]))
    assert np.isnan(odd[0]) and odd[1] == np.inf and odd[2] == 0


def test_the_same_argument_has_the_same_result_wherever_it_stands() -> None:
    assert np.array_equal(FAST["fast_expf"](VALUES)[::-1], FAST["fast_expf"](VALUES[::-1]))
