"""Functions of libdevice by numpy and scipy, under the names of its symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.special as special

from .directed_rounding import directed_functions
from .dtypes import Array, numpy_dtype
from .fast_math import fast_functions
from .rounding import convert, in_double

__all__ = ["evaluate"]

Function = Callable[..., Array]


def _half_away(values: Array) -> Array:
    rounded: Array = np.copysign(np.floor(np.abs(values) + values.dtype.type(0.5)), values)
    return rounded


def _remainder(x: Array, y: Array) -> Array:
    rest: Array = x - y * np.rint(x / y)
    return rest


def _norm(*parts: Array) -> Array:
    total: Array = np.sqrt(sum(part * part for part in parts))
    return total


def _bit_count(values: Array) -> Array:
    counts: Array = np.bitwise_count(values.view(f"u{values.itemsize}"))
    return counts


def _leading_zeros(values: Array) -> Array:
    width = 8 * values.itemsize
    lengths = [int(v).bit_length() for v in values.view(f"u{values.itemsize}").reshape(-1)]
    return width - np.array(lengths).reshape(values.shape)


def _first_set(values: Array) -> Array:
    flat = [int(v) for v in values.reshape(-1)]
    return np.array([(v & -v).bit_length() for v in flat]).reshape(values.shape)


def _high_product(x: Array, y: Array) -> Array:
    width = 8 * x.itemsize
    upper: Array = ((x.astype(object) * y.astype(object)) >> width).astype(x.dtype)
    return upper


def _low_half(values: Array) -> Array:
    return values.view(np.uint64).astype(np.uint32).view(np.int32)


def _high_half(values: Array) -> Array:
    return (values.view(np.uint64) >> np.uint64(32)).astype(np.uint32).view(np.int32)


def _joined_halves(high: Array, low: Array) -> Array:
    upper = high.view(np.uint32).astype(np.uint64) << np.uint64(32)
    return (upper | low.view(np.uint32).astype(np.uint64)).view(np.float64)


def _absolute_difference(x: Array, y: Array, z: Array) -> Array:
    distance: Array = np.abs(x.astype(np.int64) - y.astype(np.int64)) + z.astype(np.int64)
    return distance.astype(np.uint32)


def _reversed_bits(values: Array) -> Array:
    unsigned = np.ascontiguousarray(values).view(f"u{values.itemsize}")
    octets = unsigned.byteswap().view(np.uint8)
    bits = np.unpackbits(octets.reshape(-1, 1), axis=1)[:, ::-1]
    return np.packbits(bits, axis=1).reshape(-1).view(values.dtype).reshape(values.shape)


def _average(round_up: int) -> Function:
    def compute(x: Array, y: Array) -> Array:
        return ((x.astype(np.int64) + y.astype(np.int64) + round_up) >> 1).astype(x.dtype)

    return compute


def _low_product(x: Array, y: Array) -> Array:
    """Product of the lower 24 bits, with their sign."""
    wide = np.int64 if x.dtype.kind == "i" else np.uint64
    short = [(one.astype(wide) << wide(40)) >> wide(40) for one in (x, y)]
    return (short[0] * short[1]).astype(x.dtype)


def _chosen_bytes(x: Array, y: Array, selector: Array) -> Array:
    both = (y.view(np.uint32).astype(np.uint64) << np.uint64(32)) | x.view(np.uint32)
    result = np.zeros(x.shape, dtype=np.uint32)
    for place in range(4):
        choice = (selector.view(np.uint32) >> np.uint32(4 * place)) & np.uint32(7)
        octet = (both >> (choice.astype(np.uint64) * np.uint64(8))) & np.uint64(0xFF)
        result |= octet.astype(np.uint32) << np.uint32(8 * place)
    return result.view(np.int32)


def _reinterpret(target: str) -> Function:
    return lambda values: values.view(target)


_ELEMENTARY: dict[str, Function] = {
    "abs": np.abs,
    "llabs": np.abs,
    "fabs": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "rint": np.rint,
    "nearbyint": np.rint,
    "llrint": np.rint,
    "round": _half_away,
    "llround": _half_away,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "frsqrt_rn": lambda x: 1 / np.sqrt(x),
    "cbrt": np.cbrt,
    "rcbrt": lambda x: 1 / np.cbrt(x),
    "exp": np.exp,
    "exp2": np.exp2,
    "exp10": lambda x: np.power(x.dtype.type(10), x),
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "logb": lambda x: (np.frexp(x)[1] - 1).astype(x.dtype),
    "ilogb": lambda x: np.frexp(x)[1] - 1,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinpi": lambda x: np.sin(np.pi * np.fmod(x, 2)),
    "cospi": lambda x: np.cos(np.pi * np.fmod(x, 2)),
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "saturate": lambda x: np.fmin(np.fmax(x, 0), 1),
    "atan2": np.arctan2,
    "pow": np.power,
    "powi": lambda x, n: np.power(x, n.astype(x.dtype)),
    "fmod": np.fmod,
    "remainder": _remainder,
    "hypot": np.hypot,
    "rhypot": lambda x, y: 1 / np.hypot(x, y),
    "norm3d": _norm,
    "norm4d": _norm,
    "rnorm3d": lambda *parts: 1 / _norm(*parts),
    "rnorm4d": lambda *parts: 1 / _norm(*parts),
    "copysign": np.copysign,
    "nextafter": np.nextafter,
    "fdim": lambda x, y: np.where(x > y, x - y, np.where(np.isnan(x - y), x - y, 0)),
    "ldexp": np.ldexp,
    "scalbn": np.ldexp,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "finite": np.isfinite,
    "isfinite": np.isfinite,
    "signbit": np.signbit,
}

_SPECIAL: dict[str, Function] = {
    "erf": special.erf,
    "erfc": special.erfc,
    "erfcx": special.erfcx,
    "erfinv": special.erfinv,
    "erfcinv": special.erfcinv,
    "normcdf": special.ndtr,
    "normcdfinv": special.ndtri,
    "lgamma": special.gammaln,
    "tgamma": special.gamma,
    "j0": special.j0,
    "j1": special.j1,
    "y0": special.y0,
    "y1": special.y1,
    "jn": lambda n, x: special.jn(n, x),
    "yn": lambda n, x: special.yn(n, x),
    "cyl_bessel_i0": special.i0,
    "cyl_bessel_i1": special.i1,
}

_INEXACT = (
    "cbrt", "rcbrt", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin",
    "cos", "tan", "sinpi", "cospi", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
    "acosh", "atanh", "atan2", "pow", "powi", "hypot", "rhypot",
)  # fmt: skip
_ELEMENTARY.update({name: in_double(_ELEMENTARY[name]) for name in _INEXACT})
_SPECIAL.update({name: in_double(_SPECIAL[name]) for name in set(_SPECIAL) - {"jn", "yn"}})

_INTEGER: dict[str, Function] = {
    "clz": _leading_zeros,
    "clzll": _leading_zeros,
    "popc": _bit_count,
    "popcll": _bit_count,
    "ffs": _first_set,
    "ffsll": _first_set,
    "mulhi": _high_product,
    "umulhi": _high_product,
    "mul64hi": _high_product,
    "umul64hi": _high_product,
    "brev": _reversed_bits,
    "brevll": _reversed_bits,
    "byte_perm": _chosen_bytes,
    "hadd": _average(0),
    "uhadd": _average(0),
    "rhadd": _average(1),
    "urhadd": _average(1),
    "mul24": _low_product,
    "umul24": _low_product,
    "sad": _absolute_difference,
    "usad": _absolute_difference,
    "double2loint": _low_half,
    "double2hiint": _high_half,
    "hiloint2double": _joined_halves,
    "int_as_float": _reinterpret("f4"),
    "uint_as_float": _reinterpret("f4"),
    "float_as_int": _reinterpret("i4"),
    "float_as_uint": _reinterpret("u4"),
    "longlong_as_double": _reinterpret("f8"),
    "double_as_longlong": _reinterpret("i8"),
}

_NEAREST: dict[str, Function] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "sqrt": np.sqrt,
    "rcp": lambda x: 1 / x,
}

_CONVERSIONS: dict[str, Function] = {
    "rn": np.rint,
    "rz": np.trunc,
    "rd": np.floor,
    "ru": np.ceil,
}


def _multiply_add(x: Array, y: Array, z: Array) -> Array:
    wide: Array = x.astype(np.float64) * y.astype(np.float64) + z.astype(np.float64)
    return wide.astype(x.dtype)


def _table() -> dict[str, Function]:
    plain: dict[str, Function] = {**_ELEMENTARY, **_SPECIAL, "fma": _multiply_add}
    table: dict[str, Function] = {
        **plain,
        **{f"{name}f": function for name, function in plain.items()},
        **_INTEGER,
        **fast_functions(),
    }
    for name, function in _NEAREST.items():
        table.update({f"f{name}_rn": function, f"d{name}_rn": function})
    table.update({"fmaf_rn": _multiply_add, "fma_rn": _multiply_add})
    table.update({f"{name}d": _ELEMENTARY[name] for name in ("isnan", "isinf", "signbit")})
    table["isfinited"] = np.isfinite
    for source in ("float", "double"):
        for target in ("int", "uint", "ll", "ull"):
            for mode, function in _CONVERSIONS.items():
                table[f"{source}2{target}_{mode}"] = function
    for source in ("int", "uint", "ll", "ull"):
        for target in ("float", "double"):
            table[f"{source}2{target}_rn"] = np.positive
    table["double2float_rn"] = np.positive
    table.update(directed_functions())
    return table


_TABLE = _table()


def evaluate(symbol: str, arguments: Sequence[Array], ret_type: Any) -> Array | None:
    """Result of a libdevice symbol such as `__nv_erff`, None for one that we do not have."""
    function = _TABLE.get(symbol.removeprefix("__nv_"))
    if function is None:
        return None
    return convert(np.asarray(function(*arguments)), numpy_dtype(ret_type))
