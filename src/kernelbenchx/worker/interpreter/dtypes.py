"""Triton's element types as numpy's, with the short floats that numpy itself lacks."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

POINTER = np.dtype(np.uint64)

NUMPY: dict[str, np.dtype[Any]] = {
    "int1": np.dtype(np.bool_),
    "int8": np.dtype(np.int8),
    "int16": np.dtype(np.int16),
    "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64),
    "uint8": np.dtype(np.uint8),
    "uint16": np.dtype(np.uint16),
    "uint32": np.dtype(np.uint32),
    "uint64": np.dtype(np.uint64),
    "fp16": np.dtype(np.float16),
    "fp32": np.dtype(np.float32),
    "fp64": np.dtype(np.float64),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "fp8e4nv": np.dtype(ml_dtypes.float8_e4m3fn),
    "fp8e5": np.dtype(ml_dtypes.float8_e5m2),
    "fp8e4b8": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "fp8e5b16": np.dtype(ml_dtypes.float8_e5m2fnuz),
    # No library has this one: its bits can be moved about, but not computed with.
    "fp8e4b15": np.dtype(np.uint8),
}

SHORT = frozenset(NUMPY[name] for name in ("bf16", "fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16"))
"""Floats of ml_dtypes: arithmetic rounds after each operation, as it should, but slowly."""

FP8 = frozenset(dtype for dtype in SHORT if dtype.itemsize == 1)

HALVES = frozenset({np.dtype(np.float16), NUMPY["bf16"]})

BITS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}
"""Unsigned integer of a given size in bytes, to look at values as bits."""

POISON_BYTE = 0x5A
"""Fills undefined integers: as an index it is far out of bounds, as data it is noticed."""


def numpy_dtype(triton_type: Any) -> np.dtype[Any]:
    """Element type that holds a Triton type; pointers are 64-bit addresses."""
    return NUMPY.get(triton_type.scalar.name, POINTER)


def _poison(dtype: np.dtype[Any]) -> Any:
    if dtype == np.bool_:
        return np.True_
    if dtype in SHORT or dtype.kind == "f":
        return np.array(float("nan")).astype(dtype)[()]
    return np.frombuffer(bytes([POISON_BYTE]) * dtype.itemsize, dtype=dtype)[0]


POISON: dict[np.dtype[Any], Any] = {dtype: _poison(dtype) for dtype in (*NUMPY.values(), POINTER)}
"""The content of an undefined lane: NaN, or an improbable pattern of bits."""
