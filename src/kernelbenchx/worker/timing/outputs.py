"""What a call returned: kept as it is, put where the judge sees it, described in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from ..order import Arguments
from ..replies import shared_storage
from ..values import dtype_name, encode
from .layout import aligned

_LARGE_BYTES = 64 << 20
"""From here on one copy takes the card far longer than the host needs to launch it."""


@dataclass
class Kept:
    """The result of one call."""

    result: Any
    put: bool = False


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


View = tuple[int, int, torch.dtype, torch.Size]
"""Which room, where in it, and as what."""


def put(
    kept: Sequence[Kept], rooms: Sequence[torch.Tensor], known: dict[View, torch.Tensor]
) -> None:
    """Copy all tensors of each result into its room, at once: many small copies cost launches.

    `known`: views made before; making them takes longer than many kernels run.
    """
    targets, sources = [], []
    for one, room in zip(kept, rooms, strict=True):
        for target, source in _placed(one.result, room, known):
            targets.append(target)
            sources.append(source)
        one.put = True
    if not sources:
        return
    if sources[0].numel() * sources[0].dtype.itemsize < _LARGE_BYTES:
        torch._foreach_copy_(targets, sources)
        return
    for target, source in zip(targets, sources, strict=True):
        target.copy_(source)


def _placed(
    result: Any, room: torch.Tensor, known: dict[View, torch.Tensor]
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Each tensor with its place, one behind the other; what does not fit stays out."""
    start = 0
    for leaf in leaves_of(result):
        size = leaf.numel() * leaf.dtype.itemsize
        if leaf.layout is not torch.strided or start + size > room.numel():
            return
        if size:
            key = (room.data_ptr(), start, leaf.dtype, leaf.shape)
            if key not in known:
                known[key] = room[start : start + size].view(leaf.dtype).view(leaf.shape)
            yield known[key], leaf.detach()
        start += aligned(size)


def described(kept: Kept, arguments: Arguments) -> dict[str, Any]:
    """Structure and places of the tensors, as tagged values."""
    place = 0
    leaves: list[torch.Tensor] = []

    def write(tensor: torch.Tensor) -> dict[str, Any]:
        nonlocal place
        leaves.append(tensor)
        at, place = place, place + aligned(tensor.numel() * tensor.dtype.itemsize)
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
