import pytest
import torch

from kernelbenchx.worker.red_zones import OutOfBounds, RedZones
from kernelbenchx.worker.tracing import OperatorTrace, poison


@pytest.mark.parametrize("at", [-1, 5])
def test_a_store_outside_is_noticed_and_one_inside_is_not(at: int) -> None:
    zones = RedZones(64)
    room = zones.room(20, "cpu").view(torch.float32)
    room.fill_(1.0)
    zones.check()
    outside = torch.empty(0).set_(room.untyped_storage(), 16 + at, (1,), (1,))
    outside.fill_(2.0)
    with pytest.raises(OutOfBounds, match="before" if at < 0 else "beyond"):
        zones.check()
    zones.begin()
    zones.check()


def test_what_lies_outside_reads_as_nan() -> None:
    room = RedZones(64).room(8, "cpu").view(torch.float32)
    whole = torch.empty(0).set_(room.untyped_storage(), 0, (34,), (1,))
    assert whole[:16].isnan().all() and whole[18:].isnan().all()


def test_a_moved_tensor_has_the_same_values_and_strides() -> None:
    zones = RedZones(4096)
    tensor = torch.arange(12.0).view(3, 4).t()[1:]
    moved = zones.guard_tensor(tensor)
    assert torch.equal(moved, tensor) and moved.stride() == tensor.stride()
    assert moved.data_ptr() % 16 == tensor.data_ptr() % 16
    moved.fill_(0)
    assert tensor.sum() > 0


def test_fresh_memory_of_a_call_lies_between_zones() -> None:
    zones = RedZones(256)
    with OperatorTrace(poison, zones=zones):
        made = [
            torch.empty(3),
            torch.zeros(3),
            torch.full((3,), 2.0),
            torch.ones_like(torch.empty(2)),
        ]
    assert [float(t.nan_to_num(9.0).sum()) for t in made] == [27.0, 0.0, 6.0, 2.0]
    zones.check()
    for tensor in made:
        beyond = torch.empty(0).set_(
            tensor.untyped_storage(), int(tensor.storage_offset()) + tensor.numel(), (1,), (1,)
        )
        kept = beyond.clone()
        beyond.fill_(1.0)
        with pytest.raises(OutOfBounds):
            zones.check()
        beyond.copy_(kept)


def test_without_width_nothing_is_guarded() -> None:
    zones = RedZones(0)
    tensor = torch.zeros(3)
    assert zones.guard_tensor(tensor) is tensor
    assert zones.room(5, "cpu").numel() == 5
    zones.check()
