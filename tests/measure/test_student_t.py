import math

import pytest
from scipy.stats import t as student

from kernelbenchx.measure.student_t import quantile

LEVELS = (0.5, 0.1, 0.05, 0.05 / 6, 1e-4)


@pytest.mark.parametrize("outside", LEVELS)
@pytest.mark.parametrize("freedom", [1, 1.5, 2, 3.7, 6, 12.3, 29.9, 30, 75, 1000])
def test_agrees_with_scipy(outside: float, freedom: float) -> None:
    assert quantile(outside, freedom) == pytest.approx(student.ppf(1 - outside / 2, freedom))


@pytest.mark.parametrize("freedom", [3.14159, 30.9, 1234.5, math.inf])
def test_rounding_the_freedom_never_narrows(freedom: float) -> None:
    exact = student.ppf(1 - 0.05 / 2, freedom)
    assert exact <= quantile(0.05, freedom) <= 1.01 * exact


@pytest.mark.parametrize(
    ("outside", "freedom"), [(0.0, 5), (1.0, 5), (-0.1, 5), (0.05, 0.5), (0.05, math.nan)]
)
def test_what_is_no_quantile_is_refused(outside: float, freedom: float) -> None:
    with pytest.raises(ValueError, match="needed"):
        quantile(outside, freedom)
