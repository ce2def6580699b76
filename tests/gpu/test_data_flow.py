"""What crosses between the host and a GPU is counted as it is in the interpreter."""

from collections.abc import Callable

import pytest
import torch

from kernelbenchx.worker.data_flow import FILLED, READ, SMALL_BYTES, DataFlow
from kernelbenchx.worker.host_reads import HostReads
from kernelbenchx.worker.tracing import OperatorTrace, zero

pytestmark = pytest.mark.gpu
LARGE = SMALL_BYTES


@pytest.mark.parametrize(
    ("work", "found"),
    [
        (lambda x: x.tolist(), {READ: 4 * LARGE}),
        (lambda x: x.cpu().numpy(), {READ: 4 * LARGE}),
        (lambda x: repr(x), {READ: 4 * LARGE}),
        (lambda _: torch.empty(LARGE, pin_memory=True).tolist(), {READ: 4 * LARGE}),
        (lambda _: torch.empty(LARGE).tolist(), {}),
        (lambda x: x[0].item(), {}),
        (lambda x: torch.tensor([1.5] * LARGE, device=x.device), {FILLED: 8 * LARGE}),
        (lambda x: torch.tensor([1.5] * LARGE).to(x.device), {FILLED: 8 * LARGE}),
        (lambda x: torch.tensor([1.5, 2.5], device=x.device), {}),
        (lambda x: torch.empty_like(x).copy_(x), {}),
    ],
)
def test_reads_and_numbers_of_the_host_are_counted_once(
    work: Callable[[torch.Tensor], object], found: dict[str, int]
) -> None:
    x = torch.zeros(LARGE, device="cuda")
    flow = DataFlow()
    flow.begin({0: x})
    with HostReads(flow, on_gpu=True), OperatorTrace(zero, flow):
        work(x)
    assert flow.operators == found
