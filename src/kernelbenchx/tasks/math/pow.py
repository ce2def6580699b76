"""Power, elementwise: input to the power of exponent, a tensor or a number.

Of two integer operands it is an integer: exact modulo 2^32 (int32) or 2^64 (int64), wrapping around
like two's complement numbers, 0**0 = 1; the exponent is not negative there. Else it is a float: an
integer tensor with a float number gives float32, with a float tensor its dtype. A number is one
that the dtype of the result holds exactly. The base may be negative: an odd whole exponent keeps
its sign, an even one drops it, any other finite exponent of a finite negative base gives NaN.
x**0 = 1 and 1**y = 1, of NaN too; else NaN gives NaN. Zeros and infinities are those of C's pow:
0**-1 = inf, (-0.0)**-3 = -inf, (-1)**(+-inf) = 1, (-inf)**3 = -inf, (-inf)**0.5 = inf. float32
results are accurate also where the exponent is large and the base close to 1; those of 16 bits are
the power of the given numbers in float32, rounded once.
"""

import math
from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Draw, Mutant, binary, call, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.operands import in_float64

INF, NAN = math.inf, math.nan
Shape = tuple[int, ...]
PAIRS = {
    "signs": (
        *((-2.0, 3.0), (-2.0, 2.0), (-0.5, -3.0), (-1.5, -2.0), (-8.0, 0.3125), (-2.5, -0.5)),
        *((-1.0, 16777215.0), (-1.0, 4097.0), (0.5, 0.5), (-3.0, 1.0), (-1.0, -1.0)),
    ),
    "special": (
        *((0.0, 0.0), (NAN, 0.0), (1.0, NAN), (NAN, 1.0), (2.0, NAN), (0.0, -1.0), (-0.0, -3.0)),
        *((0.0, 2.5), (-0.0, 0.5), (INF, -1.0), (INF, 0.5), (-INF, 3.0), (-INF, 2.0), (-INF, 0.5)),
        *((2.0, INF), (0.5, INF), (2.0, -INF), (0.5, -INF), (-1.0, INF), (1.0, -INF), (-2.0, INF)),
    ),
    "large": (
        *((10.0, 39.0), (10.0, 38.5), (10.0, -36.0), (1.0009765625, 5000.0), (1e-20, -1.5)),
        *((0.9990234375, 30000.0), (1.0078125, 8000.0), (300.0, 15.0), (1.00000012, 2e8)),
    ),
}


def _power(x: torch.Tensor, exponent: Any) -> torch.Tensor:
    """By a tensor: for the number 0.5 torch takes the square root, and NaN from -inf."""
    if isinstance(exponent, float):
        exponent = torch.full_like(x, exponent)
    return torch.pow(x, exponent)


def pow(
    input: torch.Tensor,
    /,
    exponent: torch.Tensor | int | float,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    dtype = torch.result_type(input, exponent)
    wide = torch.promote_types(dtype, torch.float32) if dtype.is_floating_point else dtype
    other = exponent.to(wide) if isinstance(exponent, torch.Tensor) else exponent
    result = _power(input.to(wide), other).to(dtype)
    return result if out is None else out.copy_(result)


def _bases(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
    """Around 1; an eighth is negative."""
    size = torch.exp(1.2 * draw.normal(shape, torch.float32))
    return torch.where(draw.booleans(shape, 0.125), -size, size).to(dtype)


def _exponents(draw: Draw, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
    """A third are whole numbers."""
    drawn = draw.normal(shape, torch.float32, 2.5)
    return torch.where(draw.booleans(shape, 0.33), drawn.round(), drawn).to(dtype)


def inputs(draw: Draw, shape: Shape, dtype: torch.dtype, **how: Any) -> Call:
    made = _FAMILY.inputs(draw, shape, dtype, **how)
    x, e = made.args
    if dtype.is_floating_point and how.get("other_dtype") == torch.int64:
        whole = draw.integers(e.shape, -5, 6)  # of the family's most powers would be infinite
        e = draw.laid_out(whole, how.get("other_layout", "contiguous"))
    return call(x, e, **made.kwargs)


def _but(change):
    """The right answer `y`, and then something done to it."""

    def answer(input, exponent, out=None):
        y = pow(input, exponent)
        return mistakes.store_result(change(y, input, torch.as_tensor(exponent)).to(y.dtype), out)

    return answer


def _by_logarithm(y, x, e):
    """Rounded to float32 before it is multiplied."""
    usual = (x > 0) & y.isfinite() & y.is_floating_point()
    return torch.where(usual, torch.exp2(e * torch.log2(x.float())), y.float())


_FAMILY = binary(
    pow,
    eager=torch.pow,
    pairs=PAIRS,
    first=_bases,
    second=_exponents,
    integers=(
        lambda draw, shape, dtype: draw.integers(shape, -30, 31, dtype),
        lambda draw, shape, dtype: draw.integers(shape, 0, 25, dtype),
    ),
    numbers=(-0.5, 0.5, 2.5, -2.0, 2, 3, 0),
    # -3 is among the whole numbers, and the exponent of integers is not negative.
    valid=lambda chosen: chosen["other"] != "whole number" or "float" in chosen["dtype"],
    corners=(
        *({"values": word} for word in PAIRS),
        *({"dtype": word, "values": "special"} for word in ("float16", "bfloat16")),
        {"dtype": "bfloat16", "values": "large", "other_dtype": "float32"},
        {"dtype": "int32", "shape": "matrix", "other": "row"},
        {"dtype": "int64", "other": "number", "out": "strided"},
        {"other_dtype": "int64"},
    ),
    flops=20,
    contract=Close(),
    truth=in_float64(pow, _power),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.bfloat16, other=2.5)
    + case(shape=(4099, 5003), dtype=torch.float32, other=(5003,)),
    mutants=(
        Mutant("by a rounded logarithm", _but(_by_logarithm)),
        Mutant("negative bases give NaN", _but(lambda y, x, _: torch.where(x < 0, NAN, y))),
        Mutant("sign dropped", _but(lambda y, _x, _e: y.abs())),
        Mutant("NaN**0 is NaN", _but(lambda y, x, _: torch.where(x.isnan(), NAN, y))),
        Mutant("0**0 is 0", _but(lambda y, x, e: torch.where((x == 0) & (e == 0), 0.0, y))),
        Mutant("integers by float64", _but(lambda y, x, e: torch.pow(x.double(), e))),
        mistakes.fresh_beside_out(pow),
    ),
    difficulty=3,
)
TASK = replace(
    _FAMILY,
    inputs=inputs,
    promises=tuple(
        replace(one, text=one.text.replace("`other`", "`exponent`")) for one in _FAMILY.promises
    ),
)
