"""Counts what the host reads where torch's dispatcher sees nothing of it.

On memory of the host, `tolist`, `numpy` and `repr` take the bytes as they lie there; on a GPU
printing switches observers off. Functions of torch pass through here on their way.
"""

from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from .data_flow import DataFlow
from .provenance import tensors_in

_READING = frozenset(
    {
        *("tolist", "numpy", "__array__", "__dlpack__", "__repr__", "__format__"),
        *("untyped_storage", "storage", "_typed_storage", "apply_", "map_", "map2_"),
    }
)


class HostReads(TorchFunctionMode):
    """Tells of every tensor whose bytes are handed to Python."""

    def __init__(self, flow: DataFlow) -> None:
        super().__init__()
        self._flow = flow

    def __torch_function__(
        self, func: Any, _types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if getattr(func, "__name__", "") in _READING:
            with torch._C.DisableTorchFunction():
                self._flow.read(tensors_in(args[:1]))
        return func(*args, **(kwargs or {}))
