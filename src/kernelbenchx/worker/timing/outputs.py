"""What a call returned: kept as it is, put where the judge sees it, described in words."""

from dataclasses import dataclass
from typing import Any

import torch

from ..order import Arguments
from ..replies import shared_storage
from ..values import dtype_name, encode
from .layout import aligned


@dataclass
class Kept:
    """The result of one call."""

    result: Any
    put: bool = False


def leaves_of(result: Any) -> list[torch.Tensor]:
    """All tensors of a result, in order."""
    found: list[torch.Tensor] = []

    def note(tensor: torch.Tensor) -> dict[str, Any]:
        found.append(tensor)
        return {}

    encode(result, note)
    return found


def put(kept: Kept, room: torch.Tensor) -> None:
    """Copy every tensor into the room, one behind the other; what does not fit stays out."""
    start = 0
    for leaf in leaves_of(kept.result):
        size = leaf.numel() * leaf.dtype.itemsize
        if leaf.layout is not torch.strided or start + size > room.numel():
            break
        if size:
            target = room[start : start + size].view(leaf.dtype).view(leaf.shape)
            target.copy_(leaf.detach())
        start += aligned(size)
    kept.put = True


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
