"""Smallest element along one dimension, and where it stands.

The result is a pair: values in the input's dtype and their indices along `dim` as int64, both of
the same shape. Of equal smallest elements the first counts, whatever the dtype; -0.0 equals 0.0.
NaN counts as smaller than anything: a slice that holds NaN gives NaN and the index of its first
NaN. Input: float32, float16, bfloat16, int32 or int64 (compared exactly). A 0-d input gives itself
and index 0.
"""

import math

import torch

from kernelbenchx.spec import Draw, Exact, Mutant, Normal, case
from kernelbenchx.spec.families import extremes
from kernelbenchx.spec.families.dimensions import ONE
from kernelbenchx.spec.families.indexed_reduction import indexed_reduction

Pair = tuple[torch.Tensor, torch.Tensor]


def min(
    input: torch.Tensor, /, dim: int, keepdim: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    values, indices = torch.min(input, dim, keepdim)
    return values, indices


def _above_one(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return 1 + draw.uniform(shape, dtype)


def _last_of_equals(x: torch.Tensor, dim: int, keepdim: bool = False) -> Pair:
    if not x.dim() or not x.numel():
        return min(x, dim, keepdim)
    values, indices = min(x.flip(dim), dim, keepdim)
    return values, x.shape[dim] - 1 - indices


def _without_nan(x: torch.Tensor, dim: int, keepdim: bool = False) -> Pair:
    quiet = x.nan_to_num(math.inf, math.inf, -math.inf) if x.is_floating_point() else x
    return min(quiet, dim, keepdim)


def _nan_without_place(x: torch.Tensor, dim: int, keepdim: bool = False) -> Pair:
    return min(x, dim, keepdim)[0], _without_nan(x, dim, keepdim)[1]


def _through_float(x: torch.Tensor, dim: int, keepdim: bool = False) -> Pair:
    values, indices = min(x.float(), dim, keepdim)
    return values.to(x.dtype), indices


def _flat_indices(x: torch.Tensor, dim: int, keepdim: bool = False) -> Pair:
    """Places in the whole tensor."""
    values, indices = min(x, dim, keepdim)
    places = torch.arange(x.numel(), device=x.device).reshape(x.shape)
    kept = indices if keepdim or not x.dim() else indices.unsqueeze(dim)
    return values, places.gather(dim, kept).reshape(indices.shape) if x.dim() else indices


TASK = indexed_reduction(
    min,
    ordinary=Normal(),
    others={
        "ties": extremes.tied_zeros(0, 3),
        "near ties": extremes.near_ties,
        "smallest at the end": extremes.at_the_end(_above_one, 0.5),
        "all inf": Normal(mean=math.inf),
        "special": Normal(planted=(*(math.nan,) * 3, math.inf, -math.inf, -math.inf)),
    },
    integers=extremes.neighbours(1),
    dims=ONE,
    other_dtypes=(torch.int32, torch.int64),
    corners=(
        {"dtype": "float16", "values": "ties"},
        {"values": "ties", "shape": "columns", "dim": "first"},
        {"values": "near ties"},
        {"dtype": "int64", "shape": "columns", "dim": "first"},
        {"dtype": "bfloat16", "values": "special", "shape": "three dimensions"},
        {"values": "special"},
    ),
    contract=Exact(),
    timings=case(shape=(1 << 16, 1024), dim=0, dtype=torch.float32)
    + case(shape=(4099, 8191), dim=1, dtype=torch.float32)
    + case(shape=(16384, 4096), dim=1, dtype=torch.bfloat16)
    + case(shape=(1 << 22,), dim=0, dtype=torch.float16),
    mutants=(
        Mutant("last of equal elements", _last_of_equals, ("input",)),
        Mutant("NaN ignored", _without_nan, ("input",)),
        Mutant("the index ignores NaN", _nan_without_place, ("input",)),
        Mutant("indices into the whole tensor", _flat_indices, ("dim",)),
        Mutant("integers compared as float32", _through_float),
    ),
    difficulty=2,
)
