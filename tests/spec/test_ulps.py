import math

import pytest
import torch

from kernelbenchx.spec.ulps import flush_floor, overflow_edge, roundoff, ulp

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def _neighbours(dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    """Positive numbers of `dtype` and the next larger ones, both exactly in float64."""
    bits = {2: torch.int16, 4: torch.int32, 8: torch.int64}[dtype.itemsize]
    ones = torch.tensor([1e-4, 0.5, 1.0, 1.5, 2.0, 3.99, 1000.0], dtype=dtype)
    return ones.double(), (ones.view(bits) + 1).view(dtype).double()


@pytest.mark.parametrize("dtype", FLOATS)
def test_ulp_is_the_distance_to_the_next_number(dtype: torch.dtype) -> None:
    here, there = _neighbours(dtype)
    assert torch.equal(ulp(here, dtype), there - here)


@pytest.mark.parametrize("dtype", FLOATS)
def test_ulp_stays_at_the_subnormal_spacing(dtype: torch.dtype) -> None:
    limits = torch.finfo(dtype)
    zero = torch.zeros((), dtype=torch.float64)
    assert float(ulp(zero, dtype)) == limits.tiny * limits.eps


def test_ulp_beyond_the_largest_number_is_that_of_the_largest() -> None:
    beyond = torch.tensor([1e6, math.inf], dtype=torch.float64)
    assert ulp(beyond, torch.float16).tolist() == [32.0, 32.0]


def test_roundoff_of_a_complex_dtype_is_that_of_its_parts() -> None:
    assert roundoff(torch.complex64) == roundoff(torch.float32) == 2.0**-24
    assert roundoff(torch.bfloat16) == 2.0**-8


def test_only_float32_and_bfloat16_may_flush() -> None:
    assert flush_floor(torch.float32) == flush_floor(torch.bfloat16) == 2.0**-126
    assert flush_floor(torch.float16) == flush_floor(torch.float64) == 0.0


@pytest.mark.parametrize("dtype", (torch.float16, torch.bfloat16, torch.float32))
def test_overflow_edge_rounds_to_infinity_and_what_is_below_does_not(dtype: torch.dtype) -> None:
    edge = torch.tensor(overflow_edge(dtype), dtype=torch.float64)
    assert torch.isinf(edge.to(dtype))
    assert torch.isfinite((edge * (1 - 1e-6)).to(dtype))


def test_an_ulp_is_the_distance_to_the_next_number_above() -> None:
    generator = torch.Generator().manual_seed(0)
    powers = torch.randint(-120, 120, (1000,), generator=generator)
    for dtype in (torch.float32, torch.float64):
        there = torch.ldexp(torch.rand(1000, generator=generator) + 1, powers).to(dtype)
        above = torch.nextafter(there, torch.tensor(float("inf"), dtype=dtype))
        assert torch.equal(ulp(there.double(), dtype), above.double() - there.double())
