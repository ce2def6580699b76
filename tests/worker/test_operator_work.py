"""What operators of torch compute, in operations."""

from typing import Any

import pytest
import torch

from kernelbenchx.worker.tracing import OperatorTrace, zero

A, B = torch.ones(4, 8), torch.ones(8, 2)


@pytest.mark.parametrize(
    ("work", "amount"),
    [
        (lambda: A @ B, 2 * 4 * 8 * 2),
        (lambda: torch.addmm(torch.ones(2), A, B), 2 * 4 * 8 * 2),
        (lambda: torch.bmm(torch.ones(3, 4, 8), torch.ones(3, 8, 2)), 3 * 2 * 4 * 8 * 2),
        (lambda: torch.exp(A), 32),
        (lambda: A.sum(), 32),
        (lambda: A.to(torch.complex64) * 2, 64),
        (lambda: A.to(torch.int64).bitwise_not(), 8 * 32),
        (lambda: torch.conv1d(torch.ones(1, 2, 9), torch.ones(5, 2, 3)), 2 * 35 * 6),
    ],
)
def test_products_count_their_operations_and_others_their_elements(work: Any, amount: int) -> None:
    with OperatorTrace(zero) as trace:
        work()
    assert max(trace.work.values()) == amount
