import math

import torch
import triton
import triton.language as tl


@triton.jit
def _source(g, size, ALIGNED: tl.constexpr, INSIDE: tl.constexpr, REFLECTED: tl.constexpr):
    """The pixel coordinate that a grid value names, brought inside where the padding says so."""
    if ALIGNED:
        p = (g + 1.0) / 2.0 * (size - 1)
    else:
        p = ((g + 1.0) * size - 1.0) / 2.0
    if REFLECTED:
        if ALIGNED:
            low = 0.0
            span = tl.maximum(size - 1, 1) * 1.0
        else:
            low = -0.5
            span = size * 1.0
        distance = tl.abs(p - low)
        turns = tl.floor(distance / span)
        rest = distance - turns * span
        backwards = turns - 2.0 * tl.floor(turns / 2.0) == 1.0
        p = tl.where(backwards, span - rest, rest) + low
    if INSIDE:
        p = tl.minimum(tl.maximum(p, 0.0), size - 1.0)
    return p


@triton.jit
def _nearest(p):
    """Rounded, halves to even."""
    low = tl.floor(p)
    odd = low - 2.0 * tl.floor(low / 2.0) == 1.0
    up = (p - low > 0.5) | ((p - low == 0.5) & odd)
    return tl.where(up, low + 1.0, low)


@triton.jit
def _sample(
    out, x, grid, points, places, channels, depth, height, width,
    VOLUME: tl.constexpr, NEAREST: tl.constexpr, ALIGNED: tl.constexpr, INSIDE: tl.constexpr,
    REFLECTED: tl.constexpr, TAPS: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < points
    named = grid + at * (3 if VOLUME else 2)
    gx = tl.load(named, mask=mask, other=0.0).to(tl.float32)
    gy = tl.load(named + 1, mask=mask, other=0.0).to(tl.float32)
    px = _source(gx, width, ALIGNED, INSIDE, REFLECTED)
    py = _source(gy, height, ALIGNED, INSIDE, REFLECTED)
    pz = tl.zeros((BLOCK,), tl.float32)
    if VOLUME:
        gz = tl.load(named + 2, mask=mask, other=0.0).to(tl.float32)
        pz = _source(gz, depth, ALIGNED, INSIDE, REFLECTED)
    if NEAREST:
        px, py, pz = _nearest(px), _nearest(py), _nearest(pz)
    n = at // places
    image = x + n * channels * depth * height * width
    to = out + n * channels * places + at % places
    for _ in range(channels):
        total = tl.zeros((BLOCK,), tl.float32)
        for tap in tl.static_range(TAPS):
            tx = tl.floor(px) + (tap % 2)
            ty = tl.floor(py) + (tap // 2 % 2)
            tz = tl.floor(pz) + (tap // 4)
            seen = (tx >= 0) & (tx < width) & (ty >= 0) & (ty < height) & (tz >= 0) & (tz < depth)
            ix = tl.where(seen, tx, 0.0).to(tl.int64)
            iy = tl.where(seen, ty, 0.0).to(tl.int64)
            iz = tl.where(seen, tz, 0.0).to(tl.int64)
            place = (iz * height + iy) * width + ix
            value = tl.load(image + place, mask=mask & seen, other=0.0).to(tl.float32)
            share = (1.0 - tl.abs(px - tx)) * (1.0 - tl.abs(py - ty)) * (1.0 - tl.abs(pz - tz))
            total += value * share
        tl.store(to, total.to(out.dtype.element_ty), mask=mask)
        image += depth * height * width
        to += places


def grid_sample(
    input: torch.Tensor,
    grid: torch.Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> torch.Tensor:
    x, named = input.contiguous(), grid.contiguous()
    volume = x.dim() == 5
    sizes = tuple(x.shape[2:]) if volume else (1, *x.shape[2:])
    out = torch.empty((*x.shape[:2], *grid.shape[1:-1]), dtype=x.dtype, device=x.device)
    places = math.prod(grid.shape[1:-1])
    points = x.shape[0] * places
    nearest = mode == "nearest"
    taps = 1 if nearest else 8 if volume else 4
    if out.numel():
        _sample[(triton.cdiv(points, 256),)](
            out, x, named, points, places, x.shape[1], *sizes,
            VOLUME=volume, NEAREST=nearest, ALIGNED=align_corners, INSIDE=padding_mode != "zeros",
            REFLECTED=padding_mode == "reflection", TAPS=taps, BLOCK=256
        )  # fmt: skip
    return out
