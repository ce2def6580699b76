"""Launches on a card: all of them are counted, also those of a binary made ready before."""

from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from triton.compiler.compiler import CompiledKernel

from kernelbenchx.worker.launch_counter import counting_launches


@pytest.mark.parametrize("ablate", [False, True])
def test_a_binary_made_ready_before_is_counted_and_can_be_ablated(ablate: bool) -> None:
    ran: list[Any] = []

    def binary_at(_binary: CompiledKernel, grid: Any) -> Any:
        return lambda *args: ran.append((grid, args))

    binary = object.__new__(CompiledKernel)
    binary.metadata = SimpleNamespace(name="softmax_kernel")
    with mock.patch.object(CompiledKernel, "__getitem__", binary_at):
        with counting_launches() as launches:
            launches.begin(ablate=ablate)
            binary[(4, 1, 1)](1, 2)
            assert launches.seen == [{"kernel": "softmax_kernel"}]
        assert CompiledKernel.__getitem__ is binary_at
    assert ran == ([] if ablate else [((4, 1, 1), (1, 2))])


def test_a_launch_that_fails_is_noted() -> None:
    def binary_at(_binary: CompiledKernel, _grid: Any) -> Any:
        return lambda *_: 1 // 0

    binary = object.__new__(CompiledKernel)
    binary.metadata = SimpleNamespace(name="k")
    with mock.patch.object(CompiledKernel, "__getitem__", binary_at), counting_launches() as seen:
        with pytest.raises(ZeroDivisionError):
            binary[(1, 1, 1)]()
        assert [failure["type"] for failure in seen.failures] == ["ZeroDivisionError"]
