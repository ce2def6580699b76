from typing import Any

import torch
import triton
import triton.language as tl

Sizes = int | tuple[int, ...] | None
Factors = float | tuple[float, ...] | None


@triton.jit
def _source(
    i, r, n, m, SIDE: tl.constexpr, ALIGNED: tl.constexpr, FACTOR: tl.constexpr
):  # fmt: skip
    """The element at or before the coordinate of output i, and what is left of it."""
    rest = i.to(tl.float32) * 0.0
    if SIDE == 1:
        low = tl.floor(i.to(tl.float32) * r).to(tl.int64) if FACTOR else i.to(tl.int64) * n // m
    else:
        p = i.to(tl.float32) * r if ALIGNED else (i.to(tl.float32) + 0.5) * r - 0.5
        if SIDE == 2:
            p = tl.maximum(p, 0.0)
        low = tl.floor(p).to(tl.int64)
        rest = p - tl.floor(p)
    return low, rest


@triton.jit
def _tap(low, rest, n, NUMBER: tl.constexpr, SIDE: tl.constexpr):
    """Place and weight of a tap; outside, the nearest element is read."""
    place = tl.minimum(tl.maximum(low + NUMBER - SIDE // 4, 0), n - 1)
    d = tl.abs(rest + SIDE // 4 - NUMBER)
    share = 1.0 - d
    if SIDE == 4:
        near = (1.25 * d - 2.25) * d * d + 1.0
        far = ((-0.75 * d + 3.75) * d - 6.0) * d + 3.0
        share = tl.where(d <= 1.0, near, far)
    return place, share


@triton.jit
def _resize(
    out, x, planes, chunk, blocks, places, depth, height, width, deep, tall, wide, rd, rh, rw,
    DIMS: tl.constexpr, SIDE: tl.constexpr, ALIGNED: tl.constexpr, FACTOR: tl.constexpr,
    BLOCK: tl.constexpr
):  # fmt: skip
    """Some places of some planes: coordinates are the same in all. SIDE taps along each axis."""
    first = (tl.program_id(0) // blocks).to(tl.int64) * chunk
    at = tl.program_id(0) % blocks * BLOCK + tl.arange(0, BLOCK)
    mask = at < places
    w, cw = _source(at % wide, rw, width, wide, SIDE, ALIGNED, FACTOR)
    h, ch = _source(at // wide % tall, rh, height, tall, SIDE, ALIGNED, FACTOR)
    d, cd = _source(at // wide // tall, rd, depth, deep, SIDE, ALIGNED, FACTOR)
    image = x + first * depth * height * width
    to = out + first * places + at
    for _ in range(tl.minimum(chunk, planes - first)):
        total = tl.zeros((BLOCK,), tl.float32)
        for tap in tl.static_range(SIDE**DIMS):
            place, share = _tap(w, cw, width, tap % SIDE, SIDE)
            if DIMS > 1:
                row, more = _tap(h, ch, height, tap // SIDE % SIDE, SIDE)
                place += row * width
                share *= more
            if DIMS > 2:
                slice, more = _tap(d, cd, depth, tap // SIDE // SIDE, SIDE)
                place += slice * height * width
                share *= more
            value = tl.load(image + place, mask=mask, other=0.0)
            total = value.to(tl.float32) if SIDE == 1 else total + value.to(tl.float32) * share
        tl.store(to, total.to(out.dtype.element_ty), mask=mask)
        image += depth * height * width
        to += places


def _each(value: Any, count: int) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,) * count


def interpolate(
    input: torch.Tensor,
    size: Sizes = None,
    scale_factor: Factors = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> torch.Tensor:
    x, dims = input.contiguous(), input.dim() - 2
    sizes, ratios = list(_each(size, dims)), []
    for d, (n, f) in enumerate(zip(x.shape[2:], _each(scale_factor, dims), strict=True)):
        if f is not None:
            sizes[d] = int(n * f)
        ratio = n / sizes[d] if f is None else 1.0 / f
        if align_corners:
            ratio = (n - 1) / max(sizes[d] - 1, 1)
        ratios.append(float(ratio))
    out = torch.empty((*x.shape[:2], *sizes), dtype=x.dtype, device=x.device)
    if out.numel() == 0:
        return out
    front = (1,) * (3 - dims)
    planes = x.shape[0] * x.shape[1]
    places = out.numel() // planes
    blocks = triton.cdiv(places, 256)
    chunk = min(max(planes * blocks // 4096, 1), 8)
    _resize[(triton.cdiv(planes, chunk) * blocks,)](
        out, x, planes, chunk, blocks, places, *front, *x.shape[2:], *front, *sizes,
        *(1.0,) * (3 - dims), *ratios, DIMS=dims,
        SIDE={"nearest": 1, "bicubic": 4}.get(mode, 2), ALIGNED=bool(align_corners),
        FACTOR=scale_factor is not None, BLOCK=256
    )  # fmt: skip
    return out
