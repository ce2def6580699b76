"""`tl.map_elementwise`: a function over scalars, applied to blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import triton.language as tl

from .dtypes import Array, numpy_dtype
from .errors import AmbiguousTruth
from .reductions import as_array, as_tensor, plain

__all__ = ["map_elementwise"]


def map_elementwise(scalar_fn: Any, *args: Any, pack: Any = 1, **_: Any) -> Any:
    """Apply a function to `pack` elements at a time: all at once, or one by one if it branches."""
    count = plain(pack)
    types = [one.dtype for one in args]
    shape = np.broadcast_shapes(*(one.handle.data.shape for one in args))
    flat = [np.broadcast_to(one.handle.data, shape).reshape(-1) for one in args]
    # Parameters: `pack` elements of the first tensor, then of the second, and so on.
    lanes = [one[offset::count] for one in flat for offset in range(count)]
    kinds = [kind for kind in types for _ in range(count)]
    single, found = _apply(scalar_fn, lanes, kinds)
    packed = [found[at : at + count] for at in range(0, len(found), count)]
    results = tuple(as_tensor(_interleave(group, shape), group[0][1]) for group in packed)
    return results[0] if single else results


_Typed = tuple[Array, Any]


def _apply(
    function: Callable[..., Any], lanes: Sequence[Array], kinds: Sequence[Any]
) -> tuple[bool, list[_Typed]]:
    """Apply the function; values with their types, and whether it returns one value."""
    try:
        return _call(function, lanes, kinds)
    except AmbiguousTruth:
        pass
    calls = [
        _call(function, [np.asarray(one[lane]) for one in lanes], kinds)
        for lane in range(len(lanes[0]))
    ]
    single, first = calls[0]
    joined = [np.concatenate([found[n][0] for _, found in calls]) for n in range(len(first))]
    return single, [(data, kind) for data, (_, kind) in zip(joined, first, strict=True)]


def _call(
    function: Callable[..., Any], lanes: Sequence[Array], kinds: Sequence[Any]
) -> tuple[bool, list[_Typed]]:
    given = [as_tensor(one, kind) for one, kind in zip(lanes, kinds, strict=True)]
    answer = function(*given)
    single = not isinstance(answer, tuple | tl.tuple)
    answers = (answer,) if single else tuple(answer)
    size = lanes[0].shape or (1,)
    return single, [(np.broadcast_to(as_array(one), size), _kind(one)) for one in answers]


def _kind(value: Any) -> Any:
    if isinstance(value, tl.tensor):
        return value.dtype
    return tl.float32 if isinstance(plain(value), float) else tl.int32


def _interleave(group: Sequence[_Typed], shape: Sequence[int]) -> Array:
    data = np.stack([one for one, _ in group], axis=-1).reshape(shape)
    return data.astype(numpy_dtype(group[0][1]), copy=False)
