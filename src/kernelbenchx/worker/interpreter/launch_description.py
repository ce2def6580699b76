"""A launch as JSON: kernel, grid, arguments and options, enough to compile it elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
import triton.language as tl
from triton.runtime import interpreter as stock
from triton.runtime.jit import mangle_type
from triton.tools.tensor_descriptor import TensorDescriptor

__all__ = ["describe_argument", "describe_launch"]

_ALIGNMENT = 16
"""Bytes to which a pointer must be aligned for the compiler to rely on it."""


def describe_launch(
    function: Any, grid: tuple[int, int, int], arguments: list[dict[str, Any]], options: Any
) -> dict[str, Any]:
    """One launch; its name, first line and captured values tell a kernel from others."""
    captured = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {
        "kernel": function.__name__,
        "line": function.__code__.co_firstlineno,
        "captured": {name: _plain(_content(cell)) for name, cell in captured},
        "grid": list(grid),
        "args": arguments,
        "options": {name: _plain(value) for name, value in options.items()},
    }


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None  # not assigned yet


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
        items = [_describe_value(item) for item in value]
        return {"kind": "tuple", "items": items, "fields": list(getattr(value, "_fields", ()))}
    return {"kind": "constexpr", "value": _plain(value)}


def _describe_pointer(tensor: Any) -> dict[str, Any]:
    aligned = tensor.data_ptr() % _ALIGNMENT == 0
    return {"kind": "pointer", "dtype": mangle_type(tensor).lstrip("*k"), "aligned": aligned}


def _plain(value: Any) -> Any:
    """JSON where possible, else a name or, in angle brackets, what no other process has."""
    value = value.value if isinstance(value, tl.constexpr) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) in (list, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, tl.dtype | torch.dtype):
        return repr(value)
    if isinstance(value, stock.InterpretedFunction):
        return {"function": value.__name__}  # not a text: a text may be a function's name too
    return f"<{type(value).__name__}>"
