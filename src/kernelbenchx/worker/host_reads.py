"""Counts what the host reads where torch's dispatcher sees nothing of it.

On memory of the host, `tolist`, `numpy` and `repr` take the bytes as they lie there. What lies on a
GPU has to be copied first, which the dispatcher sees; only printing hides it. Pinned memory needs
no copy. Composite operators reach the dispatcher in pieces: `tensor_split` by a tensor is seen as
slices. Those that only ask or view are listed here, all others compute.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from .data_flow import DataFlow
from .dispatch import find_body
from .provenance import tensors_in

_PRINTING = frozenset({"__repr__", "__format__"})
_READING = _PRINTING | frozenset(
    {
        *("tolist", "numpy", "__array__", "__dlpack__"),
        *("untyped_storage", "storage", "_typed_storage", "apply_", "map_", "map2_"),
    }
)
VIEWS_AND_QUESTIONS = frozenset(
    """
    adjoint atleast_1d atleast_2d atleast_3d broadcast_tensors broadcast_to can_cast chalf
    chunk conj contiguous cudnn_is_acceptable data dim dsplit empty expand_as flatten
    get_device hsplit imag is_complex is_conj is_contiguous is_floating_point is_inference
    is_leaf is_neg is_nonzero is_signed item linalg_diagonal meshgrid mH moveaxis movedim mT
    narrow numel numpy_T output_nr pin_memory positive promote_types ravel real requires_grad_
    reshape reshape_as resolve_conj resolve_neg result_type retain_grad retains_grad set_ size
    split storage_offset stride swapaxes swapaxes_ swapdims swapdims_ sym_is_contiguous
    sym_numel sym_size sym_storage_offset sym_stride tensor_split to type_as unflatten
    unsafe_chunk view_as vsplit _has_compatible_shallow_copy_type _shape_as_tensor _version
    """.split()  # noqa: SIM905
)
"""Composite operators whose pieces say all that they do."""
_COMPOSITE = (
    frozenset(
        name.removeprefix("aten::").partition(".")[0]
        for name in torch._C._dispatch_get_registrations_for_dispatch_key(
            "CompositeImplicitAutograd"
        )
    )
    - VIEWS_AND_QUESTIONS
)


class HostReads(TorchFunctionMode):
    """Notes every tensor whose bytes are handed to Python, and operators seen in pieces."""

    def __init__(self, flow: DataFlow, *, on_gpu: bool = False) -> None:
        super().__init__()
        self._flow = flow
        self._on_gpu = on_gpu

    def __torch_function__(
        self, func: Any, _types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if body := find_body(func):
            with self:
                return body(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        if name in _READING:
            with torch._C.DisableTorchFunction():
                self._flow.read(self._read_by(name, args))
        elif name == "tensor_split":
            self._flow.read(tensors_in((args[1:], kwargs)))
        elif name in _COMPOSITE:
            self._flow.composite(name)
        return func(*args, **(kwargs or {}))

    def _read_by(self, name: str, args: Any) -> Iterator[torch.Tensor]:
        for one in tensors_in(args[:1]):
            if not self._on_gpu or (name in _PRINTING if one.is_cuda else one.is_pinned()):
                yield one
