"""What a worker writes back: results, arguments after the call, traces, errors."""

import os
import traceback
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from .frames import pack, write_all
from .order import Arguments
from .submission_loader import FILE_NAME
from .values import PackedStorages, encode, storage_bytes

MAX_TEXT = 4000
_MOST_BYTES = 256 << 20


def error_of(error: BaseException) -> dict[str, Any]:
    """Type, message and place of an exception, short enough to show."""
    line, frames = 0, traceback.extract_tb(error.__traceback__)
    for frame in frames:
        if os.path.basename(frame.filename) == FILE_NAME:  # noqa: PTH119 - a text, not a file
            line = frame.lineno or 0
    said = str(error) or type(error).__name__
    return {
        "type": type(error).__name__,
        "message": said[:MAX_TEXT],
        "traceback": "".join(traceback.format_tb(error.__traceback__))[-MAX_TEXT:],
        "line": line,
    }


def call_frame(index: int, run: str, result: Any, arguments: Arguments) -> bytes:
    """One call: the result as dense bytes, then every storage as the call left it."""
    storages = PackedStorages()
    leaves: list[torch.Tensor] = []

    def write(tensor: torch.Tensor) -> dict[str, Any]:
        leaves.append(tensor)
        plain = tensor.detach()
        dtype = str(tensor.dtype).removeprefix("torch.")
        described = {"t": "tensor", "dtype": dtype, "shape": list(tensor.shape)}
        if plain.layout is not torch.strided:
            return {**described, "storage": storages.append(b"")}
        # A copy, since a tensor of one element may be contiguous with any strides.
        fresh = torch.empty(plain.shape, dtype=plain.dtype, device="cpu")
        if not plain.is_contiguous():  # in the same order of dimensions, which a contract may ask
            fresh = torch.empty_like(plain, device="cpu")
            described["strides"] = list(fresh.stride())
        return {**described, "storage": storages.append(storage_bytes(fresh.copy_(plain)))}

    header = {
        "kind": "call",
        "call": index,
        "run": run,
        "result": encode(result, write),
        "aliases": [shared_storage(leaf, arguments) for leaf in leaves],
        "devices": [leaf.device.type for leaf in leaves],
        "layouts": [str(leaf.layout) for leaf in leaves],
    }
    header["after"] = {
        str(number): storages.append(storage.cpu().numpy().tobytes())
        for number, storage in arguments.storages.items()
    }
    header["storages"] = storages.spans
    return pack(header, storages.payload())


def is_oversized(result: Any) -> bool:
    """Whether copies of an answer would fill the memory of the host: no check case is so large."""
    leaves = (leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor))
    return sum(leaf.numel() * leaf.dtype.itemsize for leaf in leaves) > _MOST_BYTES


def shared_storage(leaf: torch.Tensor, arguments: Arguments) -> int:
    """Index of the order's storage that the leaf lies in, or -1."""
    if leaf.layout is not torch.strided or leaf.numel() == 0:
        return -1
    pointer = leaf.untyped_storage().data_ptr()
    for number, storage in arguments.storages.items():
        if storage.numel() and storage.untyped_storage().data_ptr() == pointer:
            return number
    return -1


class Replies:
    """Frames written to one descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._traced: set[int | None] = set()

    def trace(self, call: int | None, seen: dict[str, Any]) -> None:
        """Write the trace of a call once: the first one counts."""
        if call not in self._traced:
            self._traced.add(call)
            self.say({"kind": "trace", "call": call, **seen})

    def say(self, header: dict[str, Any]) -> None:
        """Write a frame without bytes."""
        write_all(self._descriptor, pack(header))

    def write(self, frame: bytes) -> None:
        """Write a finished frame."""
        write_all(self._descriptor, frame)
