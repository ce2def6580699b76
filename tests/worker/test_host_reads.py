import pytest
import torch

from kernelbenchx.worker.data_flow import READ, SMALL_BYTES, DataFlow
from kernelbenchx.worker.host_reads import HostReads


@pytest.mark.parametrize("way", [torch.Tensor.tolist, torch.Tensor.numpy, repr, str, format])
def test_ways_that_the_dispatcher_does_not_see_are_counted(way: object) -> None:
    flow, x = DataFlow(), torch.zeros(SMALL_BYTES)
    flow.begin({})
    way(x)  # type: ignore[operator]
    assert flow.operators == {}
    with HostReads(flow):
        way(x)  # type: ignore[operator]
    assert flow.operators == {READ: 4 * SMALL_BYTES}


def test_questions_read_nothing() -> None:
    flow, x = DataFlow(), torch.zeros(SMALL_BYTES)
    flow.begin({})
    with HostReads(flow):
        assert (x.shape, x.dtype, x.data_ptr() != 0, len(x)) == ((1024,), torch.float32, True, 1024)
    assert flow.operators == {}


def test_beside_a_gpu_memory_of_the_host_was_counted_when_it_was_copied() -> None:
    flow, x = DataFlow(), torch.zeros(SMALL_BYTES)
    flow.begin({})
    with HostReads(flow, on_gpu=True):
        x.tolist()
        repr(x)
    assert flow.operators == {}
