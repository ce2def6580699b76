"""Writes one value into the slices of x that index names along dimension dim, in place.

x[i_0, .., index[j], .., i_r-1] = value        for every j; index[j] stands in place of i_dim
All other elements of x keep their bits. Note the order of the arguments: dim comes first, then x.
x has at least one dimension, and is a float of 16, 32 or 64 bits, int64 or bool. index is 1-D and
int64; a value of it may occur any number of times. value is a Python number that x can hold. Where
x has a float dtype, it is an int, a float, an infinity or NaN (rounded to that dtype, the sign of a
zero kept). It is an int where x is int64, and a bool where x is bool.
"""

import torch

from kernelbenchx.spec import Mutant, Promise, case
from kernelbenchx.spec.families.index_fill import ONCE, filling


def index_fill_(dim: int, x: torch.Tensor, index: torch.Tensor, value: float) -> torch.Tensor:
    return x.index_fill_(dim, index, value)


def _new_tensor(dim, x, index, value):
    return x.clone().index_fill_(dim, index, value)


def _none_negative(dim, x, index, value):
    return x.index_fill_(dim, index[index >= 0], value)


def _one_dim_before(dim, x, index, value):
    wrong = (dim - 1) % x.dim() if dim < 0 else dim
    return x.index_fill_(wrong, index.clamp(-x.size(wrong), x.size(wrong) - 1), value)


def _first_dim(dim, x, index, value):
    del dim
    return x.index_fill_(0, index.clamp(-x.size(0), x.size(0) - 1), value)


def _as_ones(dim, x, index, value):
    return x.index_fill_(dim, index, 1)


def _through_float32(dim, x, index, value):
    return x.index_fill_(dim, index, torch.tensor(value, dtype=torch.float32).to(x.dtype))


def _rest_cleared(dim, x, index, value):
    return x.copy_(torch.zeros_like(x).index_fill_(dim, index, value))


TASK = filling(
    index_fill_,
    promises=(
        Promise(
            "The slices are written into x, and x itself is returned.",
            "shape",
            ("vector", "matrix"),
            Mutant("a new tensor instead of x", _new_tensor, ("W-SIDE",)),
        ),
        Promise(
            "Negative values of index count from the end: -x.size(dim)..x.size(dim)-1 are valid.",
            "counted",
            ("from both ends",),
            Mutant("negative entries left out", _none_negative, ("index",)),
        ),
        Promise(
            "dim may be negative.",
            "dim",
            ("last, negative", "first, negative"),
            Mutant("negative dim off by one", _one_dim_before, ("dim",)),
        ),
    ),
    timings=case(
        shape=(65_536, 1024), dim=0, index=40_000, dtype=torch.float32, value=0.5, counted=ONCE
    )
    + case(shape=(8192, 8192), dim=1, index=4000, dtype=torch.bfloat16, value=-3, counted=ONCE)
    + case(shape=(129, 511, 509), dim=1, index=300, dtype=torch.float32, value=1, counted=ONCE),
    mutants=(
        Mutant("always dimension 0", _first_dim, ("dim", "I-SIG")),
        Mutant("ones", _as_ones, ("value",)),
        Mutant("value through float32", _through_float32, ("value",)),
        Mutant("everything else cleared", _rest_cleared, ("x",)),
    ),
    difficulty=2,
    audit=("I-SIG", "W-SIDE"),
)
