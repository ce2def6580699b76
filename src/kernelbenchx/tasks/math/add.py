"""Sum of two tensors, the second one scaled: input + alpha * other.

float16 with float32 gives float32, an integer tensor with a float tensor gives the float dtype, an
integer tensor with a float number gives float32, a number never widens a tensor of its own kind.
Integer results are exact (int64 beyond the range of float64's integers too) and need an integer
alpha. Results of 16 bits are computed in float32 and rounded once, alpha * other not rounded in
between.
"""

import math
from collections.abc import Mapping

import torch

from kernelbenchx.spec import Close, Mutant, argument, binary, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.operands import in_float64, wide_integers

Number = int | float
Operand = torch.Tensor | Number
Out = torch.Tensor | None


def add(input: torch.Tensor, other: Operand, alpha: Number = 1, out: Out = None) -> torch.Tensor:
    dtype = torch.result_type(input, other)
    if dtype.itemsize > 2:
        return torch.add(input, other, alpha=alpha, out=out)
    # On the host torch.add rounds a 16-bit product before it adds it.
    wide = other.float() if isinstance(other, torch.Tensor) else other
    result = torch.add(input.float(), wide, alpha=alpha).to(dtype)
    return result if out is None else out.copy_(result)


def size_of_terms(input, other, alpha=1, out=None):
    """The sum on absolute values: the two terms may cancel."""
    size = other.abs() if isinstance(other, torch.Tensor) else abs(other)
    value = input.abs() + abs(alpha) * size
    return value, value


def _is_valid(chosen: Mapping[str, str]) -> bool:
    kinds = (chosen["dtype"], chosen["other_dtype"])
    real = chosen["other"] == "number" or any("float" in kind for kind in kinds)
    return real or chosen["alpha"] != "fraction"


def _rounded_product(input, other, alpha=1, out=None):
    dtype = torch.result_type(input, other)
    product = torch.as_tensor(other).to(dtype) * alpha
    return mistakes.store_result((input + product.to(dtype)).to(dtype), out)


def _scaled_input(input, other, alpha=1, out=None):
    return mistakes.store_result((alpha * input + other).to(torch.result_type(input, other)), out)


def _through_float(input, other, alpha=1, out=None):
    result = input.float() + alpha * torch.as_tensor(other).float()
    return mistakes.store_result(result.to(torch.result_type(input, other)), out)


TASK = binary(
    add,
    eager=torch.add,
    pairs={
        "cancelling": ((0.75, 0.75), (1e4, 1e4), (-3.0, 1.0), (1.0, 1.0), (300.0, -1000.0)),
        "special": (
            *((math.inf, -math.inf), (math.inf, 1.0), (1.0, -math.inf), (math.nan, 1.0)),
            *((1.0, math.nan), (0.0, -0.0), (1e4, 1e-6), (-1e-6, 1e4)),
        ),
    },
    integers=(wide_integers, wide_integers),
    arguments=(argument("alpha", not_given=None, minus_one=-1, three=3, fraction=-0.3),),
    valid=_is_valid,
    corners=(
        {"alpha": "fraction", "out": "strided"},
        {"alpha": "fraction", "dtype": "bfloat16", "values": "cancelling"},
        {"values": "special"},
    ),
    flops=2,
    contract=Close(scale=size_of_terms),
    truth=in_float64(add, torch.add),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 8192), dtype=torch.bfloat16, alpha=0.5)
    + case(shape=(4099, 5003), dtype=torch.float32, other=(5003,), alpha=0.5),
    mutants=(
        mistakes.ignore_argument(add, "alpha"),
        Mutant("alpha scales the input", _scaled_input, ("alpha",)),
        Mutant("product rounded on its own", _rounded_product),
        Mutant("integers through float32", _through_float, ("other",)),
        mistakes.fresh_beside_out(add),
    ),
    difficulty=4,
)
