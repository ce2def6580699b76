import pytest
import torch

from kernelbenchx.judge.authorship import torch_compute
from kernelbenchx.worker.tracing import OperatorTrace, poison, zero


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
