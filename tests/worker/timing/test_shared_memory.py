"""Shared memory without a card: the same bytes on both sides, nothing that the other can break."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
import torch

from kernelbenchx.worker.timing.shared_memory import SharedMemory, SharingFailed

SIZE = 4096

OTHER = """
import os, sys, torch
from kernelbenchx.worker.timing.shared_memory import SharedMemory
exchange = SharedMemory.attach(int(sys.argv[1]), int(sys.argv[2]), "cpu")
part = exchange.part(8, 16)
assert part.view(torch.int64).tolist() == [1, 2], part
part.view(torch.int64).add_(10)
"""


@contextmanager
def _shared() -> Iterator[tuple[SharedMemory, SharedMemory]]:
    with closing(SharedMemory.create(SIZE, "cpu")) as ours:
        with closing(SharedMemory.attach(os.dup(ours.descriptor), SIZE, "cpu")) as theirs:
            yield ours, theirs


def test_two_processes_see_the_same_bytes() -> None:
    with closing(SharedMemory.create(SIZE, "cpu")) as ours:
        number = ours.part(8, 16).view(torch.int64)
        number.copy_(torch.tensor([1, 2]))
        subprocess.run(
            [sys.executable, "-c", OTHER, str(ours.descriptor), str(SIZE)],
            pass_fds=[ours.descriptor],
            check=True,
            timeout=240,
        )
        assert number.tolist() == [11, 12]
        assert not ours.part(24, SIZE - 24).any()


def test_both_ends_in_one_process_share_and_no_others_do() -> None:
    with _shared() as (ours, theirs), closing(SharedMemory.create(SIZE, "cpu")) as another:
        theirs.part(100, 3).fill_(7)
        assert ours.part(99, 5).tolist() == [0, 7, 7, 7, 0]
        assert not another.part(0, SIZE).any()


def test_parts_begin_where_they_are_said_to_and_have_storages_of_their_own() -> None:
    with closing(SharedMemory.create(SIZE, "cpu")) as ours:
        first, second = ours.part(0, 512), ours.part(512, 100)
        assert second.data_ptr() - first.data_ptr() == 512
        assert second.storage_offset() == 0
        assert second.untyped_storage().nbytes() == 100
        assert first.untyped_storage().data_ptr() != second.untyped_storage().data_ptr()
        assert ours.part(512, 0).numel() == 0


@pytest.mark.parametrize(("start", "size"), [(0, SIZE + 1), (SIZE, 1), (SIZE - 1, 2)])
def test_nothing_beyond_the_end_is_given_out(start: int, size: int) -> None:
    with closing(SharedMemory.create(SIZE, "cpu")) as ours:
        assert ours.part(SIZE - 1, 1).numel() == 1
        with pytest.raises(ValueError):
            ours.part(start, size)


@pytest.mark.parametrize("size", [0, SIZE - 1, SIZE + 1])
def test_the_other_side_can_change_what_is_in_the_memory_but_not_its_size(size: int) -> None:
    with closing(SharedMemory.create(SIZE, "cpu")) as ours:
        assert os.pwrite(ours.descriptor, b"x", 0) == 1
        with pytest.raises(PermissionError):
            os.ftruncate(ours.descriptor, size)
        assert os.fstat(ours.descriptor).st_size == SIZE
        assert ours.part(0, 1).tolist() == [ord("x")]


def test_memory_that_is_smaller_than_announced_is_refused() -> None:
    with closing(SharedMemory.create(SIZE, "cpu")) as ours:
        with pytest.raises(ValueError):
            SharedMemory.attach(os.dup(ours.descriptor), 2 * SIZE, "cpu")


def _open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names, not paths


def test_descriptors_are_closed_on_both_sides_also_after_a_refusal() -> None:
    before = _open_descriptors()
    with _shared() as (ours, theirs):
        assert theirs.descriptor == -1
        with pytest.raises(ValueError):
            SharedMemory.attach(os.dup(ours.descriptor), 2 * SIZE, "cpu")
    assert ours.descriptor == -1
    del ours, theirs
    assert _open_descriptors() == before


def test_memory_that_was_given_back_cannot_be_used() -> None:
    with _shared() as (ours, theirs):
        theirs.close()
        with pytest.raises(SharingFailed, match="given back"):
            theirs.part(0, 1)
        assert ours.part(0, 1).numel() == 1
        ours.close()
        ours.close()
        with pytest.raises(SharingFailed):
            ours.part(0, 1)


def test_what_is_given_back_calls_the_driver_once() -> None:
    calls: list[int] = []
    with closing(
        SharedMemory(1, -1, lambda _start, _size: torch.empty(0), lambda: calls.append(1))
    ):
        assert calls == []
    assert calls == [1]
