"""Softmax along one dimension: exp(x - max) / sum(exp(x - max)) over every slice along `dim`.

The maximum of the slice is subtracted first, so large inputs do not overflow. With `dtype` the
input is cast to it first (rounding its values) and the result has that dtype; without it the result
has the input's dtype. Input: float16, bfloat16 or float32, or integers where `dtype` is given;
`dtype` may be float16, bfloat16, float32 or float64. 16-bit values are computed in float32 and
rounded once; float64 results are computed in float64. -inf gives 0; a slice that is -inf
throughout, or that holds NaN or +inf, gives NaN throughout.
"""

import math
from collections.abc import Mapping

import torch

from kernelbenchx.spec import Close, Draw, Mutant, Normal, case, reduction
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.dimensions import ONE


def softmax(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    x = input if dtype is None else input.to(dtype)
    wide = torch.promote_types(x.dtype, torch.float32)
    return torch.nn.functional.softmax(x, dim, dtype=wide).to(x.dtype)


def exact(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    """In float64, of the values that the cast leaves."""
    return softmax((input if dtype is None else input.to(dtype)).double(), dim)


def local(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    """A rounded x - max moves exp by its own size; the sum of n terms drifts by sqrt(n)."""
    x = (input if dtype is None else input.to(dtype)).double()
    if not x.numel():
        return x
    value = softmax(x, dim)
    away = torch.nan_to_num(x.amax(dim, keepdim=True) - x, nan=0.0, posinf=0.0, neginf=0.0)
    terms = x.shape[dim] if x.dim() else 1
    return value * (away + (value * away).sum(dim, keepdim=True) + math.sqrt(terms))


def _minus_infinity(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Whole slices along every dimension, and single elements."""
    x = draw.plant(draw.normal(shape, dtype), (-math.inf,) * 9)
    if len(shape) > 1:
        x[:1] = -math.inf
        x[..., :1] = -math.inf
    return x


def _is_valid(chosen: Mapping[str, str]) -> bool:
    return not chosen["dtype"].startswith("int") or chosen["to"] != "not given"


def _cast_last(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    return exact(input, dim).to(dtype or input.dtype)


def _parts(
    input: torch.Tensor, dim: int, dtype: torch.dtype | None, least: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Exponentials less the maximum, which is at least `least`, and their sum."""
    x = (input if dtype is None else input.to(dtype)).double()
    top = x.amax(dim, keepdim=True) if x.numel() else x
    terms = torch.exp(x - top.clamp(min=least))
    return terms, terms.sum(dim, keepdim=True)


def _rounded_total(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    terms, total = _parts(input, dim, dtype, -math.inf)
    return (terms / total.bfloat16()).to(dtype or input.dtype)


def _above_zero(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    terms, total = _parts(input, dim, dtype, 0.0)
    return (terms / total).to(dtype or input.dtype)


def _not_shifted(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    terms = torch.exp((input if dtype is None else input.to(dtype)).float())
    return (terms / terms.sum(dim, keepdim=True)).to(dtype or input.dtype)


TASK = reduction(
    softmax,
    eager=torch.nn.functional.softmax,
    ordinary=Normal(),
    others={
        "small": Normal(size=1e-3),
        "wide": Normal(size=30.0),
        "around -1000": Normal(mean=-1000.0),
        "minus infinity": _minus_infinity,
        "special": Normal(planted=(math.nan, math.inf)),
    },
    integers=lambda draw, shape, dtype: draw.integers(shape, -9, 9, dtype),
    dims=ONE,
    other_dtypes=(torch.int64,),
    casts=(torch.float64, torch.float16, torch.bfloat16, torch.float32),
    keeps_shape=True,
    valid=_is_valid,
    corners=(
        {"to": "float16", "values": "around -1000"},
        {"to": "bfloat16", "values": "around -1000"},
        {"values": "minus infinity"},
        {"values": "special"},
    ),
    flops=5,
    contract=Close(scale=local),
    truth=exact,
    timings=case(shape=(512, 131072), dim=1, dtype=torch.bfloat16)
    + case(shape=(4096, 4096), dim=0, dtype=torch.float16)
    + case(shape=(4099, 5003), dim=-1, dtype=torch.float32),
    mutants=(
        Mutant("cast at the end", _cast_last, ("dtype",)),
        mistakes.ignore_argument(softmax, "dtype"),
        Mutant("total in bfloat16", _rounded_total),
        Mutant("maximum not subtracted", _not_shifted),
        Mutant("maximum at least zero", _above_zero),
    ),
    difficulty=4,
)
