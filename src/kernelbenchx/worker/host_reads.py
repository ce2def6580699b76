"""Counts what the host reads where torch's dispatcher sees nothing of it.

On memory of the host, `tolist`, `numpy` and `repr` take the bytes as they lie there. What lies on a
GPU has to be copied first, which the dispatcher sees; only printing hides it. Functions of torch
pass through here on their way.
"""

from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from .data_flow import DataFlow
from .provenance import tensors_in

_PRINTING = frozenset({"__repr__", "__format__"})
_READING = _PRINTING | frozenset(
    {
        *("tolist", "numpy", "__array__", "__dlpack__"),
        *("untyped_storage", "storage", "_typed_storage", "apply_", "map_", "map2_"),
    }
)


class HostReads(TorchFunctionMode):
    """Tells of every tensor whose bytes are handed to Python."""

    def __init__(self, flow: DataFlow, *, on_gpu: bool = False) -> None:
        super().__init__()
        self._flow = flow
        self._names = _PRINTING if on_gpu else _READING
        self._on_gpu = on_gpu

    def __torch_function__(
        self, func: Any, _types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if getattr(func, "__name__", "") in self._names:
            with torch._C.DisableTorchFunction():
                found = tensors_in(args[:1])
                self._flow.read(one for one in found if one.is_cuda or not self._on_gpu)
        return func(*args, **(kwargs or {}))
