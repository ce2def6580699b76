from typing import Any

import pytest
import torch

from kernelbenchx.worker.empty_transforms import compute
from kernelbenchx.worker.tracing import OperatorTrace, poison

C2C = "aten._fft_c2c.default"


def _refusing(x: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
    """As a build with MKL does."""
    if x.device.type == "cpu":
        raise RuntimeError("MKL FFT error: Inconsistent configuration parameters")
    found: torch.Tensor = torch.ops.aten._fft_c2c.default(x, *args, **kwargs)
    return found


def test_of_an_empty_batch_it_is_empty_whatever_the_library_says() -> None:
    found = compute(_refusing, C2C, (torch.empty(0, 4, dtype=torch.complex64), [1], 0, True), {})
    assert (tuple(found.shape), found.dtype) == ((0, 4), torch.complex64)
    assert found.device.type == "cpu"


def test_everything_else_is_the_operators_business() -> None:
    some = torch.ones(2, 4, dtype=torch.complex64)
    with pytest.raises(RuntimeError, match="MKL"):
        compute(_refusing, C2C, (some, [1], 0, True), {})
    with pytest.raises(RuntimeError, match="MKL"):
        compute(_refusing, "aten.other.default", (some[:0], [1], 0, True), {})


@pytest.mark.parametrize("x", [torch.empty(0, 4), torch.empty(0, 4, dtype=torch.complex64)])
def test_a_call_that_is_traced_transforms_nothing(x: torch.Tensor) -> None:
    with OperatorTrace(poison) as trace:
        found = torch.fft.fftn(x, dim=(1,))
        halved = torch.fft.rfft(torch.empty(0, 4), dim=1)
    assert (tuple(found.shape), found.dtype) == ((0, 4), torch.complex64)
    assert tuple(halved.shape) == (0, 3)
    assert C2C in trace.operators or "aten._fft_r2c.default" in trace.operators
