"""Arguments of a launch, from what the wrapper passes to what the kernel gets.

Triton specialises a kernel for some values: an integer of 1 becomes a constant, and so does None,
unless the parameter says otherwise. The kernel gets the same here.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import triton.language as tl
from triton._C.libtriton import native_specialize_impl
from triton.backends.compiler import BaseBackend
from triton.runtime import interpreter as stock
from triton.runtime.jit import KernelParam, TensorWrapper
from triton.tools.tensor_descriptor import TensorDescriptor

from .dtypes import POINTER, numpy_dtype
from .handles import Handle, scalar
from .launch import Launch

__all__ = ["BoundArguments", "Signature"]

_CONSTANT = "constexpr"
"""Triton's type of what is compiled into a kernel."""


class BoundArguments(NamedTuple):
    """Values by parameter, and the options that were meant for the compiler."""

    values: dict[str, Any]
    options: dict[str, Any]


class Signature:
    """Parameters of a kernel, read once."""

    def __init__(self, interpreted: Any) -> None:
        parameters = inspect.signature(interpreted.fn).parameters
        self.names = list(parameters)
        self.defaults = {
            name: p.default for name, p in parameters.items() if p.default is not p.empty
        }
        general = interpreted.kwargs.get("do_not_specialize") or ()
        unaligned = interpreted.kwargs.get("do_not_specialize_on_alignment") or ()
        self.parameters = {
            name: KernelParam(
                place,
                parameter,
                place in general or name in general,
                place in unaligned or name in unaligned,
            )
            for place, (name, parameter) in enumerate(parameters.items())
        }
        self.constexprs = frozenset(n for n, one in self.parameters.items() if one.is_constexpr)

    def bind(self, kernel: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> BoundArguments:
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
        return BoundArguments(values, options)

    def convert(self, launch: Launch, name: str, value: Any) -> Any:
        """What the kernel gets for an argument."""
        parameter = self.parameters[name]
        if parameter.is_constexpr:
            return value
        kind = kind_of(value, specialize=not parameter.do_not_specialize)
        return _convert(launch, name, value, parameter.annotation_type or kind)


def kind_of(value: Any, *, specialize: bool) -> Any:
    """Triton's name for the type of an argument; refuses what no kernel can be given."""
    if isinstance(value, stock.InterpretedFunction):
        return _CONSTANT
    try:
        return native_specialize_impl(BaseBackend, value, False, specialize, True)[0]
    except TypeError as error:
        raise TypeError(str(error)) from None


_POINTERS: dict[Any, Any] = {}


def _type_of(name: str) -> Any:
    """Triton type of a mangled name; the same object each time, so that `is` compares types."""
    if name not in _POINTERS:
        _POINTERS[name] = tl.str_to_ty(name, None)
    return _POINTERS[name]


def _convert(launch: Launch, name: str, value: Any, kind: Any) -> Any:
    if kind == _CONSTANT:
        return value
    if isinstance(value, tuple):
        items = [
            _convert(launch, f"{name}[{i}]", item, inner)
            for i, (item, inner) in enumerate(zip(value, kind, strict=True))
        ]
        return type(value)(*items) if hasattr(value, "_fields") else tl.tuple(items)
    if isinstance(value, TensorDescriptor):
        return _convert_descriptor(launch, name, value)
    if hasattr(value, "data_ptr"):
        return _convert_tensor(launch, name, value, kind)
    return _convert_number(value, kind)


def _convert_number(value: Any, name: str) -> Any:
    """A number is a 32-bit scalar where it fits; a float always is, as on a device."""
    kind = _type_of(name)
    there = numpy_dtype(kind)
    if there.kind in "iu":
        value = operator.index(value)
        bounds = np.iinfo(there)
        if not bounds.min <= value <= bounds.max:
            raise OverflowError(f"{value} does not fit into {name}")
    return tl.tensor(scalar(value, there, kind), kind)


def _convert_tensor(launch: Launch, name: str, value: Any, mangled: str) -> Any:
    tensor = value.base if isinstance(value, TensorWrapper) else value
    if tensor.device.type != "cpu":
        raise ValueError(f"argument {name} lies on {tensor.device}, out of reach of an interpreter")
    kind = _type_of(mangled)
    region = launch.storages.add(name, tensor)
    address = np.array([tensor.data_ptr()], dtype=POINTER)
    return tl.tensor(Handle(address, kind, origin=region), kind)


def _convert_descriptor(launch: Launch, name: str, value: TensorDescriptor) -> Any:
    def size(number: Any) -> Any:
        return _convert_number(number, kind_of(int(number), specialize=False))

    base = kind_of(value.base, specialize=False)
    return stock.interpreter_semantic.make_tensor_descriptor(
        base=_convert_tensor(launch, name, value.base, base),
        shape=[size(n) for n in value.shape],
        strides=[*(size(s) for s in value.strides[:-1]), tl.constexpr(1)],
        block_shape=[tl.constexpr(int(n)) for n in value.block_shape],
        padding_option=value.padding,
    )
