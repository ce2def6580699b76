"""Index of the largest element along one dimension, or of the whole tensor.

With dim=None the tensor is flattened first, in row-major order. The result is int64. Of equal
largest elements the first counts, whatever the dtype; -0.0 equals 0.0. NaN counts as larger than
anything, and the first NaN wins. Input: float32, float16, bfloat16, int32 or int64 (compared
exactly).
"""

import math

import torch

from kernelbenchx.spec import Draw, Exact, Mutant, Normal, case, reduction
from kernelbenchx.spec.families import extremes
from kernelbenchx.spec.families.dimensions import ONE


def argmax(input: torch.Tensor, /, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    return torch.argmax(input, dim, keepdim)


def _negative(draw: Draw, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return -1 - draw.uniform(shape, dtype)


def _last_of_equals(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    if not x.dim() or not x.numel():
        return argmax(x, dim, keepdim)
    dims = list(range(x.dim())) if dim is None else [dim]
    size = x.numel() if dim is None else x.shape[dim]
    return size - 1 - argmax(x.flip(dims), dim, keepdim)


def _half_ties(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    """Wrong in float16 only."""
    right = x.dtype != torch.float16
    return argmax(x, dim, keepdim) if right else _last_of_equals(x, dim, keepdim)


def _without_nan(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    quiet = x.nan_to_num(-math.inf, math.inf, -math.inf) if x.is_floating_point() else x
    return argmax(quiet, dim, keepdim)


def _through_float(x: torch.Tensor, dim: int | None, keepdim: bool = False) -> torch.Tensor:
    return argmax(x.float(), dim, keepdim)


TASK = reduction(
    argmax,
    ordinary=Normal(),
    others={
        "ties": extremes.tied_zeros(-2, 1),
        "near ties": extremes.near_ties,
        "negative": _negative,
        "largest at the end": extremes.at_the_end(Normal(), 100.0),
        "all -inf": Normal(mean=-math.inf),
        "special": Normal(planted=(*(math.nan,) * 3, math.inf, math.inf, -math.inf)),
    },
    integers=extremes.neighbours(-1),
    dims=(*ONE, "none"),
    other_dtypes=(torch.int32, torch.int64),
    empty_slices=False,
    long=18_000,  # the interpreter compares pairs of value and index one by one
    gives=lambda _: torch.int64,
    corners=(
        {"dtype": "float16", "values": "ties"},
        {"dtype": "float16", "values": "ties", "shape": "columns", "dim": "first"},
        {"values": "near ties"},
        {"dtype": "int64", "shape": "columns", "dim": "first"},
        {"dtype": "int64", "shape": "long rows"},
        {"dtype": "bfloat16", "values": "special", "shape": "three dimensions"},
        {"values": "special"},
    ),
    contract=Exact(),
    timings=case(shape=(1 << 26,), dim=0, dtype=torch.float16)
    + case(shape=(8192, 4096), dim=0, dtype=torch.bfloat16)
    + case(shape=(4099, 8191), dim=1, dtype=torch.float32),
    mutants=(
        Mutant("last of equal elements", _last_of_equals, ("input",)),
        Mutant("last of equal elements in float16", _half_ties, ("W-PDT",)),
        Mutant("NaN ignored", _without_nan, ("input",)),
        Mutant("flattened", lambda x, _, keepdim=False: argmax(x, None, keepdim), ("dim",)),
        Mutant("integers compared as float32", _through_float),
    ),
    difficulty=3,
    audit=("W-PDT",),
)
