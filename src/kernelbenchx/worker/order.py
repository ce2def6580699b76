"""An order to a worker: a source and its inputs, without any expected answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from .binding import binding_in
from .frames import Frame, unpack
from .red_zones import RedZones
from .values import BadValue, Decoder, Geometry, owned_bytes


@dataclass
class Arguments:
    """One call's arguments, over storages that belong to this call alone."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    init: tuple[Any, ...]
    state: dict[str, torch.Tensor]
    storages: dict[int, torch.Tensor]
    """Storage index of the order → the bytes as a tensor on the call's device."""
    weights_seed: int | None = None
    """The module is built under this seed."""
    loads: bool = True
    """Whether the module is given `state`; otherwise it keeps what the seed gave it."""
    buffers: tuple[str, ...] = ()
    """Names of `state` that a module may lack: no parameters of the task's own module."""


@dataclass(frozen=True)
class Order:
    """A decoded order; each call gets fresh storages."""

    header: dict[str, Any]
    payload: memoryview
    zones: RedZones = field(default_factory=lambda: RedZones(0))
    compiled: tuple[Frame, ...] = ()
    """What was compiled ahead."""

    @classmethod
    def parse(cls, data: bytes) -> "Order":
        """The first frame; those behind it hold what was compiled ahead."""
        frame, *compiled = unpack(data)
        zones = RedZones(int(frame.header.get("red_zone", 0)))
        return cls(frame.header, frame.payload, zones, tuple(compiled))

    @property
    def device(self) -> str:
        """The device of the tensors."""
        return str(self.header["device"])

    @property
    def claimed_device(self) -> str:
        """The device that the submission sees: a simulated GPU where there is none."""
        return "cuda" if self.header["mode"] in ("interpret", "compile") else self.device

    @property
    def binding(self) -> dict[str, Any]:
        """How the submission takes the arguments of `call` and of `init`."""
        return binding_in(self.header)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The calls in the order in which they are made."""
        return list(self.header["calls"])

    def arguments(self, call: dict[str, Any], onto: Sequence[torch.Tensor] = ()) -> Arguments:
        """Fresh arguments of one call: what an earlier call wrote is not seen.

        `onto`: memory of an earlier call to be filled again, where the sizes are the same.
        """
        storages: dict[int, torch.Tensor] = {}
        room = list(onto)
        decoder = Decoder(
            tensor=lambda described: self._tensor(described, storages, room),
            stand_in=self._stand_in,
        )
        return decode_arguments(call, decoder, storages)

    def _tensor(
        self,
        described: dict[str, Any],
        storages: dict[int, torch.Tensor],
        room: list[torch.Tensor],
    ) -> torch.Tensor:
        index = int(described["storage"])
        if index not in storages:
            offset, length = self.header["storages"][index]
            fresh = owned_bytes(self.payload[offset : offset + length])
            if room and room[0].numel() == length:
                storages[index] = room.pop(0).copy_(fresh)
            else:
                storages[index] = self.zones.room(length, self.device).copy_(fresh)
        return Geometry.of(described).over(storages[index])

    def _stand_in(self, tag: str, body: Any) -> Any:
        if tag == "device":
            return torch.device(self.claimed_device)
        if tag == "generator":
            return torch.Generator(self.claimed_device).manual_seed(int(body))
        raise BadValue(f"an order may not hold a value tagged {tag!r}")


def decode_arguments(
    call: dict[str, Any], decoder: Decoder, storages: dict[int, torch.Tensor]
) -> Arguments:
    """The arguments of a described call; `storages` is filled while they are decoded."""
    return Arguments(
        args=tuple(decoder.decode(value) for value in call["args"]),
        kwargs={name: decoder.decode(value) for name, value in call["kwargs"].items()},
        init=tuple(decoder.decode(value) for value in call.get("init") or ()),
        state={n: decoder.decode(v) for n, v in (call.get("state") or {}).items()},
        storages=storages,
        weights_seed=call.get("weights_seed"),
        loads=bool(call.get("loads", True)),
        buffers=tuple(call.get("buffers") or ()),
    )
