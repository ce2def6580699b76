"""Torch operators that only infer shapes and dtypes of results, where computing would take long.

Where kernels are compiled and not run, no value means anything; forms decide what is compiled.
"""

import mmap
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

from .dispatch import Mode, find_body

LARGE = 1 << 20
"""Bytes; below it an operator is run as it is, so that small things like lengths have values."""


def zeros(size: int) -> torch.Tensor:
    """So many bytes of memory that is allocated only when it is touched."""
    if not size:
        return torch.zeros(0, dtype=torch.uint8)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return torch.frombuffer(memory, dtype=torch.uint8)


class ShapeOnlyMode(Mode):
    """Inside, torch neither reads nor writes large tensors."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        del types
        named = dict(kwargs or {})
        if body := find_body(func):
            with self:
                return body(*args, **named)
        given = list(_tensors((args, named)))
        makes = not given and named.get("device") is not None
        if _is_empty(func):
            return _nothing_in(func(*args, **named))
        if _is_about_form(func) or not (makes or any(map(_is_large, given))):
            return func(*args, **named)
        written = list(_find_written(func, args, named))
        if written:
            told = written[: len(func._schema.returns)]
            return tuple(told) if len(told) > 1 else next(iter(told), None)
        try:
            described = _infer_results(func, args, named)
        except Exception:  # noqa: BLE001 - values decide its form, or it is unknown
            return func(*args, **named)
        if makes and not any(map(_is_large, _tensors(described))):
            return func(*args, **named)
        return tree_map(_allocate_zeros, described)


def _is_about_form(func: Any) -> bool:
    """Whether it touches no memory: views, and whatever changes a tensor's own description."""
    return bool(func.is_view or torch.Tag.inplace_view in func.tags)


def _is_empty(func: Any) -> bool:
    return str(func).startswith(("aten.empty", "aten.new_empty"))


def _nothing_in(made: torch.Tensor) -> torch.Tensor:
    """Zero what skipped kernels would write: what is read as a length must be a small number."""
    if not _is_large(made):
        made.zero_()
    return made


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    return (leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor))


def _is_large(tensor: torch.Tensor) -> bool:
    return tensor.numel() * tensor.dtype.itemsize > LARGE


def _find_written(func: Any, args: Any, named: dict[str, Any]) -> Iterator[Any]:
    """The arguments that the operator writes: it returns them, or nothing."""
    for place, argument in enumerate(func._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            yield args[place] if place < len(args) else named[argument.name]


def _infer_results(func: Any, args: Any, named: dict[str, Any]) -> Any:
    """The results on a device that has no memory."""
    there = {name: _without_memory(value) for name, value in named.items()}
    if named.get("device") is not None:
        there["device"] = torch.device("meta")
    return func(*_without_memory(args), **there)


def _without_memory(value: Any) -> Any:
    def convert(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        size, stride = leaf.size(), leaf.stride()
        return torch.empty_strided(size, stride, dtype=leaf.dtype, device="meta")

    return tree_map(convert, value)


def _allocate_zeros(leaf: Any) -> Any:
    if not isinstance(leaf, torch.Tensor):
        return leaf
    room = zeros(leaf.untyped_storage().nbytes()).view(leaf.dtype)
    return room.as_strided(leaf.size(), leaf.stride())
