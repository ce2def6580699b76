"""Arguments of a launch, from what the wrapper passes to what the kernel gets."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import triton.language as tl
from triton.runtime import interpreter as stock
from triton.runtime.jit import TensorWrapper, mangle_type
from triton.tools.tensor_descriptor import TensorDescriptor

from .dtypes import POINTER, numpy_dtype
from .handles import Handle, scalar
from .launch import Launch

__all__ = ["Bound", "Signature"]


class Bound(NamedTuple):
    """Values by parameter, and the options that were meant for the compiler."""

    values: dict[str, Any]
    options: dict[str, Any]


class Signature:
    """Parameters of a kernel, read once."""

    def __init__(self, function: Any) -> None:
        parameters = inspect.signature(function).parameters
        self.names = list(parameters)
        self.defaults = {
            name: p.default for name, p in parameters.items() if p.default is not p.empty
        }
        self.constexprs = frozenset(
            name for name, p in parameters.items() if "constexpr" in str(p.annotation)
        )

    def bind(self, kernel: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Bound:
        """Assign arguments to parameters, as a call would."""
        if len(args) > len(self.names):
            raise TypeError(f"{kernel}() takes {len(self.names)} arguments, got {len(args)}")
        given = dict(zip(self.names, args, strict=False))
        options = {}
        for name, value in kwargs.items():
            if name not in self.names:
                options[name] = value
            elif name in given:
                raise TypeError(f"{kernel}() got multiple values for argument {name!r}")
            else:
                given[name] = value
        missing = [n for n in self.names if n not in given and n not in self.defaults]
        if missing:
            raise TypeError(f"{kernel}() missing arguments: {', '.join(missing)}")
        values = {n: given[n] if n in given else self.defaults[n] for n in self.names}
        return Bound(values, options)


_POINTERS: dict[Any, Any] = {}


def _type_of(name: str) -> Any:
    """Triton type of a mangled name; the same object each time, so that `is` compares types."""
    if name not in _POINTERS:
        _POINTERS[name] = tl.str_to_ty(name, None)
    return _POINTERS[name]


def convert_argument(launch: Launch, name: str, value: Any) -> Any:
    """What the kernel gets for an argument that is no constexpr."""
    if isinstance(value, bool | int | float):
        return _convert_number(value)
    if isinstance(value, TensorDescriptor):
        return _convert_descriptor(launch, name, value)
    if hasattr(value, "data_ptr"):
        return _convert_tensor(launch, name, value)
    if isinstance(value, tuple):
        items = [convert_argument(launch, f"{name}[{i}]", item) for i, item in enumerate(value)]
        return type(value)(*items) if hasattr(value, "_fields") else tl.tuple(items)
    return value


def _convert_number(value: float) -> Any:
    """A number is a 32-bit scalar where it fits; a float always is, as on a device."""
    kind = _type_of(mangle_type(value))
    return tl.tensor(scalar(value, numpy_dtype(kind), kind), kind)


def _convert_tensor(launch: Launch, name: str, value: Any) -> Any:
    tensor = value.base if isinstance(value, TensorWrapper) else value
    if tensor.device.type != "cpu":
        raise ValueError(f"argument {name} lies on {tensor.device}, out of reach of an interpreter")
    kind = _type_of(mangle_type(value))
    region = launch.storages.add(name, tensor)
    address = np.array([tensor.data_ptr()], dtype=POINTER)
    return tl.tensor(Handle(address, kind, origin=region), kind)


def _convert_descriptor(launch: Launch, name: str, value: TensorDescriptor) -> Any:
    strides = [_convert_number(int(s)) for s in value.strides[:-1]]
    return stock.interpreter_semantic.make_tensor_descriptor(
        base=_convert_tensor(launch, name, value.base),
        shape=[_convert_number(int(n)) for n in value.shape],
        strides=[*strides, tl.constexpr(1)],
        block_shape=[tl.constexpr(int(n)) for n in value.block_shape],
        padding_option=value.padding,
    )
