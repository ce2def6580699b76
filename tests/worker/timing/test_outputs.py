"""What a call returned: copied side by side, described, and what does not fit left out."""

from typing import Any

import pytest
import torch

from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing import outputs
from kernelbenchx.worker.timing.layout import ALIGNMENT
from kernelbenchx.worker.timing.outputs import KeptResult, Views, describe_result, leaves_of, put

NONE = Arguments((), {}, (), {}, {})


def _room(size: int = 4 * ALIGNMENT) -> torch.Tensor:
    return torch.full((size,), 0xFF, dtype=torch.uint8)


def _at(room: torch.Tensor, said: dict[str, Any], dtype: torch.dtype) -> torch.Tensor:
    count = 1
    for size in said["shape"]:
        count *= size
    return room[said["at"] :][: count * dtype.itemsize].view(dtype).view(said["shape"])


def test_leaves_are_found_however_deep_and_in_order() -> None:
    one, two, three = torch.zeros(1), torch.zeros(2), torch.zeros(3)
    found = leaves_of((one, [two, {"x": three}], 5, None, "text"))
    assert [leaf.numel() for leaf in found] == [1, 2, 3]
    assert leaves_of(None) == []


def test_results_lie_where_their_description_says() -> None:
    first = torch.arange(6.0).view(2, 3).t()
    second = torch.tensor(7, dtype=torch.int64)
    kept, room = KeptResult((first, [second])), _room()
    put([kept], [room], {})
    said = describe_result(kept, NONE)
    one, (two,) = said["result"]["v"][0], said["result"]["v"][1]["v"]
    assert torch.equal(_at(room, one, torch.float32), first)
    assert int(_at(room, two, torch.int64)) == 7
    assert one["at"] == 0 and two["at"] == ALIGNMENT
    assert set(room[24:ALIGNMENT].tolist()) == {0xFF}
    assert said["aliases"] == [-1, -1]
    assert said["devices"] == ["cpu", "cpu"]
    assert said["layouts"] == ["torch.strided", "torch.strided"]


def test_many_results_go_to_their_rooms_at_once() -> None:
    kept = [KeptResult(torch.full((2,), float(n))) for n in range(3)]
    rooms = [_room(ALIGNMENT) for _ in kept]
    put(kept, rooms, {})
    assert [room[:8].view(torch.float32).tolist() for room in rooms] == [
        [0.0] * 2,
        [1.0] * 2,
        [2.0] * 2,
    ]
    with pytest.raises(ValueError, match="zip"):
        put(kept, rooms[:2], {})


def test_large_results_are_copied_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "_LARGE_BYTES", 8)
    kept, room = KeptResult((torch.ones(2), torch.zeros(2))), _room()
    put([kept], [room], {})
    assert room[:8].view(torch.float32).tolist() == [1.0, 1.0]
    assert room[ALIGNMENT:][:8].view(torch.float32).tolist() == [0.0, 0.0]


def test_views_of_a_room_are_made_once_while_results_have_one_form() -> None:
    room, other = _room(), _room()
    views: Views = {}
    put([KeptResult(torch.ones(2, 2))], [room], views)
    (view,) = views.values()
    put([KeptResult(torch.zeros(2, 2))], [room], views)
    assert view.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert list(views.values()) == [view]
    results = (torch.full((4,), 5.0), torch.full((2, 2), 6, dtype=torch.int32))
    for result in results:
        put([KeptResult(result)], [room], views)
        assert torch.equal(room[:16].view(result.dtype).view(result.shape), result)
    put([KeptResult(torch.full((2, 2), 7.0))], [other], views)
    assert view[0, 0].item() != 7.0
    assert other[:4].view(torch.float32).item() == 7.0
    assert len(views) == 2


def test_a_result_that_becomes_sparse_is_not_copied() -> None:
    room, views = _room(), Views()
    put([KeptResult(torch.ones(2, 2))], [room], views)
    put([KeptResult(torch.zeros(2, 2).to_sparse())], [room], views)
    assert room[:16].view(torch.float32).tolist() == [1.0] * 4


def test_empty_tensors_take_no_room() -> None:
    kept, room = KeptResult((torch.zeros(0, 5), torch.ones(1))), _room(ALIGNMENT)
    put([kept], [room], {})
    assert room[:4].view(torch.float32).item() == 1.0
    assert [one["at"] for one in describe_result(kept, NONE)["result"]["v"]] == [0, 0]


@pytest.mark.parametrize("dtype", [torch.bool, torch.bfloat16, torch.complex64, torch.float8_e5m2])
def test_every_dtype_is_copied_bit_by_bit(dtype: torch.dtype) -> None:
    value = torch.tensor([0, 1, 1]).to(dtype)
    kept, room = KeptResult(value), _room()
    put([kept], [room], {})
    found = room[: 3 * dtype.itemsize]
    assert torch.equal(found, value.view(torch.uint8))


def test_what_asks_for_gradients_is_copied_too() -> None:
    kept, room = KeptResult(torch.ones(1, requires_grad=True) * 2), _room()
    put([kept], [room], {})
    assert room[:4].view(torch.float32).item() == 2.0


def test_what_does_not_fit_stays_out_and_nothing_behind_it_is_written() -> None:
    kept, room = KeptResult((torch.zeros(1), torch.zeros(ALIGNMENT), torch.zeros(1))), _room(1024)
    put([kept], [room], {})
    assert room[:4].tolist() == [0] * 4
    assert set(room[4:].tolist()) == {0xFF}


def test_a_sparse_result_is_named_and_not_copied() -> None:
    kept, room = KeptResult(torch.eye(2).to_sparse(layout=torch.sparse_coo)), _room()
    put([kept], [room], {})
    assert set(room.tolist()) == {0xFF}
    assert describe_result(kept, NONE)["layouts"] == ["torch.sparse_coo"]


def test_a_result_that_is_an_argument_says_which() -> None:
    storages = {n: torch.zeros(16, dtype=torch.uint8) for n in (0, 1)}
    arguments = Arguments((), {}, (), {}, storages)
    mine = storages[1].view(torch.float32)[1:]
    assert describe_result(KeptResult((mine, torch.zeros(1))), arguments)["aliases"] == [1, -1]


def test_what_is_no_tensor_has_a_description_without_room() -> None:
    kept, room = KeptResult((3, object())), _room()
    put([kept], [room], {})
    said = describe_result(kept, NONE)
    assert [one["t"] for one in said["result"]["v"]] == ["int", "other"]
    assert said["aliases"] == []
