"""Where the arguments and outputs of several calls lie in memory that two processes share."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch

from ..order import Arguments, decode_arguments
from ..values import BadValue, Decoder, Geometry

Part = Callable[[int, int], torch.Tensor]
"""Bytes as a tensor, from a start and a size."""
ALIGNMENT = 512
"""Of every storage and every slot: what torch's own allocator gives."""


def align_up(size: int) -> int:
    """The next multiple of the alignment."""
    return -(-size // ALIGNMENT) * ALIGNMENT


@dataclass(frozen=True)
class Layout:
    """One form of call in several slots: the same shapes, other values in each."""

    call: dict[str, Any]
    """Tagged values, as in an order; tensors name a storage."""
    storages: tuple[int, ...]
    """Sizes in bytes."""
    outputs: int
    """Bytes for what a call returns."""
    slots: int
    form: str = "function"

    @property
    def inputs(self) -> int:
        """Bytes of all storages of one slot."""
        return sum(map(align_up, self.storages))

    @property
    def stride(self) -> int:
        """Bytes from one slot to the next."""
        return self.inputs + align_up(self.outputs)

    @property
    def size(self) -> int:
        """Bytes of all slots."""
        return self.slots * self.stride

    def to_json(self) -> str:
        """As JSON, for the other side."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> "Layout":
        """The inverse; only trusted text comes this way."""
        fields = json.loads(text)
        fields["storages"] = tuple(fields["storages"])
        return cls(**fields)

    def storage(self, part: Part, slot: int, number: int) -> torch.Tensor:
        """The bytes of one storage."""
        start = slot * self.stride + sum(map(align_up, self.storages[:number]))
        return part(start, self.storages[number])

    def room(self, part: Part, slot: int) -> torch.Tensor:
        """The bytes for what the call in a slot returns."""
        return part(slot * self.stride + self.inputs, self.outputs)

    def arguments(self, part: Part, slot: int, device: torch.device) -> Arguments:
        """Arguments over the memory of one slot; nothing is copied."""
        storages: dict[int, torch.Tensor] = {}

        def tensor(described: dict[str, Any]) -> torch.Tensor:
            index = int(described["storage"])
            if index not in storages:
                storages[index] = self.storage(part, slot, index)
            return Geometry.of(described).over(storages[index])

        decoder = Decoder(tensor=tensor, stand_in=lambda tag, _: _stand_in(tag, device))
        return decode_arguments(self.call, decoder, storages)


def _stand_in(tag: str, device: torch.device) -> Any:
    if tag == "device":
        return device
    if tag == "generator":
        return torch.Generator(device)  # seeded before every call
    raise BadValue(f"a call may not hold a value tagged {tag!r}")
