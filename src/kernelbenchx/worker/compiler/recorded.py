"""Compiles launches that the interpreter recorded, without running the wrapper again."""

import ast
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


class UnusableLaunch(ValueError):
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
                argument["name"]: _value(argument, fn, namespace) for argument in launch["args"]
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
    for function in _functions(namespace):
        if function.__name__ == name:
            return function
    raise UnusableLaunch("no kernel of this name at module level")


def _functions(namespace: dict[str, Any]) -> Iterator[Any]:
    for value in _reachable(namespace):
        inner = value
        # Autotune and heuristics hold the function in `fn`; the launch has what they decided.
        while not isinstance(inner, JITFunction) and hasattr(inner, "fn"):
            inner = inner.fn
        if isinstance(inner, JITFunction):
            yield inner


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


def _value(argument: dict[str, Any], fn: Any, namespace: dict[str, Any]) -> Any:
    kind = argument["kind"]
    if kind == "pointer":
        return _pointer(argument["dtype"], aligned=argument["aligned"])
    if kind == "descriptor":
        return _descriptor(argument)
    if kind == "tuple":
        return tuple(
            _value({"name": argument["name"], **item}, fn, namespace) for item in argument["items"]
        )
    if kind == "none":
        return None
    if kind == "float":
        value = argument["value"]
        return float.fromhex(value) if isinstance(value, str) else float(value)
    if kind == "constexpr":
        return _constant(argument, fn, namespace)
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


def _constant(argument: dict[str, Any], fn: Any, namespace: dict[str, Any]) -> Any:
    """A constant from JSON: itself, or what its recorded name or `repr` stands for."""
    value = argument["value"]
    if isinstance(value, list):
        return tuple(_constant({**argument, "value": item}, fn, namespace) for item in value)
    if not isinstance(value, str):
        return value
    if value in ("inf", "-inf", "nan"):
        return float(value)
    dtype = value.removeprefix("triton.language.")
    if dtype != value and isinstance(getattr(tl, dtype, None), tl.dtype):
        return getattr(tl, dtype)
    if value.startswith("<") and value.endswith(">"):
        raise UnusableLaunch(f"a constant was {value}")
    # A function that was handed over is recorded by its name, like a string that is one.
    known = any(function.__name__ == value for function in _functions(namespace))
    if known and not _compares(fn, argument["name"]):
        return _find(namespace, value)
    return value


def _compares(fn: Any, parameter: str) -> bool:
    """Whether a kernel asks which text its parameter is: then it is a text."""
    return any(
        isinstance(part, ast.Name) and part.id == parameter
        for node in ast.walk(fn.parse())
        if isinstance(node, ast.Compare)
        for part in (node.left, *node.comparators)
    )
