"""Fresh inputs on the device, and the layout of shared memory that holds them."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from kernelbenchx.core.errors import BrokenTask, EvaluatorFault
from kernelbenchx.spec.call import Call, CaseDevice, GeneratorSeed
from kernelbenchx.spec.modules import made_from
from kernelbenchx.spec.task import Outputs
from kernelbenchx.worker.timing.layout import Layout, align_up
from kernelbenchx.worker.values import dtype_name, encode

FEWEST_SLOTS, MOST_SLOTS = 4, 32
"""Slots; fewer than the first number only if memory or `BATCH_S` allow no more."""
LEAST_SLOTS = 2
"""Fewest slots: whether launches depend on values shows in two calls on different ones."""
MOST_CALL_S = 0.05
"""Longest eager call of a timing case on a GPU: otherwise measuring it would take minutes."""
_CACHES, _FEW_CACHES = 4, 2
"""All slots together are this many times the second-level cache, if memory allows; the second
number is for a slow candidate."""
BATCH_S, SLOW_SLOTS = 0.02, 3
"""All slots together take the reference no longer than this, unless they are so few."""
LONG_BATCH_S = 0.04
"""Nor longer than this if a quicker candidate needs more of them."""
FITS_CACHE = "what a block touches fits into the L2, which is flushed before each block"
"""The flag of a case that takes too long, or of a GPU with too little memory, for more slots."""
_SPARE = 1 << 20
"""Outputs whose size depends on values may be this much larger than those first seen."""


@dataclass(frozen=True)
class CallDescription:
    """A call as tagged values, separate from its storages."""

    template: dict[str, Any]
    storages: tuple[torch.Tensor, ...]
    """As bytes, in the order in which tensors name them."""
    indices: tuple[int, ...]
    """The storage of each tensor of the call."""


def describe_call(call: Call) -> CallDescription:
    """Tensors that share memory share a storage."""
    storages: list[torch.Tensor] = []
    known: dict[int, int] = {}
    indices: list[int] = []

    def place(tensor: torch.Tensor) -> int:
        storage = tensor.untyped_storage()
        key = storage.data_ptr()
        if not storage.nbytes() or key not in known:
            whole = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage)
            known[key] = len(storages)
            storages.append(whole)
        return known[key]

    def write(tensor: torch.Tensor) -> dict[str, Any]:
        indices.append(place(tensor))
        return {
            "t": "tensor",
            "storage": indices[-1],
            "dtype": dtype_name(tensor.dtype),
            "shape": list(tensor.shape),
            "strides": list(tensor.stride()),
            "offset": tensor.storage_offset(),
        }

    def encode_value(one: Any) -> dict[str, Any]:
        if isinstance(one, GeneratorSeed):
            return {"t": "generator", "v": 0}  # the seed comes with each call
        if isinstance(one, CaseDevice):
            return {"t": "device"}
        return encode(one, write)

    template = {
        "args": [encode_value(one) for one in call.args],
        "kwargs": {name: encode_value(one) for name, one in call.kwargs.items()},
        "init": [encode_value(one) for one in call.init],
        "state": {name: encode_value(one) for name, one in call.state.items()},
        **made_from(call),
    }
    return CallDescription(template, tuple(storages), tuple(indices))


def seed_of(call: Call, otherwise: int) -> int:
    """The seed of a call, or the given one."""
    for value in [*call.args, *call.kwargs.values()]:
        if isinstance(value, GeneratorSeed):
            return value.seed
    return otherwise


def output_bytes(outputs: Outputs) -> int:
    """Room for the results of a call, by what the reference returns."""
    sizes = [
        align_up(leaf.value.numel() * leaf.value.dtype.itemsize)
        for leaf in outputs.leaves[: outputs.returned]
    ]
    return align_up(sum(sizes) + sum(sizes) // 8 + _SPARE)


@dataclass(frozen=True)
class TimingDevice:
    """The device and its resources."""

    device: str
    cache_bytes: int
    room_bytes: int
    """Memory for the slots of one runner."""
    least_s: float = 0.0
    """Least time that all slots together should take, for every runner."""

    @property
    def is_gpu(self) -> bool:
        """Whether it is a GPU: a host has no such cache, and is slow at everything."""
        return torch.device(self.device).type == "cuda"

    @property
    def most_call_s(self) -> float:
        """Longest time that eager may take for one call."""
        return MOST_CALL_S if self.is_gpu else math.inf


def slots_for(stride: int, call_s: float, where: TimingDevice, calls: int = 1) -> int:
    """Several times larger than the cache, within memory and time limits.

    Never fewer than a contract about so many `calls` needs: `require_room` checks whether they fit.
    """
    wanted = math.ceil(_CACHES * where.cache_bytes / max(stride, 1))
    wanted = max(wanted, FEWEST_SLOTS, math.ceil(where.least_s / max(call_s, 1e-9)))
    affordable = where.room_bytes // max(stride, 1)
    timely = max(int(BATCH_S / max(call_s, 1e-9)), SLOW_SLOTS)
    return max(_fewest_slots(calls), min(wanted, MOST_SLOTS, affordable, timely))


def fits_cache(touched: int, slots: int, where: TimingDevice) -> bool:
    """Whether all slots together fit into the cache, by what one call must touch."""
    return where.is_gpu and touched * slots <= where.cache_bytes


@dataclass(frozen=True)
class SlotBounds:
    """Bounds for the number of slots once the candidate's speed is known."""

    least_s: float = 0.0
    """Least time of a block's calls on the quicker side; 0: no limit."""
    fewest: int = sys.maxsize
    most: int = 0


FIXED = SlotBounds()
"""Keeps the number of slots."""


def bounds_for(stride: int, call_s: float, where: TimingDevice, calls: int = 1) -> SlotBounds:
    """At least enough to exceed the cache and satisfy the contract; at most as many as fit into
    memory and take the reference not too long.

    If blocks should last, never fewer than now: the overhead around the calls would be a larger
    share of a block's time, and a submission could get that by being slow at first.
    """
    beyond = math.ceil(_FEW_CACHES * where.cache_bytes / max(stride, 1))
    timely = int(LONG_BATCH_S / max(call_s, 1e-9))
    return SlotBounds(
        least_s=where.least_s,
        fewest=FIXED.fewest if where.least_s else max(FEWEST_SLOTS, _fewest_slots(calls), beyond),
        most=min(MOST_SLOTS, where.room_bytes // max(stride, 1), timely),
    )


class NoRoom(EvaluatorFault):
    """The GPU has too little memory for a case."""


class TooLong(BrokenTask):
    """Eager takes too long for a case."""


def require_room(place: str, stride: int, where: TimingDevice, calls: int) -> None:
    """With fewer slots less would be checked: a GPU without the memory for them times nothing."""
    least = _fewest_slots(calls)
    if where.room_bytes < least * stride:
        said = f"the GPU has too little memory for {least} calls of this case"
        raise NoRoom(f"{place}: {said}")


def require_timely(place: str, call_s: float, where: TimingDevice) -> None:
    """A case that keeps a GPU busy for too long is a mistake of its task."""
    if call_s > where.most_call_s:
        took, most = f"{call_s * 1e3:.0f} ms", f"{where.most_call_s * 1e3:.0f} ms"
        raise TooLong(f"{place}: eager takes {took}; no timed case may take more than {most}")


def _fewest_slots(calls: int) -> int:
    return max(LEAST_SLOTS, calls)


def layout_for(found: CallDescription, outputs: int, slots: int, form: str) -> Layout:
    """The layout of a case; every draw of the case must fit it."""
    return Layout(
        call=found.template,
        storages=tuple(storage.numel() for storage in found.storages),
        outputs=outputs,
        slots=slots,
        form=form,
    )


def require_same_form(layout: Layout, drawn: Sequence[CallDescription], name: str) -> None:
    """Draws must differ in values only; a task whose inputs change their form cannot be timed."""
    for one in drawn:
        sizes = tuple(storage.numel() for storage in one.storages)
        if one.template != layout.call or sizes != layout.storages:
            raise BrokenTask(f"{name}: two draws of one timing case differ in form")
