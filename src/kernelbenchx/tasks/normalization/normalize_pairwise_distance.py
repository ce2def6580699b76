"""Distances between pairs of vectors, then normalized along a dimension.

    d = || x1 - x2 + eps_distance ||_p_distance    over the last dimension
    out = d / max(|| d ||_p_norm, eps_norm)        the norm along dimension dim_norm of d
x1 is (..., D) with at least two dimensions. eps_distance is added to every difference x1 - x2,
before absolute values and powers, as in torch.nn.functional.pairwise_distance. d has the shape of
x1 without its last dimension, or with size 1 there when keepdim=True; dim_norm counts the
dimensions of d and may be negative. So the default dim_norm=1 needs x1 of three dimensions, or
keepdim. ||v||_p is (sum |v_i|^p)^(1/p), the largest |v_i| for p = inf; p_distance and p_norm are at
least 1. Powers neither overflow nor vanish in float32, except of 0. NaN gives NaN in its whole
slice along dim_norm, inf / inf is NaN and 0 / 0 too.
Float32, float16 or bfloat16, and the result as well; 16-bit tensors are computed in float32, d is
not rounded, the result is rounded once. The published code adds eps to the norm instead.
"""

import math

import torch

from kernelbenchx.spec import Close, Mutant, Promise, argument, case, ignore_argument
from kernelbenchx.spec.families.axes import trivial
from kernelbenchx.spec.families.norm_error import norm_error
from kernelbenchx.spec.families.vector_pairs import vector_pairs

norm_of = torch.linalg.vector_norm


def normalize_pairwise_distance(
    x1: torch.Tensor,
    x2: torch.Tensor,
    p_distance: float = 2.0,
    eps_distance: float = 1e-06,
    keepdim: bool = False,
    p_norm: float = 2,
    dim_norm: int = 1,
    eps_norm: float = 1e-12,
) -> torch.Tensor:
    wide = torch.promote_types(x1.dtype, torch.float32)
    apart = x1.to(wide) - x2.to(wide) + eps_distance
    d = torch.linalg.vector_norm(apart, p_distance, -1, keepdim)
    norm = torch.linalg.vector_norm(d, p_norm, dim_norm, keepdim=True)
    out: torch.Tensor = d / norm.clamp(min=eps_norm)
    return out.to(x1.dtype)


def eager(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    d = torch.nn.functional.pairwise_distance(x1, x2, p_distance, eps_distance, keepdim)
    return torch.nn.functional.normalize(d, p_norm, dim_norm, eps_norm)


def rounding(
    x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, p_norm=2, dim_norm=1, eps_norm=1e-12
):
    """Each difference is rounded twice; then what both norms make of that, and their own."""
    apart, size = x1 - x2 + eps_distance, (x1 - x2).abs() + abs(eps_distance)
    d = norm_of(apart, p_distance, -1, keepdim)
    wrong = norm_error(apart, size, p_distance, -1, keepdim)
    below = norm_of(d, p_norm, dim_norm, keepdim=True)
    moved = norm_error(d, wrong, p_norm, dim_norm, keepdim=True)
    moved, below = torch.where(below > eps_norm, moved, 0.0), below.clamp(min=eps_norm)
    return wrong / below + d * moved / below**2


def _is_valid(chosen):
    dims = {"three dimensions": 2, "no vectors": 2, "four dimensions": 3}.get(chosen["shape"], 1)
    dims += chosen["keepdim"] == "yes"
    if chosen["shape"] == "no vectors" and chosen["dim_norm"] == "first":
        return False  # a norm of nothing
    return chosen["dim_norm"] != "not given" or dims > 1


def _distances(x1, x2, p_distance=2.0, eps_distance=1e-06, keepdim=False, **_):
    return norm_of(x1.float() - x2.float() + eps_distance, p_distance, -1, keepdim)


def _divide_by_norm(d, p_norm=2, dim_norm=1, eps_norm=1e-12, **_):
    return d / norm_of(d, p_norm, dim_norm, keepdim=True).clamp(min=eps_norm)


def _eps_after(x1, x2, eps_distance=1e-06, **words):
    d = _distances(x1, x2, eps_distance=0.0, **words) + eps_distance
    return _divide_by_norm(d, **words).to(x1.dtype)


def _eps_of_size(x1, x2, **words):
    apart = (x1.float() - x2.float()).abs()
    d = _distances(apart, torch.zeros_like(apart), **words)
    return _divide_by_norm(d, **words).to(x1.dtype)


def _eps_added(x1, x2, eps_norm=1e-12, p_norm=2, dim_norm=1, **words):
    d = _distances(x1, x2, **words)
    return (d / (norm_of(d, p_norm, dim_norm, keepdim=True) + eps_norm)).to(x1.dtype)


def _round_distances(x1, x2, **words):
    d = _distances(x1, x2, **words).to(x1.dtype)
    return _divide_by_norm(d.float(), **words).to(x1.dtype)


_OPTIONS = ("p_distance", "eps_distance", "p_norm", "dim_norm", "eps_norm")
TASK = vector_pairs(
    normalize_pairwise_distance,
    dim=argument("dim_norm", first=0, last=-1, not_given=None),
    arguments=(
        argument("p_distance", not_given=None, one=1.0, three=3.0, inf=math.inf),
        argument("eps_distance", not_given=None, zero=0.0, large=0.25),
        # A distance that is divided by its own norm is 1.
        trivial(argument("keepdim", not_given=None, no=False, yes=True), "yes"),
        argument("p_norm", not_given=None, one=1, three=3, inf=math.inf),
        argument("eps_norm", not_given=None, large=200.0),
    ),
    results=lambda shape, **_: math.prod(shape[:-1]),
    valid=_is_valid,
    corners=(
        {"shape": "three dimensions", "dim_norm": "not given", "p_norm": "one"},
        {"shape": "three dimensions", "dim_norm": "not given", "keepdim": "yes"},
        {"values": "equal", "eps_distance": "zero"},
        {"values": "equal", "eps_distance": "large", "p_distance": "one"},
        {"values": "identical", "eps_distance": "zero"},
        {"values": "special", "p_distance": "inf", "p_norm": "inf"},
        {"eps_norm": "large", "p_norm": "three"},
        # Distances of all sizes: what is rounded twice shows.
        {"shape": "many vectors", "dtype": "bfloat16"},
        {"shape": "many vectors", "dtype": "float16"},
    ),
    promises=(
        Promise(
            "keepdim=True keeps the last dimension with size 1.",
            "keepdim",
            ("yes",),
            ignore_argument(normalize_pairwise_distance, "keepdim", "W-ARG"),
        ),
    ),
    flops=4,
    eager=eager,
    contract=Close(scale=rounding),
    timings=case(shape=(16, 4096, 128), dtype=torch.float32)
    + case(shape=(64, 8192, 128), dtype=torch.float32, p_distance=1.0)
    + case(shape=(31, 8191, 100), dtype=torch.float32, p_norm=1, dim_norm=0),
    mutants=(
        Mutant("eps added to the distance", _eps_after, ("eps_distance", "x1")),
        Mutant("eps added to absolute values", _eps_of_size, ("eps_distance", "x2")),
        Mutant("eps added to the norm", _eps_added, ("eps_norm",)),
        Mutant("rounded distances", _round_distances),
        *(ignore_argument(normalize_pairwise_distance, one, "W-ARG") for one in _OPTIONS),
    ),
    difficulty=3,
    audit=("W-ARG",),
)
