"""Difference of two tensors, the second one scaled: input - alpha * other.

`other` may also be a number. float16 with float32 gives float32, an integer tensor with a float
tensor gives the float dtype, an integer tensor with a float number gives float32, a number never
widens a tensor of its own kind. Integer results are exact (int64 beyond the range of float64's
integers too) and need an integer alpha. Results of 16 bits are computed in float32 and rounded
once, alpha * other not rounded in between. inf - inf gives NaN, and NaN gives NaN.
"""

import math

import torch

from kernelbenchx.spec import Close, Mutant, argument, binary, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.operands import in_float64, wide_integers
from kernelbenchx.tasks.math.add import add, size_of_terms


def sub(
    input: torch.Tensor,
    other: torch.Tensor | int | float,
    *,
    alpha: int | float = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    # Rounded once at 16 bits too, which torch.sub on the host is not.
    return add(input, other, -alpha, out)


def _wrong(name, rule, *covers):
    """Another rule, in the dtype that is asked for."""

    def answer(input, other, *, alpha=1, out=None):
        dtype = torch.result_type(input, other)
        return mistakes.store_result(rule(input, torch.as_tensor(other), alpha).to(dtype), out)

    return Mutant(name, answer, covers)


def _rounded_product(x, y, alpha):
    dtype = torch.result_type(x, y)
    return x - (y.to(dtype) * alpha).to(dtype)


TASK = binary(
    sub,
    eager=torch.sub,
    pairs={
        "cancelling": ((0.75, 0.75), (1e4, 1e4), (-3.0, -1.0), (1.0, 1.0), (300.0, 1000.0)),
        "special": (
            *((math.inf, math.inf), (-math.inf, math.inf), (1.0, -math.inf), (math.nan, 1.0)),
            *((1.0, math.nan), (-0.0, 0.0), (1e4, 1e-6), (-1e-6, 1e4)),
        ),
    },
    integers=(wide_integers, wide_integers),
    arguments=(argument("alpha", not_given=None, two=2, minus_three=-3, fraction=0.3),),
    # Integers need an integer alpha.
    valid=lambda chosen: (
        chosen["alpha"] != "fraction"
        or chosen["other"] == "number"
        or "float" in chosen["dtype"] + chosen["other_dtype"]
    ),
    corners=(
        {"alpha": "two", "out": "strided"},
        {"alpha": "fraction", "dtype": "bfloat16", "values": "cancelling"},
        {"dtype": "int32", "other": "number"},
        {"values": "special"},
    ),
    flops=2,
    contract=Close(scale=size_of_terms),
    truth=in_float64(sub, torch.sub),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.bfloat16, alpha=0.5)
    + case(shape=(4099, 5003), dtype=torch.float32, other=(5003,), alpha=2),
    mutants=(
        mistakes.ignore_argument(sub, "alpha"),
        _wrong("other minus input", lambda x, y, alpha: alpha * y - x, "other"),
        _wrong("alpha scales the difference", lambda x, y, alpha: alpha * (x - y), "alpha"),
        _wrong("product rounded on its own", _rounded_product),
        _wrong(
            "integers through float64", lambda x, y, alpha: x.double() - alpha * y.double(), "other"
        ),
        mistakes.fresh_beside_out(sub),
    ),
    difficulty=2,
)
