"""Functions of torch on wider numbers than they are given."""

import pytest
import torch

from kernelbenchx.spec.float32_compute import NARROW, in_wide_numbers


def _twice_rounded(x: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    result = (x + 1) - 1
    return result if out is None else out.copy_(result)


@pytest.mark.parametrize("dtype", NARROW)
def test_what_is_rounded_in_between_is_not_rounded_in_wide_numbers(dtype: torch.dtype) -> None:
    x = torch.tensor([1e-3], dtype=dtype)
    assert torch.equal(in_wide_numbers(_twice_rounded)(x), (x.double() + 1 - 1).to(dtype))
    assert not torch.equal(_twice_rounded(x), x)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int32])
def test_wide_numbers_stay_as_they_are(dtype: torch.dtype) -> None:
    x = torch.ones(2, dtype=dtype)
    assert in_wide_numbers(lambda given: given)(x) is x


def test_what_is_written_is_the_memory_that_was_given() -> None:
    x, out = torch.tensor([1e-3]).half(), torch.zeros(1).half()
    assert in_wide_numbers(_twice_rounded)(x, out=out) is out
    assert out.item() == pytest.approx(1e-3, rel=1e-3)


def test_arguments_that_are_no_tensors_are_passed_on() -> None:
    assert in_wide_numbers(torch.mul)(torch.ones(2).half(), 3).tolist() == [3.0, 3.0]
