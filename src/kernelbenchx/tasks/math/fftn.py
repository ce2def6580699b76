"""Discrete Fourier transform over several dimensions, full complex spectrum.

X[k] = sum over n of x[n] * exp(-2 * pi * i * sum over d of k_d * n_d / s_d), for the dimensions
`dim`. Without `dim` these are all dimensions, or the last len(s) where `s` is given. `s` gives
the transformed size of each of them in order: a longer dimension is cut at its end, a shorter one
padded there with zeros, and -1 keeps it. norm None or 'backward': no factor; 'ortho': 1 /
sqrt(product of the s_d); 'forward': 1 / product of the s_d. Negative dimensions count from the
end; other dimensions are a batch and may have size 0. A 0-d input is its own transform. The input
is finite; float32 and complex64 give complex64, computed in float32 (twiddle factors to float32
accuracy too), float64 and complex128 give complex128, computed in float64.

The published reference ignores `out` and compares bits; here `out` is filled and the error is
judged against the exact transform.
"""

import math
from typing import Any

import torch

from kernelbenchx.spec import Call, Close, Draw, Mutant, Task, call, case
from kernelbenchx.spec.families import fourier, mistakes
from kernelbenchx.spec.families.axes import dtypes, layouts, outs, values
from kernelbenchx.spec.space import Space
from kernelbenchx.spec.tiles import SMALL_TILE, fills_tiles

SINGLE = (torch.float32, torch.complex64)
DOUBLE = (torch.float64, torch.complex128)
SIZES = {"ordinary": 1.0, "small": 1e-6, "large": 1e6}
Ints = tuple[int, ...]


def fftn(
    input: torch.Tensor,
    s: Ints | None = None,
    dim: Ints | None = None,
    norm: str | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    result = fourier.transform(input, s, dim, norm)
    return result if out is None else out.copy_(result)


def inputs(
    draw: Draw,
    shape: Ints,
    dtype: torch.dtype,
    layout: str = "contiguous",
    values: str = "ordinary",
    out: str | None = None,
    **words: Any,
) -> Call:
    size = SIZES[values]
    x = draw.laid_out(draw.plant(draw.normal(shape, dtype, size), (100 * size, -0.0)), layout)
    if out is not None:
        like = fftn(x, **words)
        words["out"] = draw.laid_out(draw.normal(like.shape, like.dtype), out)
    return call(x, **words)


def _all_dims(input, s=None, dim=None, norm=None, out=None):
    keep = s is not None or input.numel() == 0
    return fftn(input, s, dim if keep else None, norm, out)


def _first_dims(input, s=None, dim=None, norm=None, out=None):
    """Takes the first len(s) dimensions for the default."""
    first = tuple(range(len(s))) if s is not None and dim is None else dim
    return mistakes.store_result(fftn(input, s, first, norm), out)


def _cut_in_front(input, s=None, dim=None, norm=None, out=None):
    """Cuts and pads at the beginning of a dimension."""
    dims, sizes = fourier.plan(tuple(input.shape), s, dim)
    for d, size in zip(dims, sizes, strict=True):
        extra = size - input.shape[d]
        pad = [0, 0] * (input.dim() - 1 - d) + [extra, 0]
        input = torch.nn.functional.pad(input, pad)
    return fftn(input, None, dim if s is None else tuple(dims), norm, out)


def _root_only(input, s=None, dim=None, norm=None, out=None):
    return fftn(input, s, dim, "ortho" if norm == "forward" else norm, out)


def _inverse(input, s=None, dim=None, norm=None, out=None):
    """The other sign in the exponent."""
    return mistakes.store_result(fftn(input.conj(), s, dim, norm).conj().resolve_conj(), out)


def _coarse_angles(input, s=None, dim=None, norm=None, out=None):
    """Angles k * n in float32, not reduced to one turn before: off as the last of them is."""
    dims, sizes = fourier.plan(tuple(input.shape), s, dim)
    result = fftn(input, s, dim, norm)
    for d, size in zip(dims, sizes, strict=True):
        turns = torch.arange(size).view(-1, *(1,) * (result.dim() - 1 - d)) * (size - 1)
        step = 2 * math.pi / size
        off = (turns.float() * step).double() - turns.double() * step
        result = (result * torch.polar(torch.ones_like(off), off)).to(result.dtype)
    return mistakes.store_result(result, out)


def _narrow(input, s=None, dim=None, norm=None, out=None):
    right = fftn(input, s, dim, norm)
    return mistakes.store_result(right.to(torch.complex64).to(right.dtype), out)


TASK = Task(
    reference=fftn,
    inputs=inputs,
    cost=fourier.cost,
    contract=Close(scale=fourier.size),
    space=Space(
        (*fourier.AXES, dtypes(SINGLE, DOUBLE), layouts(), outs(), values(("small", "large"))),
        valid=fourier.is_valid,
        corners=(
            *({"dtype": str(one).removeprefix("torch.")} for one in (*SINGLE, *DOUBLE)),
            {"shape": "three dimensions", "dim": "two", "norm": "ortho"},
            {"s": "longer", "dim": "first", "norm": "forward"},
            {"s": "cut"},
            {"shape": "three dimensions", "s": "last only"},
            {"shape": "three dimensions", "dim": "two in falling order", "s": "one kept"},
            {"layout": "transposed", "dim": "last"},
            {"out": "transposed"},
            {"shape": "0-d"},
        ),
        spans_tiles=lambda params: fills_tiles(params["shape"], SMALL_TILE),
    ),
    promises=(mistakes.strides_promise(fftn), mistakes.out_promise(fftn)),
    timings=(
        case(shape=(4, 2**20), dtype=torch.complex64, dim=(-1,), norm="ortho")
        + case(shape=(2048, 2048), dtype=torch.float32)
        + case(shape=(1001, 1215), dtype=torch.complex64)
    ),
    mutants=(
        Mutant("dim is ignored", _all_dims, ("dim", "W-ARG")),
        Mutant("s counts from the first dimension", _first_dims, ("s", "dim")),
        Mutant("cut and padded in front", _cut_in_front, ("s", "W-ARG")),
        mistakes.ignore_argument(fftn, "norm", "W-ARG"),
        Mutant("'forward' is taken for 'ortho'", _root_only, ("norm",)),
        Mutant("the other sign in the exponent", _inverse, ("input",)),
        Mutant("angles not reduced before they are rounded", _coarse_angles, ("I-BIT",)),
        Mutant("float64 computed in float32", _narrow),
    ),
    dtypes=(*SINGLE, *DOUBLE),
    difficulty=5,
    writes=("out",),
    audit=("I-BIT", "W-ARG"),
)
