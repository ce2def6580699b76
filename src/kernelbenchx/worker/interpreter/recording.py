"""A launch as JSON: kernel, grid, arguments and options, enough to compile it elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from triton.runtime.jit import mangle_type
from triton.tools.tensor_descriptor import TensorDescriptor

__all__ = ["describe_argument", "describe_launch"]

_ALIGNMENT = 16
"""Bytes to which a pointer must be aligned for the compiler to rely on it."""

_OPTIONS = {"num_warps": 4, "num_stages": 3}


def describe_launch(
    kernel: str, grid: tuple[int, int, int], arguments: list[dict[str, Any]], options: Any
) -> dict[str, Any]:
    """One launch; options that the kernel left open get Triton's defaults."""
    chosen = {name: options.get(name, default) for name, default in _OPTIONS.items()}
    return {"kernel": kernel, "grid": list(grid), "args": arguments, **chosen}


def describe_argument(name: str, value: Any, *, constexpr: bool) -> dict[str, Any]:
    """One argument, as the compiler sees it."""
    if constexpr:
        return {"name": name, "kind": "constexpr", "value": _plain(value)}
    return {"name": name, **_describe_value(value)}


def _describe_value(value: Any) -> Mapping[str, Any]:
    if value is None:
        return {"kind": "none"}
    if isinstance(value, bool):
        return {"kind": "bool", "value": value}
    if isinstance(value, int):
        return {"kind": "int", "value": value, "dtype": mangle_type(value)}
    if isinstance(value, float):
        return {"kind": "float", "value": _plain(value)}
    if isinstance(value, TensorDescriptor):
        return {
            **_describe_pointer(value.base),
            "kind": "descriptor",
            "shape": [int(n) for n in value.shape],
            "strides": [int(n) for n in value.strides],
            "block_shape": [int(n) for n in value.block_shape],
            "padding": value.padding,
        }
    if hasattr(value, "data_ptr"):
        return _describe_pointer(value)
    if isinstance(value, tuple):
        return {"kind": "tuple", "items": [_describe_value(item) for item in value]}
    return {"kind": "constexpr", "value": _plain(value)}


def _describe_pointer(tensor: Any) -> dict[str, Any]:
    aligned = tensor.data_ptr() % _ALIGNMENT == 0
    return {"kind": "pointer", "dtype": mangle_type(tensor).lstrip("*k"), "aligned": aligned}


def _plain(value: Any) -> Any:
    """JSON where JSON can say it, else how Python would write it."""
    value = getattr(value, "value", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return getattr(value, "__name__", None) or repr(value)
