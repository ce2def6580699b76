import pytest
import torch

from kernelbenchx.judge.authorship import torch_compute
from kernelbenchx.worker.data_flow import MOVED, SMALL_BYTES, DataFlow
from kernelbenchx.worker.red_zones import RedZones
from kernelbenchx.worker.tracing import OperatorTrace, poison, poison_mildly, zero

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
