"""Reductions and scans: whole slices at a time instead of element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import triton.language as tl

from .dtypes import HALVES, Array, numpy_dtype
from .errors import AmbiguousTruth, NotInterpretable
from .handles import Handle

__all__ = ["Reductions", "as_array", "as_tensor", "plain"]


def as_tensor(data: Array, dtype: Any) -> Any:
    """Tensor of the language over an array; one without shape is a scalar."""
    block = tl.block_type(dtype, list(data.shape)) if data.shape else dtype
    return tl.core.tensor(Handle(data if data.shape else data.reshape(1), dtype), block)


def _adapt_reducer(reducer: Callable[..., Array]) -> Callable[[Array, int], Array]:
    return lambda data, axis: reducer(data, axis=axis)


def _sum(data: Array, axis: int) -> Array:
    """Sum in the type of the elements, in halves: short floats round at every step."""
    if data.dtype not in HALVES:
        total: Array = np.sum(data, axis=axis, dtype=data.dtype)
        return total
    data = np.moveaxis(data, axis, 0)
    while len(data) > 1:
        middle = len(data) // 2
        data = data[:middle] + data[middle:]
    last: Array = data[0]
    return last


def _reducers() -> dict[Any, Callable[[Array, int], Array]]:
    standard = tl.standard
    return {
        standard._sum_combine: _sum,
        standard._elementwise_max: _adapt_reducer(np.fmax.reduce),
        standard._elementwise_min: _adapt_reducer(np.fmin.reduce),
        standard._xor_combine: _adapt_reducer(np.bitwise_xor.reduce),
        standard._or_combine: _adapt_reducer(np.bitwise_or.reduce),
    }


def _selectors() -> dict[Any, Callable[..., Array]]:
    """Combiners that find a position; numpy also takes the leftmost of equals."""
    standard = tl.standard
    return {
        standard._argmax_combine_tie_break_left: np.argmax,
        standard._argmax_combine_tie_break_fast: np.argmax,
        standard._argmin_combine_tie_break_left: np.argmin,
        standard._argmin_combine_tie_break_fast: np.argmin,
    }


class Reductions:
    """Replaces `tl.reduce` and `tl.associative_scan`."""

    def __init__(self) -> None:
        self._reducers = _reducers()
        self._selectors = _selectors()
        self._accumulators: dict[Any, Callable[..., Array]] = {
            tl.standard._sum_combine: np.add.accumulate,
            tl.standard._prod_combine: np.multiply.accumulate,
        }

    def reduce(
        self, input: Any, axis: Any, combine_fn: Any, keep_dims: Any = False, **_more: Any
    ) -> Any:
        """Reduce along one axis, or all of them where the axis is None."""
        tensors = input if isinstance(input, tuple | tl.tuple) else (input,)
        axis, keep_dims = plain(axis), plain(keep_dims)
        shape = tensors[0].handle.data.shape
        arrays = [t.handle.data.reshape(-1) if axis is None else t.handle.data for t in tensors]
        at = 0 if axis is None else axis % len(shape)
        results = self._reduce(arrays, [t.dtype for t in tensors], at, combine_fn)
        if keep_dims:
            kept = (1,) * len(shape) if axis is None else (*shape[:at], 1, *shape[at + 1 :])
            results = [result.reshape(kept) for result in results]
        wrapped = tuple(
            as_tensor(result.astype(numpy_dtype(t.dtype), copy=False), t.dtype)
            for result, t in zip(results, tensors, strict=True)
        )
        return wrapped if isinstance(input, tuple | tl.tuple) else wrapped[0]

    def _reduce(
        self, arrays: Sequence[Array], dtypes: Sequence[Any], axis: int, combine: Any
    ) -> list[Array]:
        reducer = self._reducers.get(combine)
        if reducer is not None and len(arrays) == 1:
            return [np.asarray(reducer(arrays[0], axis))]
        selector = self._selectors.get(combine)
        if selector is not None and not _has_nan(arrays[0]):
            place = np.expand_dims(selector(arrays[0], axis=axis), axis)
            return [np.take_along_axis(a, place, axis).squeeze(axis) for a in arrays]
        parts = [np.moveaxis(a, axis, 0) for a in arrays]
        while len(parts[0]) > 1:
            # Neighbours, not halves: a combiner is associative, but it need not commute.
            parts = _combine(combine, [p[0::2] for p in parts], [p[1::2] for p in parts], dtypes)
        return [p[0] for p in parts]

    def scan(
        self, input: Any, axis: Any, combine_fn: Any, reverse: Any = False, **_more: Any
    ) -> Any:
        """Running reduction along one axis."""
        tensors = input if isinstance(input, tuple | tl.tuple) else (input,)
        axis, reverse = plain(axis), plain(reverse)
        parts = [np.moveaxis(t.handle.data, axis, 0) for t in tensors]
        if reverse:
            parts = [p[::-1] for p in parts]
        parts = self._scan(parts, [t.dtype for t in tensors], combine_fn)
        if reverse:
            parts = [p[::-1] for p in parts]
        wrapped = tuple(
            as_tensor(np.moveaxis(p, 0, axis), t.dtype) for p, t in zip(parts, tensors, strict=True)
        )
        return wrapped if isinstance(input, tuple | tl.tuple) else wrapped[0]

    def _scan(self, parts: list[Array], dtypes: Sequence[Any], combine: Any) -> list[Array]:
        accumulate = self._accumulators.get(combine)
        if accumulate is not None and len(parts) == 1:
            return [accumulate(parts[0], axis=0, dtype=parts[0].dtype)]
        step = 1
        while step < len(parts[0]):
            # Rolled, not cut: a block keeps a length that is a power of two.
            earlier = [np.roll(p, step, axis=0) for p in parts]
            joined = _combine(combine, earlier, parts, dtypes)
            pairs = zip(parts, joined, strict=True)
            parts = [np.concatenate([p[:step], j[step:]]) for p, j in pairs]
            step *= 2
        return parts


def _has_nan(values: Array) -> bool:
    return values.dtype.kind == "f" and bool(np.isnan(values).any())


def plain(value: Any) -> Any:
    """Value of a constexpr, or the value itself."""
    return value.value if isinstance(value, tl.constexpr) else value


def _combine(
    combine: Any, left: Sequence[Array], right: Sequence[Array], dtypes: Sequence[Any]
) -> list[Array]:
    """Apply a combiner to whole slices, or lane by lane if it branches on its arguments."""
    try:
        return _apply(combine, left, right, dtypes)
    except AmbiguousTruth:
        pass
    results = [np.empty_like(a) for a in left]
    for lane in np.ndindex(*left[0].shape):
        one, other = ([np.asarray(a[lane]) for a in side] for side in (left, right))
        for result, value in zip(results, _apply(combine, one, other, dtypes), strict=True):
            result[lane] = value.reshape(-1)[0]
    return results


def _apply(
    combine: Any, left: Sequence[Array], right: Sequence[Array], dtypes: Sequence[Any]
) -> list[Array]:
    arguments = [
        as_tensor(a, t) for side in (left, right) for a, t in zip(side, dtypes, strict=True)
    ]
    answer = combine(*arguments)
    answers = answer if isinstance(answer, tuple | tl.tuple) else (answer,)
    if len(answers) != len(dtypes):
        raise NotInterpretable(f"a combiner that returns {len(answers)} of {len(dtypes)} values")
    shape = left[0].shape
    return [
        np.broadcast_to(as_array(value), shape or (1,)).astype(numpy_dtype(t), copy=False)
        for value, t in zip(answers, dtypes, strict=True)
    ]


def as_array(value: Any) -> Array:
    """Array behind a tensor, a constexpr or a number."""
    return value.handle.data if isinstance(value, tl.core.tensor) else np.asarray(plain(value))
