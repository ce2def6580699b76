"""The result of a call: kept as it is, put where the judge sees it, described in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from ..order import Arguments
from ..replies import shared_storage
from ..values import dtype_name, encode
from .layout import align_up

_LARGE_BYTES = 64 << 20
"""From here on one copy takes the GPU far longer than the host needs to launch it."""


@dataclass
class KeptResult:
    """The result of one call."""

    result: Any


def leaves_of(result: Any) -> list[torch.Tensor]:
    """All tensors of a result, in order."""
    if type(result) is torch.Tensor:  # by far the most, while a clock runs
        return [result]
    found: list[torch.Tensor] = []

    def note(tensor: torch.Tensor) -> dict[str, Any]:
        found.append(tensor)
        return {}

    encode(result, note)
    return found


Views = dict[tuple[int, int], torch.Tensor]
"""By the address of a room and the place in it: the view through which it was last seen."""


def put(kept: Sequence[KeptResult], rooms: Sequence[torch.Tensor], known: Views) -> None:
    """Copy all tensors of each result into its room, at once: many small copies cost launches.

    `known`: views made before; making them takes longer than many kernels run.
    """
    targets: list[torch.Tensor] = []
    sources: list[torch.Tensor] = []
    for one, room in zip(kept, rooms, strict=True):
        _place(leaves_of(one.result), room, known, (targets, sources))
    if not sources:
        return
    with torch.no_grad():
        if sources[0].numel() * sources[0].dtype.itemsize < _LARGE_BYTES:
            torch._foreach_copy_(targets, sources)
            return
        for target, source in zip(targets, sources, strict=True):
            target.copy_(source)


def _place(
    leaves: Sequence[torch.Tensor],
    room: torch.Tensor,
    known: Views,
    found: tuple[list[torch.Tensor], list[torch.Tensor]],
) -> None:
    """Each tensor with its place, one behind the other; what does not fit is left out."""
    first, start = room.data_ptr(), 0
    for leaf in leaves:
        target = known.get((first, start))
        if target is None or target.dtype is not leaf.dtype or target.shape != leaf.shape:
            size = leaf.numel() * leaf.dtype.itemsize
            if leaf.layout is not torch.strided or start + size > room.numel():
                return
            target = room[start : start + size].view(leaf.dtype).view(leaf.shape)
            known[first, start] = target
        if target.numel() and leaf.layout is torch.strided:
            found[0].append(target)
            found[1].append(leaf)
        start += align_up(target.numel() * target.dtype.itemsize)


def describe_result(kept: KeptResult, arguments: Arguments) -> dict[str, Any]:
    """Structure and places of the tensors, as tagged values."""
    place = 0
    leaves: list[torch.Tensor] = []

    def write(tensor: torch.Tensor) -> dict[str, Any]:
        nonlocal place
        leaves.append(tensor)
        at, place = place, place + align_up(tensor.numel() * tensor.dtype.itemsize)
        return {
            "t": "tensor",
            "at": at,
            "dtype": dtype_name(tensor.dtype),
            "shape": list(tensor.shape),
        }

    return {
        "result": encode(kept.result, write),
        "aliases": [shared_storage(leaf, arguments) for leaf in leaves],
        "devices": [leaf.device.type for leaf in leaves],
        "layouts": [str(leaf.layout) for leaf in leaves],
    }
