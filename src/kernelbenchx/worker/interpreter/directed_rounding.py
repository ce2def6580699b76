"""Arithmetic rounded up, down or toward zero, exactly: `fadd_rz`, `int2float_ru` and their kin.

The nearest value is computed first. The sign of its error then shows where the exact result lies,
and the value moves to its neighbour where the mode asks for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from .dtypes import Array

__all__ = ["directed_functions"]

Function = Callable[..., Array]

MODES = ("rz", "ru", "rd")


def directed_functions() -> dict[str, Function]:
    """Symbols of libdevice that name a rounding mode, without `__nv_`."""
    table: dict[str, Function] = {}
    for mode in MODES:
        for name, operation in _OPERATIONS.items():
            function = _arithmetic(operation, mode)
            table.update({f"f{name}_{mode}": function, f"d{name}_{mode}": function})
        table.update({f"fmaf_{mode}": _arithmetic(_fma, mode)})
        table.update({f"fma_{mode}": _arithmetic(_fma, mode)})
        for source in ("int", "uint", "ll", "ull"):
            table[f"{source}2float_{mode}"] = _conversion(np.dtype(np.float32), mode)
            table[f"{source}2double_{mode}"] = _conversion(np.dtype(np.float64), mode)
        table[f"double2float_{mode}"] = _conversion(np.dtype(np.float32), mode)
    return table


_Missed = tuple[Array, Array]
"""The nearest value, and the sign of the exact result less that value."""


def _arithmetic(operation: Callable[..., _Missed], mode: str) -> Function:
    def compute(*arguments: Array) -> Array:
        same = np.result_type(*arguments)
        return _step_to_neighbour(
            *operation(*(one.astype(same, copy=False) for one in arguments)), mode
        )

    return compute


def _conversion(target: np.dtype[Any], mode: str) -> Function:
    def compute(values: Array) -> Array:
        nearest = values.astype(target)
        exact = [_fraction(one) for one in values.reshape(-1)]
        return _step_to_neighbour(nearest, _signs(exact, nearest), mode)

    return compute


def _step_to_neighbour(nearest: Array, missed: Array, mode: str) -> Array:
    """The neighbour in the direction of the mode, where the nearest value lies beyond the exact."""
    infinity = nearest.dtype.type(np.inf)
    negative = np.signbit(nearest)
    up = missed > 0
    down = missed < 0
    if mode == "rz":
        up, down = up & negative, down & ~negative
    elif mode == "ru":
        down = np.zeros_like(down)
    else:
        up = np.zeros_like(up)
    moved: Array = np.where(up, np.nextafter(nearest, infinity), nearest)
    return np.where(down, np.nextafter(nearest, -infinity), moved)


def _add(x: Array, y: Array) -> _Missed:
    """The error of a sum is a float of its own (Knuth)."""
    total = x + y
    part = total - x
    error = (x - (total - part)) + (y - part)
    overflowed = np.isinf(total) & np.isfinite(x) & np.isfinite(y)
    return total, np.where(overflowed, -np.sign(total), np.sign(np.nan_to_num(error)))


def _subtract(x: Array, y: Array) -> _Missed:
    return _add(x, -y)


def _multiply(x: Array, y: Array) -> _Missed:
    if x.dtype == np.float32:
        exact = x.astype(np.float64) * y.astype(np.float64)
        return _against(exact, exact.astype(np.float32))
    return _by_fractions(lambda a, b: a * b, x * y, x, y)


def _divide(x: Array, y: Array) -> _Missed:
    nearest: Array = x / y
    if x.dtype != np.float32:
        return _by_fractions(_quotient, nearest, x, y)
    # float64 holds the product of two float32, and a difference always has the right sign.
    rest = x.astype(np.float64) - nearest.astype(np.float64) * y.astype(np.float64)
    finite = np.isfinite(x) & np.isfinite(y) & (y != 0)
    return nearest, _sign_of(rest, nearest, finite) * _unit(y, nearest, finite)


def _reciprocal(x: Array) -> _Missed:
    return _divide(np.ones_like(x), x)


def _square_root(x: Array) -> _Missed:
    nearest: Array = np.sqrt(x)
    if x.dtype == np.float32:
        rest = x.astype(np.float64) - nearest.astype(np.float64) ** 2
        return nearest, _sign_of(rest, nearest, np.isfinite(x))
    roots = [_fraction(one) for one in nearest.reshape(-1)]
    squares = [None if root is None else root**2 for root in roots]
    return nearest, _compare_exactly([_fraction(one) for one in x.reshape(-1)], squares, nearest)


def _fma(x: Array, y: Array, z: Array) -> _Missed:
    product, addend = x.astype(np.float64) * y.astype(np.float64), z.astype(np.float64)
    total, missed = _add(product, addend)
    if x.dtype != np.float32:
        return _exact_fma(x, y, z, total)
    nearest = total.astype(np.float32)
    finite = np.isfinite(product) & np.isfinite(addend)
    rest = total - nearest.astype(np.float64)
    return nearest, np.where(rest == 0, missed, _sign_of(rest, nearest, finite))


def _exact_fma(x: Array, y: Array, z: Array, guess: Array) -> _Missed:
    """Fused multiply-add of doubles: the nearest value itself comes from the exact result."""
    triples = zip(x.reshape(-1), y.reshape(-1), z.reshape(-1), guess.reshape(-1), strict=True)
    nearest = np.array([_fma_of(*one) for one in triples], dtype=x.dtype).reshape(x.shape)
    return _by_fractions(lambda a, b, c: a * b + c, nearest, x, y, z)


def _fma_of(x: Any, y: Any, z: Any, guess: Any) -> float:
    parts = [_fraction(one) for one in (x, y, z)]
    a, b, c = parts
    if a is None or b is None or c is None:
        return float(guess)
    exact = a * b + c
    try:
        return float(exact) if exact else float(guess)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _quotient(x: Fraction, y: Fraction) -> Fraction | None:
    return x / y if y else None


def _sign_of(rest: Array, nearest: Array, finite: Array) -> Array:
    """Sign of the exact result less the nearest value; an infinity lies beyond what is finite."""
    overflowed = np.isinf(nearest) & finite
    signs = np.where(finite & np.isfinite(rest), np.sign(rest), 0)
    return np.where(overflowed, -np.sign(nearest), signs)


def _unit(y: Array, nearest: Array, finite: Array) -> Array:
    """Sign of a divisor; 1 where the quotient overflowed, whose sign is known."""
    return np.where(np.isinf(nearest) & finite, 1, np.sign(y))


def _against(exact: Array, nearest: Array) -> _Missed:
    """The error of a nearest value where float64 holds the exact result."""
    return nearest, _sign_of(exact - nearest.astype(np.float64), nearest, np.isfinite(exact))


def _by_fractions(
    operation: Callable[..., Fraction | None], nearest: Array, *arguments: Array
) -> _Missed:
    flat = zip(*(one.reshape(-1) for one in np.broadcast_arrays(*arguments)), strict=True)
    exact = []
    for one in flat:
        parts = [_fraction(value) for value in one]
        exact.append(None if None in parts else operation(*parts))
    return nearest, _signs(exact, nearest)


def _signs(exact: Sequence[Fraction | None], nearest: Array) -> Array:
    return _compare_exactly(exact, [_fraction(one) for one in nearest.reshape(-1)], nearest)


def _compare_exactly(
    exact: Sequence[Fraction | None], rounded: Sequence[Fraction | None], nearest: Array
) -> Array:
    signs = []
    for left, right, value in zip(exact, rounded, nearest.reshape(-1), strict=True):
        if left is None or np.isnan(value):
            signs.append(0)
        elif right is None:  # rounded up to infinity
            signs.append(-1 if value > 0 else 1)
        else:
            signs.append((left > right) - (left < right))
    return np.array(signs).reshape(nearest.shape)


def _fraction(value: Any) -> Fraction | None:
    """Exact value of a number; None for infinities and NaN."""
    number = value.item()
    if isinstance(number, float) and not math.isfinite(number):
        return None
    return Fraction(number)


_OPERATIONS: dict[str, Callable[..., _Missed]] = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "div": _divide,
    "rcp": _reciprocal,
    "sqrt": _square_root,
}
