"""Judges what a call did to its arguments: declared writes, and all else untouched."""

import torch

from kernelbenchx.spec.call import Call
from kernelbenchx.spec.task import Outputs, Task


def changed_arguments(task: Task, before: Call, after: Call) -> tuple[str, ...]:
    """Names of arguments whose bytes changed although the task does not declare it."""
    names = task.tensor_names(before)
    changed = []
    declared = [
        tensor for name, tensor in zip(names, after.tensors(), strict=False) if name in task.writes
    ]
    pairs = zip(names, before.tensors(), after.tensors(), strict=False)
    for name, old, new in pairs:
        if not _same_storage_outside(old, new, [t for t in declared if _shares(t, new)]):
            changed.append(name)
    return tuple(dict.fromkeys(changed))


def find_spurious_write(task: Task, before: Call, native: Outputs, after: Call) -> str:
    """A declared argument that the reference leaves alone in this case, but the call changed."""
    states = zip(
        native.leaves[native.returned :],
        task.collect_written(before),
        task.collect_written(after),
        strict=False,
    )
    for leaf, was, now in states:
        left_alone = values_equal(was.value, leaf.value)
        if left_alone and not values_equal(was.value, now.value):
            return leaf.name
    return ""


def _shares(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def values_equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Equal numbers, NaN equal to NaN: a value that is written again may get other bits."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if not (one.is_floating_point() or one.is_complex()):
        return bool(torch.equal(one, other))
    return bool(((one == other) | (one.isnan() & other.isnan())).all())


def _same_storage_outside(
    old: torch.Tensor, new: torch.Tensor, declared: list[torch.Tensor]
) -> bool:
    """Equal bytes everywhere except where a declared argument lies."""
    mine, theirs = _bytes(old), _bytes(new)
    if mine.numel() != theirs.numel():
        return False
    if declared:
        mine, theirs = mine.clone(), theirs.clone()
    for tensor in declared:
        for whole in (mine, theirs):
            view = torch.empty(0, dtype=tensor.dtype, device=whole.device).set_(
                whole.untyped_storage(), tensor.storage_offset(), tensor.shape, tensor.stride()
            )
            view.zero_()
    return bool(torch.equal(mine, theirs))


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    """Bytes of the whole storage, not copied."""
    return torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(tensor.untyped_storage())
