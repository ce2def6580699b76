"""Arguments and results as tagged JSON beside raw storages. No pickle, no code."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

DTYPES: dict[str, torch.dtype] = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64, torch.float32, torch.float16, torch.bfloat16,
        torch.float8_e4m3fn, torch.float8_e5m2,
        torch.complex64, torch.complex128,
        torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
    )
}  # fmt: skip
MAX_DEPTH = 16
MAX_DIMENSIONS = 32


class BadValue(ValueError):
    """A tagged value that does not describe anything."""


def dtype_name(dtype: torch.dtype) -> str:
    """`float32` for `torch.float32`."""
    return str(dtype).removeprefix("torch.")


@dataclass
class PackedStorages:
    """Raw storages, each 64-byte aligned in one payload, shared by tensors that share memory."""

    spans: list[tuple[int, int]] = field(default_factory=list)
    _pieces: list[bytes] = field(default_factory=list)
    _known: dict[int, int] = field(default_factory=dict)
    _kept: list[torch.Tensor] = field(default_factory=list)
    _size: int = 0

    def add(self, tensor: torch.Tensor) -> int:
        """Index of the tensor's storage; the same memory is written once."""
        storage = tensor.untyped_storage()
        key = storage.data_ptr()
        if storage.nbytes() and key in self._known:
            return self._known[key]
        index = self.append(storage_bytes(tensor))
        if storage.nbytes():
            self._known[key] = index
            self._kept.append(tensor)  # else the address may be given to another tensor
        return index

    def append(self, data: bytes) -> int:
        """Index of a new storage with these bytes."""
        gap = -self._size % 64
        self._pieces.append(bytes(gap))
        self._size += gap
        self.spans.append((self._size, len(data)))
        self._pieces.append(data)
        self._size += len(data)
        return len(self.spans) - 1

    def payload(self) -> bytes:
        """All storages one after another."""
        return b"".join(self._pieces)


def storage_bytes(tensor: torch.Tensor) -> bytes:
    """The whole storage behind a tensor, whatever part of it the tensor shows."""
    whole = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(tensor.untyped_storage())
    return whole.cpu().numpy().tobytes()


def encode(value: Any, tensor: Callable[[torch.Tensor], dict[str, Any]]) -> dict[str, Any]:
    """Tagged JSON; `tensor` says how a tensor is written."""
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if isinstance(value, torch.Size):
        return {"t": "shape", "v": list(value)}
    if isinstance(value, tuple | list):
        tag = "tuple" if isinstance(value, tuple) else "list"
        return {"t": tag, "v": [encode(item, tensor) for item in value]}
    if isinstance(value, dict):
        return {"t": "dict", "v": {str(key): encode(item, tensor) for key, item in value.items()}}
    if isinstance(value, torch.dtype):
        return {"t": "dtype", "v": dtype_name(value)}
    if isinstance(value, torch.device):
        return {"t": "device"}
    if isinstance(value, torch.layout):
        return {"t": "layout", "v": str(value).removeprefix("torch.")}
    return _encode_plain(value)


def _encode_plain(value: Any) -> dict[str, Any]:
    if value is None:
        return {"t": "none"}
    if isinstance(value, bool):
        return {"t": "bool", "v": bool(value)}
    if isinstance(value, int):
        return {"t": "int", "v": int(value)}
    if isinstance(value, float):
        return {"t": "float", "v": _spell(float(value))}
    if isinstance(value, complex):
        return {"t": "complex", "v": [_spell(value.real), _spell(value.imag)]}
    if isinstance(value, str):
        return {"t": "str", "v": str(value)}
    return {"t": "other", "v": type(value).__name__[:80]}


def _spell(number: float) -> str:
    return number.hex() if math.isfinite(number) else repr(number)


def _number(text: Any) -> float:
    if not isinstance(text, str):
        raise BadValue("a float is not spelled as a string")
    try:
        return float.fromhex(text)
    except (ValueError, OverflowError) as error:
        raise BadValue(f"not a float: {text[:40]}") from error


@dataclass(frozen=True)
class Decoder:
    """Decodes tagged JSON to Python; what a tag means for tensors and stand-ins is given."""

    tensor: Callable[[dict[str, Any]], Any]
    stand_in: Callable[[str, Any], Any]
    """Decodes a `device` or `generator`: they differ between the two sides of the boundary."""

    def decode(self, value: Any, depth: int = 0) -> Any:
        """Raises `BadValue` on anything that `encode` does not write."""
        if not isinstance(value, dict) or depth > MAX_DEPTH:
            raise BadValue("not a tagged value")
        tag, body = value.get("t"), value.get("v")
        if tag == "tensor":
            return self.tensor(value)
        if tag in ("list", "tuple") and isinstance(body, list):
            items = [self.decode(item, depth + 1) for item in body]
            return tuple(items) if tag == "tuple" else items
        if tag == "dict" and isinstance(body, dict):
            return {str(name): self.decode(item, depth + 1) for name, item in body.items()}
        if tag in ("device", "generator", "other"):
            return self.stand_in(str(tag), body)
        return _decode_plain(tag, body)


def _decode_plain(tag: Any, body: Any) -> Any:
    if tag == "none":
        return None
    if tag == "float":
        return _number(body)
    if tag == "complex" and isinstance(body, list) and len(body) == 2:
        return complex(_number(body[0]), _number(body[1]))
    if tag == "dtype" and body in DTYPES:
        return DTYPES[body]
    if tag == "layout" and body == "strided":
        return torch.strided
    if tag == "shape" and isinstance(body, list) and all(type(n) is int for n in body):
        return torch.Size(body)
    plain = {"int": int, "bool": bool, "str": str}.get(str(tag))
    if plain is None or type(body) is not plain:
        raise BadValue(f"unknown or ill-formed value tagged {str(tag)[:40]!r}")
    return body


@dataclass(frozen=True)
class Geometry:
    """How a tensor lies in its storage."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    @classmethod
    def of(cls, described: dict[str, Any]) -> "Geometry":
        """Checked: integers only, known dtype, matching ranks, nothing negative."""
        dtype = DTYPES.get(str(described.get("dtype")))
        shape, strides = described.get("shape"), described.get("strides")
        offset = described.get("offset", 0)
        if dtype is None or not isinstance(shape, list) or type(offset) is not int:
            raise BadValue("a tensor without dtype or shape")
        if strides is None:
            strides = _contiguous(shape)
        numbers = [*shape, *strides, offset]
        if any(type(n) is not int or n < 0 or n > 1 << 48 for n in numbers):
            raise BadValue("a tensor with impossible numbers")
        if len(shape) != len(strides) or len(shape) > MAX_DIMENSIONS:
            raise BadValue("a tensor whose strides do not fit its shape")
        return cls(dtype, tuple(shape), tuple(strides), offset)

    def last_byte(self) -> int:
        """How many bytes of storage it needs."""
        if 0 in self.shape:
            return 0
        reach = sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True))
        return (self.offset + reach + 1) * self.dtype.itemsize

    def over(self, storage: torch.Tensor) -> torch.Tensor:
        """The tensor over a storage given as bytes; raises when it does not fit."""
        if self.last_byte() > storage.numel():
            raise BadValue("a tensor reaches beyond its storage")
        empty = torch.empty(0, dtype=self.dtype, device=storage.device)
        start = self.offset + int(storage.storage_offset()) // self.dtype.itemsize
        return empty.set_(storage.untyped_storage(), start, self.shape, self.strides)


def _contiguous(shape: list[int]) -> list[int]:
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1) if type(size) is int else 1
    return strides[::-1]


def owned_bytes(data: memoryview | bytes) -> torch.Tensor:
    """A fresh, aligned byte tensor with these bytes."""
    fresh = torch.empty(len(data), dtype=torch.uint8)
    if len(data):
        fresh.numpy()[:] = memoryview(data)
    return fresh
