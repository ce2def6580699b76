"""Arguments over shared memory: where they lie, what survives, what may not be in a call."""

from itertools import pairwise
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from kernelbenchx.worker.timing.layout import ALIGNMENT, Layout, align_up
from kernelbenchx.worker.values import BadValue

CPU = torch.device("cpu")


def _tensor(storage: int, shape: list[int], dtype: str = "float32", **more: Any) -> dict[str, Any]:
    return {"t": "tensor", "storage": storage, "dtype": dtype, "shape": shape, **more}


def _call(*args: dict[str, Any], **kwargs: dict[str, Any]) -> dict[str, Any]:
    return {"args": list(args), "kwargs": kwargs, "init": [], "state": {}}


class Memory:
    """Bytes in place of an exchange; notes which were asked for."""

    def __init__(self, size: int) -> None:
        self.bytes = torch.zeros(size, dtype=torch.uint8)
        self.asked: list[tuple[int, int]] = []

    def part(self, start: int, size: int) -> torch.Tensor:
        self.asked.append((start, start + size))
        assert start + size <= self.bytes.numel()
        return self.bytes[start : start + size]


@given(
    storages=st.lists(st.integers(0, 3000), max_size=5),
    outputs=st.integers(0, 3000),
    slots=st.integers(1, 4),
)
def test_nothing_overlaps_and_everything_is_aligned(
    storages: list[int], outputs: int, slots: int
) -> None:
    layout = Layout(_call(), tuple(storages), outputs, slots)
    memory = Memory(layout.size)
    for slot in range(slots):
        for number in range(len(storages)):
            assert layout.storage(memory.part, slot, number).numel() == storages[number]
        assert layout.room(memory.part, slot).numel() == outputs
    asked = memory.asked
    assert all(start % ALIGNMENT == 0 for start, _ in asked)
    assert all(end <= start for (_, end), (start, _) in pairwise(asked))
    assert asked[-1][1] <= layout.size


@pytest.mark.parametrize(
    ("size", "found"),
    [(0, 0), (1, ALIGNMENT), (ALIGNMENT, ALIGNMENT), (ALIGNMENT + 1, 2 * ALIGNMENT)],
)
def test_the_next_multiple(size: int, found: int) -> None:
    assert align_up(size) == found


def test_strides_offsets_and_values_survive() -> None:
    source = torch.arange(24, dtype=torch.float32)
    wanted = source.view(4, 6)[1:, ::2]
    described = _tensor(0, [3, 3], strides=[6, 2], offset=6)
    layout = Layout(_call(described), (96,), 512, 2)
    memory = Memory(layout.size)
    layout.storage(memory.part, 1, 0).copy_(source.view(torch.uint8))
    (found,) = layout.arguments(memory.part, 1, CPU).args
    assert found.stride() == wanted.stride()
    assert torch.equal(found, wanted)
    (other,) = layout.arguments(memory.part, 0, CPU).args
    assert not other.any()


def test_tensors_of_one_storage_share_it_and_others_do_not() -> None:
    layout = Layout(
        _call(_tensor(0, [4]), _tensor(0, [2], offset=2), out=_tensor(1, [4])), (16, 16), 0, 1
    )
    memory = Memory(layout.size)
    arguments = layout.arguments(memory.part, 0, CPU)
    whole, half = arguments.args
    half.fill_(5.0)
    assert whole.tolist() == [0.0, 0.0, 5.0, 5.0]
    assert not arguments.kwargs["out"].any()
    assert set(arguments.storages) == {0, 1}


def test_what_is_written_into_arguments_is_in_the_memory() -> None:
    layout = Layout(_call(_tensor(0, [2], "int64")), (16,), 0, 2)
    memory = Memory(layout.size)
    layout.arguments(memory.part, 1, CPU).args[0].fill_(-1)
    assert layout.storage(memory.part, 1, 0).tolist() == [255] * 16
    assert not layout.storage(memory.part, 0, 0).any()


def test_plain_values_modules_and_stand_ins() -> None:
    call = _call(
        {"t": "int", "v": 3}, {"t": "tuple", "v": [_tensor(0, [1])]}, where={"t": "device"}
    )
    call["kwargs"]["generator"] = {"t": "generator", "v": 0}
    call["init"] = [{"t": "int", "v": 8}]
    call["state"] = {"weight": _tensor(1, [2])}
    layout = Layout(call, (4, 8), 0, 1, "module")
    found = layout.arguments(Memory(layout.size).part, 0, CPU)
    assert found.args[0] == 3
    assert isinstance(found.args[1], tuple)
    assert found.kwargs["where"] == CPU
    assert isinstance(found.kwargs["generator"], torch.Generator)
    assert found.init == (8,)
    assert found.state["weight"].shape == (2,)


@pytest.mark.parametrize(
    "value",
    [{"t": "other", "v": "Thing"}, _tensor(0, [5]), _tensor(0, [2], offset=3), {"t": "no"}, 3],
)
def test_what_no_call_may_hold_is_refused(value: Any) -> None:
    layout = Layout(_call(value), (16,), 0, 1)
    with pytest.raises(BadValue):
        layout.arguments(Memory(layout.size).part, 0, CPU)


def test_a_layout_crosses_a_border_unchanged() -> None:
    call = _call(_tensor(0, [2, 3]), {"t": "float", "v": "nan"})
    layout = Layout(call, (24, 7), 1000, 8, "module")
    again = Layout.from_json(layout.to_json().encode())
    assert again == layout
    assert (again.inputs, again.stride, again.size) == (1024, 2048, 8 * 2048)
