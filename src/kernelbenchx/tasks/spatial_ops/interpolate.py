"""Resizes the spatial dimensions of (N, C, L), (N, C, H, W) or (N, C, D, H, W).

Exactly one of size and scale_factor is given: a number for all spatial dimensions, or a tuple with
one for each. A dimension of n elements gets m = size elements, or m = floor(n * f), f the (float)
scale_factor; m >= 1. Output element i lies at the coordinate p of the input, in each dimension:
    mode='nearest' (the default, any number of dimensions): p = floor(i * n / m), the exact quotient
        of integers; with scale_factor p = floor(i / f), where f is a multiple of 1/4; at most n - 1
    otherwise p = (i + 0.5) * r - 0.5, r = n / m, or r = 1 / f with scale_factor (f any number);
        with align_corners=True p = i * (n - 1) / (m - 1), and p = 0 if m = 1
'nearest' takes the element at p. 'linear' (3-D), 'bilinear' (4-D) and 'trilinear' (5-D) raise p to
0 where it is negative and are linear in each dimension between floor(p) and floor(p) + 1.
'bicubic' (4-D) weighs the taps t = floor(p) - 1 .. floor(p) + 2 of each dimension by w(|p - t|),
with w(d) = 1.25 d^3 - 2.25 d^2 + 1 for d <= 1 and else w(d) = -0.75 d^3 + 3.75 d^2 - 6 d + 3.
A tap outside 0..n-1 reads the nearest element inside. Nothing is smoothed before an image is made
smaller. align_corners None means False; it is not given with 'nearest'. Values are finite.
"""

from typing import Any

import torch

from kernelbenchx.spec import Mutant, case
from kernelbenchx.spec.families.resizing import nearest_places, resizing
from kernelbenchx.spec.families.standard_promises import may_be_empty


def interpolate(
    input: torch.Tensor,
    size: int | tuple[int, ...] | None = None,
    scale_factor: float | tuple[float, ...] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> torch.Tensor:
    out = input
    if mode == "nearest":  # torch rounds the quotient
        for dim, places in enumerate(nearest_places(input.shape, size, scale_factor), 2):
            out = out.index_select(dim, places.to(input.device))
        return out
    x = input.to(torch.promote_types(input.dtype, torch.float32))
    out = torch.nn.functional.interpolate(x, size, scale_factor, mode, align_corners)
    return out.to(input.dtype)


def _by_torch(input, mode, **options):
    return torch.nn.functional.interpolate(input.float(), mode=mode, **options).to(input.dtype)


def _ratio_of_sizes(input, mode="nearest", **options):
    if "scale_factor" not in options or mode == "nearest":
        return interpolate(input, mode=mode, **options)
    return _by_torch(input, mode, recompute_scale_factor=True, **options)


def _take_nearest_exact(input, mode="nearest", **options):
    return _by_torch(input, "nearest-exact" if mode == "nearest" else mode, **options)


def _antialias(input, mode="nearest", **options):
    if mode not in ("bilinear", "bicubic") or not input.numel():
        return interpolate(input, mode=mode, **options)
    return _by_torch(input, mode, antialias=True, **options)


def _reversed_sizes(input, **options):
    words: Any = {name: v[::-1] if isinstance(v, tuple) else v for name, v in options.items()}
    return interpolate(input, **words).reshape(interpolate(input, **options).shape)


def _linear_for_cubic(input, mode="nearest", **options):
    return interpolate(input, mode="bilinear" if mode == "bicubic" else mode, **options)


def _corners_for_all(input, mode="nearest", align_corners=None, **options):
    aligned = align_corners if mode == "nearest" else True
    return interpolate(input, mode=mode, align_corners=aligned, **options)


F32 = torch.float32
TWICE = {"to": (("size", (256, 256)),), "mode": "bilinear", "align_corners": True}
LARGER, DOUBLE = (("scale_factor", 1.5),), (("scale_factor", 2.0),)

TASK = resizing(
    interpolate,
    eager=torch.nn.functional.interpolate,
    promises=(may_be_empty(interpolate, "N may be 0.", "shape", "none"),),
    timings=case(shape=(16, 64, 128, 128), dtype=F32, **TWICE)
    + case(shape=(16, 32, 256, 256), to=LARGER, dtype=torch.float16, mode="bicubic")
    + case(shape=(2, 17, 63, 65, 67), to=DOUBLE, dtype=F32, mode="trilinear")
    + case(shape=(16, 63, 129, 127), to=DOUBLE, dtype=F32),
    mutants=(
        Mutant("ratio of sizes for 1 / f", _ratio_of_sizes, ("scale_factor",)),
        Mutant("nearest to the centre", _take_nearest_exact, ("mode",)),
        Mutant("smoothed", _antialias, ("size",)),
        Mutant("sizes in reverse", _reversed_sizes, ("size", "scale_factor")),
        Mutant("linear for cubic", _linear_for_cubic, ("mode",)),
        Mutant("corners always aligned", _corners_for_all, ("align_corners",)),
    ),
    difficulty=3,
    audit=("W-ARG", "W-BLOCK"),
)
