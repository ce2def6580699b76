import numpy as np
import pytest
import torch

from kernelbenchx.worker.provenance import SMALL_BYTES, Provenance
from kernelbenchx.worker.tracing import OperatorTrace, zero

LARGE = SMALL_BYTES  # elements of 4 bytes: four times what a wrapper may bring


@pytest.fixture
def memory() -> Provenance:
    return Provenance()


def test_operators_on_arguments_are_no_foreign_memory(memory: Provenance) -> None:
    x = torch.randn(LARGE)
    memory.begin({0: x})
    with OperatorTrace(zero, memory):
        y = torch.empty_like(x).copy_(x)
        result = (y.reshape(-1, 2).t().contiguous(), [x])
    memory.before(result)
    assert memory.operators == {}


def test_memory_from_numpy_counts(memory: Provenance) -> None:
    memory.begin({})
    with OperatorTrace(zero, memory):
        torch.from_numpy(np.ones(LARGE, np.float32)).clone()
    assert memory.operators == {"host.filled_memory": 4 * LARGE}


def test_memory_written_by_hand_counts(memory: Provenance) -> None:
    memory.begin({})
    with OperatorTrace(zero, memory):
        y = torch.empty(LARGE)
        y.numpy()[:] = 1
    memory.before(y)
    assert memory.operators == {"host.filled_memory": 4 * LARGE}


def test_a_few_numbers_may_be_brought_along(memory: Provenance) -> None:
    memory.begin({})
    with OperatorTrace(zero, memory):
        torch.tensor([1.0, 2.0, 3.0]).clone()
    assert memory.foreign_bytes == 12
    assert memory.operators == {}


def test_many_small_pieces_count_together(memory: Provenance) -> None:
    memory.begin({})
    with OperatorTrace(zero, memory):
        y = torch.empty(LARGE)
        for place in range(LARGE):
            y[place] = float(place)
    assert "host.filled_memory" in memory.operators


def test_what_a_kernel_wrote_is_known(memory: Provenance) -> None:
    y = torch.zeros(LARGE)
    memory.begin({0: y})
    memory.before({"y_ptr": y, "n": LARGE})
    y.numpy()[:] = 1
    memory.after({"y_ptr": y, "n": LARGE})
    memory.before(y)
    assert memory.operators == {}
