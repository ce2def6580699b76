"""Arguments of a recorded launch, made again so that Triton specialises them as before."""

from collections import namedtuple
from collections.abc import Iterable
from typing import Any

import torch
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

_DTYPES: dict[str, torch.dtype] = {
    "i1": torch.bool, "u1": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32,
    "i64": torch.int64, "u8": torch.uint8, "u16": torch.uint16, "u32": torch.uint32,
    "u64": torch.uint64, "fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32,
    "fp64": torch.float64, "fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2,
    "fp8e4b8": torch.float8_e4m3fnuz, "fp8e5b16": torch.float8_e5m2fnuz,
}  # fmt: skip


class UnusableLaunch(ValueError):
    """A recorded launch from which no arguments can be made."""


def value_of(argument: dict[str, Any], functions: Iterable[Any]) -> Any:
    """One argument; `functions` are those that may be passed by name."""
    kind = argument["kind"]
    if kind == "pointer":
        return _pointer(argument["dtype"], aligned=argument["aligned"])
    if kind == "descriptor":
        return _descriptor(argument)
    if kind == "tuple":
        name, fields = argument["name"], argument.get("fields")
        items = [value_of({"name": name, **item}, functions) for item in argument["items"]]
        return namedtuple("Arguments", fields)(*items) if fields else tuple(items)
    if kind == "none":
        return None
    if kind == "float":
        value = argument["value"]
        return float.fromhex(value) if isinstance(value, str) else float(value)
    if kind == "constexpr":
        return _constant(argument, functions)
    if kind in ("int", "bool"):
        return argument["value"]
    raise UnusableLaunch(f"argument {argument['name']} is a {kind}")


def _torch_dtype(name: str) -> torch.dtype:
    if name not in _DTYPES:
        raise UnusableLaunch(f"no tensor has the dtype {name}")
    return _DTYPES[name]


def _pointer(dtype: str, *, aligned: bool) -> torch.Tensor:
    """A real tensor, because only that is specialised as the wrapper's own would be."""
    tensor = torch.empty(64, dtype=_torch_dtype(dtype), device="cpu")
    return tensor if aligned else tensor[1:]


def _descriptor(argument: dict[str, Any]) -> TensorDescriptor:
    return TensorDescriptor(
        base=_pointer(argument["dtype"], aligned=True),
        shape=list(argument["shape"]),
        strides=list(argument["strides"]),
        block_shape=list(argument["block_shape"]),
        padding=argument.get("padding", "zero"),
    )


def _constant(argument: dict[str, Any], functions: Iterable[Any]) -> Any:
    """A constant from JSON: itself, or what its recorded name or `repr` stands for."""
    value = argument["value"]
    if isinstance(value, list):
        return tuple(_constant({**argument, "value": item}, functions) for item in value)
    if isinstance(value, dict):
        return _function(str(value.get("function")), functions)
    if not isinstance(value, str):
        return value
    if value in ("inf", "-inf", "nan"):
        return float(value)
    dtype = value.removeprefix("triton.language.")
    if dtype != value and isinstance(getattr(tl, dtype, None), tl.dtype):
        return getattr(tl, dtype)
    if value.startswith("torch."):
        return getattr(torch, value.removeprefix("torch."), value)
    if value.startswith("<") and value.endswith(">"):
        raise UnusableLaunch(f"a constant was {value}")
    return value


def _function(name: str, functions: Iterable[Any]) -> Any:
    for one in functions:
        if one.__name__ == name:
            return one
    raise UnusableLaunch(f"no function of the file is called {name}")
