import zlib

import numpy as np
import pytest
import torch

from kernelbenchx.worker.provenance import Provenance, tensors_in

COUNT = 1000


@pytest.fixture
def memory() -> Provenance:
    return Provenance()


def test_arguments_are_no_foreign_memory(memory: Provenance) -> None:
    x = torch.randn(COUNT)
    memory.begin({0: x})
    memory.before((x.view(10, 100), {"again": x}))
    assert memory.foreign_bytes == 0


def test_memory_that_nobody_made_counts_once(memory: Provenance) -> None:
    memory.begin({})
    made = torch.from_numpy(np.ones(COUNT, np.float32))
    memory.before(made)
    memory.before(made)
    assert memory.foreign_bytes == 4 * COUNT


def test_memory_written_by_hand_counts(memory: Provenance) -> None:
    y = torch.zeros(COUNT)
    memory.begin({})
    memory.after(y)
    y.numpy()[:] = 1
    memory.before(y)
    assert memory.foreign_bytes == 4 * COUNT


def test_what_a_kernel_wrote_is_known(memory: Provenance) -> None:
    y = torch.zeros(COUNT)
    memory.begin({0: y})
    y.numpy()[:] = 1
    memory.after({"y_ptr": y, "n": COUNT})
    memory.before(y)
    assert memory.foreign_bytes == 0


def test_bytes_with_the_same_checksum_are_told_apart(memory: Provenance) -> None:
    held, other = bytearray(b"plumless"), bytearray(b"buckeroo")
    assert zlib.crc32(held) == zlib.crc32(other)
    y = torch.frombuffer(held, dtype=torch.uint8)
    memory.begin({0: y})
    y.numpy()[:] = np.frombuffer(bytes(other), np.uint8)
    memory.before(y)
    assert memory.foreign_bytes == len(other)


def test_no_two_workers_have_the_same_digests() -> None:
    one, other = Provenance(), Provenance()
    y = torch.zeros(COUNT)
    assert list(one._places(y)) != list(other._places(y))
    assert list(one._places(y)) == list(one._places(y))


def test_tensors_are_found_wherever_they_stand() -> None:
    class Descriptor:
        base = torch.zeros(3)

    x, y = torch.zeros(1), torch.zeros(2)
    found = list(tensors_in(({"x": [x, 3]}, (y, "no"), Descriptor())))
    assert [one.numel() for one in found] == [1, 2, 3]
