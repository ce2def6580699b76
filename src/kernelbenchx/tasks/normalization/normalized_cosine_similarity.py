"""Cosine similarity of vectors along a dimension, which are normalized first.

    u1 = x1 / max(||x1||_p_norm, eps_norm),  u2 the same of x2
    out = sum(u1 * u2) / (max(||u1||_2, eps_similarity) * max(||u2||_2, eps_similarity))
Norms and the sum are taken along dimension dim of x1, which may be negative and is not kept; x2 is
broadcast before. ||v||_p is (sum |v_i|^p)^(1/p), the largest |v_i| for p = inf; p_norm is at least
1. Each norm is clamped by itself, not the product of two. Where no clamp is at work, the scale of
the vectors and p_norm cancel; a zero vector gives 0. Powers of elements neither overflow nor vanish
in float32, except of 0. A NaN or an infinity in one of the vectors gives NaN. Float32, float16 or
bfloat16, and the result as well; 16-bit tensors are computed in float32, u1 and u2 are not rounded,
and the result is rounded once.
"""

import math

import torch

from kernelbenchx.spec import Close, Mutant, argument, case, ignore_argument
from kernelbenchx.spec.families.norm_error import norm_error
from kernelbenchx.spec.families.vector_pairs import vector_pairs
from kernelbenchx.spec.huge_call import COLUMNS, HugeCall

norm_of = torch.linalg.vector_norm


def normalized_cosine_similarity(
    x1: torch.Tensor,
    x2: torch.Tensor,
    dim: int = 1,
    eps_similarity: float = 1e-08,
    p_norm: float = 2,
    eps_norm: float = 1e-12,
) -> torch.Tensor:
    wide = torch.promote_types(x1.dtype, torch.float32)
    units: list[torch.Tensor] = []
    for x in torch.broadcast_tensors(x1, x2):
        u = x.to(wide) / norm_of(x.to(wide), p_norm, dim, True).clamp(min=eps_norm)
        units.append(u / norm_of(u, 2, dim, True).clamp(min=eps_similarity))
    return (units[0] * units[1]).sum(dim).to(x1.dtype)


def eager(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    pair = torch.broadcast_tensors(x1, x2)
    u1, u2 = (torch.nn.functional.normalize(x, p_norm, dim, eps_norm) for x in pair)
    return torch.nn.functional.cosine_similarity(u1, u2, dim, eps_similarity)


def rounding(x1, x2, dim=1, eps_similarity=1e-08, p_norm=2, eps_norm=1e-12):
    """The sum without signs times the relative errors of what it is divided by: two norms each."""
    sizes = [x.abs() for x in torch.broadcast_tensors(x1, x2)]
    total = normalized_cosine_similarity(sizes[0], sizes[1], dim, eps_similarity, p_norm, eps_norm)
    relative = 4 + math.sqrt(x1.shape[dim]) / 2 + torch.zeros_like(total)
    for x in sizes:
        norm = norm_of(x, p_norm, dim)
        wrong = norm_error(x, torch.zeros_like(x), p_norm, dim)
        relative = relative + torch.where(norm > 0, wrong / norm.clamp(min=1e-300), 0.0)
    return total * relative


def results(shape, dim=1, **_):
    return math.prod(shape) // max(shape[dim], 1)


def _is_valid(chosen):
    return chosen["shape"] != "no vectors" or chosen["dim"] != "first"


def _sums(x1, x2, dim=1, p_norm=2, eps_norm=1e-12, **_):
    """Normalized vectors."""
    pair = (x.float() for x in torch.broadcast_tensors(x1, x2))
    return (x / norm_of(x, p_norm, dim, True).clamp(min=eps_norm) for x in pair)


def _product_clamped(x1, x2, dim=1, eps_similarity=1e-08, **words):
    u1, u2 = _sums(x1, x2, dim, **words)
    below = (norm_of(u1, 2, dim) * norm_of(u2, 2, dim)).clamp(min=eps_similarity)
    return ((u1 * u2).sum(dim) / below).to(x1.dtype)


def _eps_added(x1, x2, dim=1, eps_similarity=1e-08, **words):
    u1, u2 = _sums(x1, x2, dim, **words)
    below = (norm_of(u1, 2, dim) + eps_similarity) * (norm_of(u2, 2, dim) + eps_similarity)
    return ((u1 * u2).sum(dim) / below).to(x1.dtype)


def _not_divided(x1, x2, dim=1, eps_similarity=1e-08, **words):
    u1, u2 = _sums(x1, x2, dim, **words)
    return (u1 * u2).sum(dim).to(x1.dtype)


def _round_units(x1, x2, dim=1, eps_similarity=1e-08, **words):
    u1, u2 = (u.to(x1.dtype) for u in _sums(x1, x2, dim, **words))
    return normalized_cosine_similarity(u1, u2, dim, eps_similarity)


TASK = vector_pairs(
    normalized_cosine_similarity,
    dim=argument("dim", not_given=None, first=0, last=-1),
    arguments=(
        argument("eps_similarity", not_given=None, half=0.5, large=20.0),
        argument("p_norm", not_given=None, one=1, three=3.0, inf=math.inf),
        argument("eps_norm", not_given=None, large=50.0),
    ),
    results=results,
    valid=_is_valid,
    corners=(
        {"p_norm": "one", "eps_similarity": "half", "dtype": "bfloat16"},
        {"p_norm": "inf", "eps_similarity": "large"},
        {"shape": "four dimensions", "p_norm": "three", "eps_similarity": "large"},
        {"eps_norm": "large", "eps_similarity": "half"},
        {"shape": "many vectors", "dim": "first"},
        {"values": "special", "p_norm": "inf", "dim": "first"},
        {"shape": "three dimensions", "second": "first of one", "dim": "first"},
    ),
    flops=8,
    huge=HugeCall({"dim": 1, "dtype": torch.bfloat16}, COLUMNS),
    eager=eager,
    contract=Close(scale=rounding),
    timings=case(shape=(4096, 1024), dtype=torch.float32)
    + case(shape=(65536, 1024), dtype=torch.float32, p_norm=1)
    + case(shape=(4099, 8191), dtype=torch.float32, dim=0),
    mutants=(
        Mutant("product of the norms clamped", _product_clamped, ("eps_similarity",)),
        Mutant("eps added to the norms", _eps_added, ("eps_similarity",)),
        Mutant("not divided again", _not_divided, ("x1", "x2", "eps_norm")),
        Mutant("units rounded to 16 bits", _round_units),
        *(
            ignore_argument(normalized_cosine_similarity, one)
            for one in ("dim", "eps_similarity", "p_norm", "eps_norm")
        ),
    ),
    difficulty=3,
)
