import torch
import triton
import triton.language as tl


@triton.jit
def _centre(k, count, ALIGNED: tl.constexpr):
    """The coordinate in -1..1 of pixel k of so many."""
    if ALIGNED:
        c = tl.where(count > 1, 2.0 * k / tl.maximum(count - 1, 1) - 1.0, 0.0)
    else:
        c = (2.0 * k + 1.0) / count - 1.0
    return c


@triton.jit
def _inside(p, size, ALIGNED: tl.constexpr, REFLECTED: tl.constexpr):
    """Mirrored where the padding says so, then clamped."""
    if REFLECTED:
        low = 0.0 if ALIGNED else -0.5
        span = (tl.maximum(size - 1, 1) if ALIGNED else size) * 1.0
        distance = tl.abs(p - low)
        turns = tl.floor(distance / span)
        rest = distance - turns * span
        backwards = turns - 2.0 * tl.floor(turns / 2.0) == 1.0
        p = tl.where(backwards, span - rest, rest) + low
    return tl.minimum(tl.maximum(p, 0.0), size - 1.0)


@triton.jit
def _nearest(p):
    """Rounded, halves to even."""
    low = tl.floor(p)
    odd = low - 2.0 * tl.floor(low / 2.0) == 1.0
    up = (p - low > 0.5) | ((p - low == 0.5) & odd)
    return tl.where(up, low + 1.0, low)


@triton.jit
def _share(d, CUBIC: tl.constexpr):
    """The weight of a tap at this distance."""
    if CUBIC:
        near = (1.25 * d - 2.25) * d * d + 1.0
        far = ((-0.75 * d + 3.75) * d - 6.0) * d + 3.0
        share = tl.where(d <= 1.0, near, far)
    else:
        share = 1.0 - d
    return share


@triton.jit
def _sample(
    out, x, theta, places, blocks, channels, height, width, tall, wide,
    SIDE: tl.constexpr, ALIGNED: tl.constexpr, PADDED: tl.constexpr, REFLECTED: tl.constexpr,
    BLOCK: tl.constexpr
):  # fmt: skip
    """SIDE taps along each axis: 1 is the nearest pixel, 4 is cubic."""
    n = (tl.program_id(0) // blocks).to(tl.int64)
    at = tl.program_id(0) % blocks * BLOCK + tl.arange(0, BLOCK)
    mask = at < places
    a = _centre((at % wide).to(tl.float32), wide, ALIGNED)
    b = _centre((at // wide).to(tl.float32), tall, ALIGNED)
    m = theta + n * 6
    u = tl.load(m) * a + tl.load(m + 1) * b + tl.load(m + 2)
    v = tl.load(m + 3) * a + tl.load(m + 4) * b + tl.load(m + 5)
    if ALIGNED:
        px, py = (u + 1.0) / 2.0 * (width - 1), (v + 1.0) / 2.0 * (height - 1)
    else:
        px, py = ((u + 1.0) * width - 1.0) / 2.0, ((v + 1.0) * height - 1.0) / 2.0
    if PADDED and SIDE < 4:
        px = _inside(px, width, ALIGNED, REFLECTED)
        py = _inside(py, height, ALIGNED, REFLECTED)
    if SIDE == 1:
        px, py = _nearest(px), _nearest(py)
    image = x + n * channels * height * width
    to = out + n * channels * places + at
    for _ in range(channels):
        total = tl.zeros((BLOCK,), tl.float32)
        for tap in tl.static_range(SIDE * SIDE):
            tx = tl.floor(px) + (tap % SIDE - SIDE // 4)
            ty = tl.floor(py) + (tap // SIDE - SIDE // 4)
            share = _share(tl.abs(px - tx), SIDE == 4) * _share(tl.abs(py - ty), SIDE == 4)
            if PADDED and SIDE == 4:
                tx = _inside(tx, width, ALIGNED, REFLECTED)
                ty = _inside(ty, height, ALIGNED, REFLECTED)
            seen = (tx >= 0) & (tx < width) & (ty >= 0) & (ty < height) & mask
            place = tl.where(seen, ty, 0.0).to(tl.int64) * width + tl.where(seen, tx, 0.0).to(
                tl.int64
            )
            total += tl.load(image + place, mask=seen, other=0.0).to(tl.float32) * share
        tl.store(to, total.to(out.dtype.element_ty), mask=mask)
        image += height * width
        to += places


def grid_sample_with_affine(
    input: torch.Tensor,
    theta: torch.Tensor,
    size: torch.Size,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> torch.Tensor:
    x, maps = input.contiguous(), theta.to(torch.float32).contiguous()
    out = torch.empty(tuple(size), dtype=x.dtype, device=x.device)
    tall, wide = size[2], size[3]
    blocks = triton.cdiv(tall * wide, 256)
    _sample[(x.shape[0] * blocks,)](
        out, x, maps, tall * wide, blocks, x.shape[1], x.shape[2], x.shape[3], tall, wide,
        SIDE={"nearest": 1, "bilinear": 2, "bicubic": 4}[mode], ALIGNED=align_corners,
        PADDED=padding_mode != "zeros", REFLECTED=padding_mode == "reflection", BLOCK=256
    )  # fmt: skip
    return out
