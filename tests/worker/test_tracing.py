from typing import Any

import pytest
import torch

from kernelbenchx.judge.authorship import torch_compute
from kernelbenchx.worker.data_flow import MOVED, SMALL_BYTES, DataFlow
from kernelbenchx.worker.red_zones import RedZones
from kernelbenchx.worker.tracing import OperatorTrace, call_operator, poison, poison_mildly, zero

LARGE = SMALL_BYTES


def test_operators_that_compute_are_told_from_housekeeping() -> None:
    x = torch.randn(4, 4)
    with OperatorTrace(poison) as trace:
        y = torch.empty_like(x).copy_(x).t().contiguous().to(torch.float16)
        y.view(-1)
    assert torch_compute(trace.operators) == ()
    with OperatorTrace(poison) as trace:
        torch.softmax(x @ x, -1)
    assert set(torch_compute(trace.operators)) == {"mm", "_softmax"}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.complex64])
def test_fresh_memory_is_poisoned(dtype: torch.dtype) -> None:
    with OperatorTrace(poison):
        assert torch.empty(5, dtype=dtype).isnan().all()
        assert torch.empty_like(torch.zeros(3, dtype=dtype)).isnan().all()
        assert torch.zeros(3, dtype=dtype).new_empty(2).isnan().all()
    with OperatorTrace(zero):
        assert (torch.empty(5, dtype=dtype) == 0).all()


def test_integers_are_poisoned_with_something_conspicuous() -> None:
    with OperatorTrace(poison):
        assert (torch.empty(5, dtype=torch.int32) > 2**30).all()
        assert torch.empty(2, dtype=torch.bool).all()
        assert (torch.zeros(3) == 0).all()


def test_where_no_kernel_runs_integers_are_no_size_that_takes_all_memory() -> None:
    with OperatorTrace(poison_mildly):
        assert torch.empty(3).isnan().all()
        assert torch.empty(3, dtype=torch.float8_e5m2).float().isnan().all()
        assert (torch.empty(5, dtype=torch.int32) == 1).all()


def test_zones_around_a_tensor_do_not_make_it_a_part_of_something() -> None:
    flow, zones = DataFlow(), RedZones(4096)
    flow.begin({})
    with OperatorTrace(poison, flow, zones):
        y = torch.empty(LARGE).copy_(torch.zeros(LARGE))
    assert flow.operators == {}
    with OperatorTrace(poison, flow, zones):
        y[: LARGE // 2].copy_(torch.zeros(LARGE // 2))
    assert flow.operators == {MOVED: 2 * LARGE}


def test_torch_on_a_few_numbers_of_the_wrapper_is_not_computing() -> None:
    data = torch.ones(4)
    with OperatorTrace(zero) as trace:
        sizes = torch.tensor([2, 3])
        assert int(torch.prod(sizes)) == 6
    assert not any("prod" in name for name in trace.operators)
    flow = DataFlow()
    flow.begin([data])
    with OperatorTrace(zero, flow) as trace:
        room = torch.tensor([0.0, 0.0])
        flow.before([room])  # a kernel may write there
        room.sum()
        data.sum()
        (torch.tensor([1.0]) * data).sum()
        torch.tensor([0.0] * SMALL_BYTES).sum()
    assert trace.operators["aten.sum.default"] == 4


C2C = "aten._fft_c2c.default"


def _refusing(x: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
    """As a build with MKL does."""
    if x.device.type == "cpu":
        raise RuntimeError("MKL FFT error: Inconsistent configuration parameters")
    found: torch.Tensor = torch.ops.aten._fft_c2c.default(x, *args, **kwargs)
    return found


def test_of_an_empty_batch_it_is_empty_whatever_the_library_says() -> None:
    found = call_operator(
        _refusing, C2C, (torch.empty(0, 4, dtype=torch.complex64), [1], 0, True), {}
    )
    assert (tuple(found.shape), found.dtype) == ((0, 4), torch.complex64)
    assert found.device.type == "cpu"


def test_everything_else_is_the_operators_business() -> None:
    some = torch.ones(2, 4, dtype=torch.complex64)
    with pytest.raises(RuntimeError, match="MKL"):
        call_operator(_refusing, C2C, (some, [1], 0, True), {})
    with pytest.raises(RuntimeError, match="MKL"):
        call_operator(_refusing, "aten.other.default", (some[:0], [1], 0, True), {})


@pytest.mark.parametrize("x", [torch.empty(0, 4), torch.empty(0, 4, dtype=torch.complex64)])
def test_a_call_that_is_traced_transforms_nothing(x: torch.Tensor) -> None:
    with OperatorTrace(poison) as trace:
        found = torch.fft.fftn(x, dim=(1,))
        halved = torch.fft.rfft(torch.empty(0, 4), dim=1)
    assert (tuple(found.shape), found.dtype) == ((0, 4), torch.complex64)
    assert tuple(halved.shape) == (0, 3)
    assert C2C in trace.operators or "aten._fft_r2c.default" in trace.operators
