"""Smallest GELU among the elements, of the whole input or along one dimension with its place.

approximate='none': gelu(x) = 0.5 * x * (1 + erf(x / sqrt(2))).
approximate='tanh': gelu(x) = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3))).
With dim=None the result is one 0-d tensor, and keepdim has no effect. With an int the result is a
pair of one shape: the smallest gelu(x) along `dim`, and int64 indices along it. GELU is not
monotone: it falls to -0.17 near x = -0.75 and rises again to 0 below. The result has the input's
dtype (float32, float16 or bfloat16); 16-bit inputs are computed in float32 and rounded once.
gelu(-inf) is NaN (inf * 0), as gelu(NaN) is, and gelu(+inf) is +inf. NaN counts as smaller than
anything: it gives NaN and the index of the first element, NaN or -inf, whose GELU is NaN.
"""

import math

import torch

from kernelbenchx.spec import Close, Draw, Mutant, Normal, Picked, argument, case
from kernelbenchx.spec.families.dimensions import ONE
from kernelbenchx.spec.families.indexed_reduction import (
    indexed_reduction,
    size_of_smallest,
    smallest,
    store_reduction,
)
from kernelbenchx.spec.families.mistakes import ignore_argument


def min_gelu(
    input: torch.Tensor,
    dim: int | None = None,
    keepdim: bool = False,
    approximate: str = "none",
    out: torch.Tensor | tuple[torch.Tensor, torch.Tensor] | None = None,
) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    scores = gelus(input, dim, keepdim, approximate)
    return store_reduction(smallest(scores, dim, keepdim, input.dtype), out)  # type: ignore[no-any-return]


def gelus(input, dim=None, keepdim=False, approximate="none", out=None):
    """Of every element, not rounded to 16 bits."""
    wide = torch.promote_types(input.dtype, torch.float32)
    return torch.nn.functional.gelu(input.to(wide), approximate=approximate)


def eager(input, dim=None, keepdim=False, approximate="none"):
    scores = torch.nn.functional.gelu(input, approximate=approximate)
    return torch.min(scores) if dim is None else torch.min(scores, dim, keepdim)


def size(input, dim=None, keepdim=False, approximate="none", out=None):
    """Rounding moves a GELU by a share of |x|."""
    return size_of_smallest(gelus(input, dim, keepdim, approximate), input.abs(), dim, keepdim)


def _apart(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """No x is near -0.75, else all slices had one answer; each has a largest x below that."""
    away = 1 + draw.uniform((), torch.float32) + draw.normal(shape, torch.float32).abs()
    for part in (shape[:1] + (1,) * (len(shape) - 1), shape[-1:]):
        away = away + draw.uniform(part, torch.float32, 0.0, 0.5)
    return torch.where(draw.booleans(shape), -away, away).to(dtype)


def _of_smallest(input, dim=None, keepdim=False, approximate="none"):
    found = smallest(input, dim, keepdim, input.dtype)
    values = gelus(found if dim is None else found[0], approximate=approximate).to(input.dtype)
    return values if dim is None else (values, found[1])


def _half_missing(input, dim=None, keepdim=False, approximate="none"):
    """As published: x * erf(x / sqrt(2)) / 2, symmetric in x."""
    half = 0.5 * input if approximate == "none" else 0.0
    return smallest(gelus(input, dim, keepdim, approximate) - half, dim, keepdim, input.dtype)


TASK = indexed_reduction(
    min_gelu,
    ordinary=_apart,
    others={
        "positive": lambda draw, shape, dtype: _apart(draw, shape, dtype).abs(),
        "near ties": Normal(),
        "large": Normal(size=20.0),
        "special": Normal(planted=(math.nan, -math.inf, math.inf, -math.inf, math.nan)),
    },
    dims=(*ONE, "none", "not given"),
    arguments=(argument("approximate", not_given=None, none="none", tanh="tanh"),),
    corners=(
        {"values": "special"},
        {"values": "special", "approximate": "tanh", "dim": "none"},
        {"values": "near ties", "shape": "columns", "dim": "first"},
        {"values": "positive", "dtype": "bfloat16"},
        {"approximate": "tanh", "shape": "wide rows"},
        {"dim": "none", "out": "contiguous"},
    ),
    flops=9,
    eager=eager,
    contract=Picked(close=Close(scale=size), scores=gelus),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(1 << 16, 1024), dim=0, dtype=torch.bfloat16, approximate="tanh")
    + case(shape=(4099, 8191), dim=1, dtype=torch.float32)
    + case(shape=(1 << 20,), dim=0, dtype=torch.float16),
    mutants=(
        ignore_argument(min_gelu, "approximate"),
        Mutant("GELU of the smallest element", _of_smallest, ("input",)),
        Mutant("half of x missing", _half_missing, ("I-REF",)),
        Mutant("NaN ignored", lambda x, *a, **w: min_gelu(x.nan_to_num(9.0, 9.0, 9.0), *a, **w)),
    ),
    difficulty=2,
    audit=("I-REF",),
)
