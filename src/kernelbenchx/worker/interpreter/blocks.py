"""Block types made once: Triton builds and validates a new one for each operation."""

from __future__ import annotations

from typing import Any

import triton.language as tl

__all__ = ["patch_types"]

_Key = tuple[str, tuple[int, ...]]


def patch_types() -> None:
    """Let equal block types be one object, and let tensors share their shapes."""
    known: dict[_Key, Any] = {}
    validate = tl.block_type.__init__
    block_type = tl.block_type

    def make(cls: Any, element_ty: Any = None, shape: Any = (), *_: Any, **_more: Any) -> Any:
        if cls is not block_type:
            return object.__new__(cls)
        sizes = tuple(n.value if type(n) is tl.constexpr else n for n in shape)
        found = known.get((element_ty.name, sizes))
        if found is None:
            found = object.__new__(cls)
            validate(found, element_ty, shape)
            found.sizes = sizes
            known[element_ty.name, sizes] = found
        return found

    def initialise(self: Any, element_ty: Any, shape: Any) -> None:
        if type(self) is not block_type:
            validate(self, element_ty, shape)

    def with_element_ty(self: Any, scalar_ty: Any) -> Any:
        found = known.get((scalar_ty.name, self.sizes))
        return block_type(scalar_ty, self.shape) if found is None else found

    block_type.__new__ = make
    block_type.__init__ = initialise
    block_type.with_element_ty = with_element_ty
    _patch_tensor()


def _patch_tensor() -> None:
    build = tl.tensor.__init__
    blocks: dict[tuple[int, ...], tuple[Any, Any]] = {}

    def initialise(self: Any, handle: Any, type: Any) -> None:
        sizes = getattr(type, "sizes", ())
        known = blocks.get(sizes)
        if known is None:
            build(self, handle, type)
            blocks[sizes] = (self.shape, self.numel)
            return
        self.handle = handle
        self.shape, self.numel = known
        self.type = type
        self.dtype = type.scalar

    tl.tensor.__init__ = initialise
