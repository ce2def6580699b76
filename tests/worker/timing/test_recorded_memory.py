import pytest
import torch

from kernelbenchx.worker.timing.recorded_memory import NotReplayable, RecordedMemory


@pytest.fixture
def storage() -> torch.Tensor:
    return torch.zeros(64, dtype=torch.uint8)


def test_an_argument_and_an_allocation_are_buffers(storage: torch.Tensor) -> None:
    memory = RecordedMemory({7: storage})
    made = torch.empty(5)
    memory.note_allocation(made)
    assert memory.buffers == [
        {"t": "argument", "storage": 7, "nbytes": 64},
        {"t": "allocation", "nbytes": 20},
    ]
    assert memory.place(storage.data_ptr() + 63) == (0, 63)
    assert memory.place(made.data_ptr()) == (1, 0)
    assert memory.holds(made.data_ptr()) and not memory.holds(64)


def test_a_pointer_says_whether_it_is_aligned(storage: torch.Tensor) -> None:
    memory = RecordedMemory({0: storage})
    assert memory.pointer(storage[16:]) == {
        "t": "pointer",
        "buffer": 0,
        "offset": 16,
        "aligned": True,
    }
    assert memory.pointer(storage[4:])["aligned"] is False


def test_a_view_counts_in_elements(storage: torch.Tensor) -> None:
    shown = storage.view(torch.float32).view(4, 4).t()[1:]
    assert RecordedMemory({0: storage}).view(shown) == {
        "buffer": 0,
        "dtype": "float32",
        "shape": [3, 4],
        "strides": [1, 4],
        "offset": 1,
    }


def test_what_has_no_elements_lies_in_a_buffer_without_bytes(storage: torch.Tensor) -> None:
    memory = RecordedMemory({0: storage})
    assert memory.view(torch.empty(0, 3))["buffer"] == 1
    assert memory.pointer(torch.empty(0)) == memory.pointer(storage[64:])
    assert memory.buffers[1] == {"t": "allocation", "nbytes": 0}


def test_other_memory_is_refused_with_its_reason(storage: torch.Tensor) -> None:
    memory, brought = RecordedMemory({0: storage}), torch.ones(3)
    with pytest.raises(NotReplayable, match="not made in this call"):
        memory.pointer(brought)
    memory.foreign(brought, "came by post")
    with pytest.raises(NotReplayable, match="came by post"):
        memory.pointer(brought)


@pytest.mark.parametrize(
    ("tensor", "why"),
    [
        (torch.ones(2, 2).to_sparse(), "layout"),
        (torch.ones(2, dtype=torch.uint16), "dtype uint16"),
        (torch.ones(2, dtype=torch.complex64).conj(), "conjugated"),
    ],
)
def test_tensors_without_a_plain_geometry_are_refused(tensor: torch.Tensor, why: str) -> None:
    memory = RecordedMemory({})
    memory.note_allocation(tensor)
    with pytest.raises(NotReplayable, match=why):
        memory.view(tensor)


def test_a_tensor_between_elements_is_refused() -> None:
    room = torch.zeros(65, dtype=torch.uint8)
    memory = RecordedMemory({0: room[1:]})
    with pytest.raises(NotReplayable, match="between elements"):
        memory.view(room[4:8].view(torch.float32))


def test_memory_of_another_device_stays_unknown(storage: torch.Tensor) -> None:
    memory = RecordedMemory({0: storage})
    elsewhere = torch.empty(4, device="meta")
    assert memory.elsewhere(elsewhere) and not memory.elsewhere(storage)
    memory.note_allocation(elsewhere)
    assert len(memory.buffers) == 1
