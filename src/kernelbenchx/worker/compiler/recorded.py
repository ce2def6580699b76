"""Compiles launches that the interpreter recorded, without running the wrapper again."""

import re
from collections.abc import Iterator
from typing import Any

import torch
import triton.language as tl
from triton.runtime.jit import JITFunction
from triton.tools.tensor_descriptor import TensorDescriptor

from .records import Compilation

_DTYPES: dict[str, torch.dtype] = {
    "i1": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32,
    "i64": torch.int64, "u8": torch.uint8, "u16": torch.uint16, "u32": torch.uint32,
    "u64": torch.uint64, "fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32,
    "fp64": torch.float64, "fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2,
    "fp8e4b8": torch.float8_e4m3fnuz, "fp8e5b16": torch.float8_e5m2fnuz,
}  # fmt: skip


class UnusableLaunch(ValueError):  # noqa: N818 - reads as what it is
    """A recorded launch from which no arguments can be made."""


def compile_recorded(
    namespace: dict[str, Any], launches: list[dict[str, Any]], compilation: Compilation
) -> list[str]:
    """Compile each recorded launch for the active driver; errors are records, never raised.

    Names of kernels that could not be tried come back, each with the reason: those that the
    namespace does not hold, and those whose arguments cannot be made again.
    """
    not_tried = []
    for launch in launches:
        try:
            fn = _find(namespace, launch["kernel"])
            arguments = {
                argument["name"]: _value(argument, namespace) for argument in launch["args"]
            }
        except UnusableLaunch as reason:
            not_tried.append(f"{launch['kernel']}: {reason}")
            continue
        _compile(fn, arguments, launch, compilation)
    return not_tried


def _compile(
    fn: Any, arguments: dict[str, Any], launch: dict[str, Any], compilation: Compilation
) -> None:
    options = {
        name: launch[name]
        for name in ("num_warps", "num_stages", "num_ctas", "maxnreg")
        if launch.get(name) is not None
    }
    try:
        kernel = fn.warmup(**arguments, **options, grid=tuple(launch["grid"]))
        kernel._init_handles()
    except Exception:  # noqa: BLE001 - the compiler raises anything; the hooks have recorded it
        return
    x, y, z = (*launch["grid"], 1, 1)[:3]
    compilation.launch(fn.__name__, kernel.hash, (x, y, z))


def _find(namespace: dict[str, Any], name: str) -> Any:
    for value in _reachable(namespace):
        inner = value
        # Autotune and heuristics hold the function in `fn`; the launch has what they decided.
        while not isinstance(inner, JITFunction) and hasattr(inner, "fn"):
            inner = inner.fn
        if isinstance(inner, JITFunction) and inner.__name__ == name:
            return inner
    raise UnusableLaunch("no kernel of this name at module level")


def _reachable(namespace: dict[str, Any]) -> Iterator[Any]:
    """The values of a module, then those in its classes and containers."""
    values = list(namespace.values())
    yield from values
    for value in values:
        if isinstance(value, type):
            yield from vars(value).values()
        elif isinstance(value, dict) and value is not namespace:
            yield from value.values()
        elif isinstance(value, list | tuple):
            yield from value


def _value(argument: dict[str, Any], namespace: dict[str, Any]) -> Any:
    kind = argument["kind"]
    if kind == "pointer":
        return _pointer(argument["dtype"], aligned=argument["aligned"])
    if kind == "descriptor":
        return _descriptor(argument)
    if kind == "tuple":
        return tuple(_value(item, namespace) for item in argument["items"])
    if kind == "none":
        return None
    if kind == "float":
        value = argument["value"]
        return float.fromhex(value) if isinstance(value, str) else float(value)
    if kind == "constexpr":
        return _constant(argument["value"], namespace)
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


def _constant(value: Any, namespace: dict[str, Any]) -> Any:
    """A constant from JSON: itself, or what its recorded `repr` names."""
    if isinstance(value, list):
        return tuple(_constant(item, namespace) for item in value)
    if not isinstance(value, str):
        return value
    dtype = value.removeprefix("triton.language.")
    if dtype != value and isinstance(getattr(tl, dtype, None), tl.dtype):
        return getattr(tl, dtype)
    # A jitted function, handed over to be called: JITFunction(module:name) and its like.
    named = re.fullmatch(r"(?:JIT|Interpreted)Function\([\w.]*:(?:.*\.)?(\w+)\)", value)
    if named:
        return _find(namespace, named[1])
    if re.fullmatch(r"<.* at 0x[0-9a-f]+>", value):
        raise UnusableLaunch(f"a constant was {value}")
    return value
