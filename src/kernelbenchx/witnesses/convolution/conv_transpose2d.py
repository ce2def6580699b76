import math
from typing import Any

import torch
import triton
import triton.language as tl

Pair = int | tuple[int, int]


def _pair(value: Any) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (value[0], value[1])


@triton.jit
def _turn(y, x, inner, deep, pixels, BLOCK: tl.constexpr):
    """(images, inner, pixels) to (images, pixels, deep), with zeros beyond `inner`."""
    across, down = tl.cdiv(pixels, BLOCK), tl.cdiv(deep, BLOCK)
    image = (tl.program_id(0) // (across * down)).to(tl.int64)
    c = (tl.program_id(0) // across % down * BLOCK + tl.arange(0, BLOCK))[:, None]
    p = (tl.program_id(0) % across * BLOCK + tl.arange(0, BLOCK))[None, :]
    x += image * inner * pixels
    v = tl.load(x + c * pixels + p, mask=(c < inner) & (p < pixels), other=0.0)
    tl.store(y + image * deep * pixels + p * deep + c, v, mask=(c < deep) & (p < pixels))


@triton.jit
def _first_tap(rest, taps, every, gap, step):
    """The first tap i with (rest - i * gap) divisible by `step`, which every `every`-th is then."""
    found = taps
    for i in range(every):
        found = tl.where((rest - i * gap) % step == 0, tl.minimum(i, found), found)
    return found


@triton.jit
def _conv(
    out, x, w, b, height, width, deep, outer, tall, wide, high, broad,
    kh, kw, sh, sw, ph, pw, dh, dw, eh, ew,
    BIAS: tl.constexpr, WHOLE: tl.constexpr,
    PIXELS: tl.constexpr, CHANNELS: tl.constexpr, DEPTH: tl.constexpr
):  # fmt: skip
    """Outputs whose place leaves the same rest after division by the stride see the same taps.

    So a tile has pixels of one rest, `high` times `broad` in all, times output channels: a product
    over (i, j, c) of the taps that count.
    """
    blocks, group, groups = tl.cdiv(high * broad, PIXELS), tl.program_id(2), tl.num_programs(2)
    rest, place = tl.program_id(0) % (sh * sw), tl.program_id(0) // (sh * sw)
    n = (place // blocks).to(tl.int64) * groups + group
    p = (place % blocks * PIXELS + tl.arange(0, PIXELS))[:, None]
    o = tl.program_id(1) * CHANNELS + tl.arange(0, CHANNELS)
    down, right = rest // sw, rest % sw
    i0, j0 = _first_tap(down + ph, kh, eh, dh, sh), _first_tap(right + pw, kw, ew, dw, sw)
    rows, columns = tl.cdiv(kh - i0, eh), tl.maximum(tl.cdiv(kw - j0, ew), 1)
    top = p // broad + (down + ph - i0 * dh) // sh
    left = p % broad + (right + pw - j0 * dw) // sw
    x += n * height * width * deep
    # Past the last channel an earlier one is read, but not stored: no mask for it in the loop.
    w += (group * outer + o % outer).to(tl.int64)[:, None] * (kh * kw * deep)
    terms = tl.where(j0 < kw, rows * columns * deep, 0)
    total = tl.zeros((PIXELS, CHANNELS), tl.float32)
    for first in range(0, terms, DEPTH):
        k = first + tl.arange(0, DEPTH)[None, :]
        tap = first // deep if WHOLE else k // deep  # WHOLE: a step stays within one tap
        i, j = tap // columns, tap % columns
        row, column = top - i * (eh * dh // sh), left - j * (ew * dw // sw)
        seen = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        source = (row * width + column) * deep + (k - tap * deep)
        factor = ((i0 + i * eh) * kw + j0 + j * ew) * deep + (k - tap * deep)
        if WHOLE:
            taps = tl.load(x + source, mask=seen, other=0.0)
            factors = tl.load(w + factor)
        else:
            taps = tl.load(x + source, mask=seen & (k < terms), other=0.0)
            factors = tl.load(w + factor, mask=k < terms, other=0.0)
        total = tl.dot(taps, factors.T, total, input_precision="tf32")
    if BIAS:
        bias = tl.load(b + group * outer + o, mask=o < outer, other=0.0)
        total += bias.to(tl.float32)[None, :]
    y, x_out = p // broad * sh + down, p % broad * sw + right
    to = out + (n * outer + o[None, :]) * (tall * wide) + y * wide + x_out
    mask = (y < tall) & (x_out < wide) & (o < outer)[None, :]
    tl.store(to, total.to(out.dtype.element_ty), mask=mask)


def conv_transpose2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: Pair = 1,
    padding: Pair = 0,
    output_padding: Pair = 0,
    groups: int = 1,
    dilation: Pair = 1,
) -> torch.Tensor:
    x, (images, channels, height, width) = input.contiguous(), input.shape
    inner, (outer, kh, kw) = channels // groups, weight.shape[1:]
    (sh, sw), (ph, pw), (dh, dw) = _pair(stride), _pair(padding), _pair(dilation)
    more = _pair(output_padding)
    tall = (height - 1) * sh - 2 * ph + dh * (kh - 1) + more[0] + 1
    wide = (width - 1) * sw - 2 * pw + dw * (kw - 1) + more[1] + 1
    out = torch.empty((images, outer * groups, tall, wide), dtype=x.dtype, device=x.device)
    if out.numel() == 0:
        return out
    pixels, columns, depth = (64, 64, 32) if x.itemsize == 4 else (64, 128, 64)
    if inner <= 32 or outer <= 32:
        pixels, columns, depth = 128, min(max(triton.next_power_of_2(outer), 16), 64), 32
    high, broad = triton.cdiv(tall, sh), triton.cdiv(wide, sw)
    pixels = min(pixels, max(triton.next_power_of_2(high * broad), 16))
    deep = inner if inner < 16 else triton.cdiv(inner, depth) * depth
    turned = x.new_empty((images * groups, height * width, deep))
    tiles = triton.cdiv(height * width, 64) * triton.cdiv(deep, 64)
    _turn[(images * groups * tiles,)](turned, x, inner, deep, height * width, BLOCK=64)
    filters = (x.new_empty if deep == inner else x.new_zeros)((groups, outer, kh, kw, deep))
    filters[..., :inner].copy_(weight.reshape(groups, inner, outer, kh, kw).permute(0, 2, 3, 4, 1))
    shift = weight if bias is None else bias.contiguous()
    grid = (images * triton.cdiv(high * broad, pixels) * sh * sw, triton.cdiv(outer, columns))
    _conv[(*grid, groups)](
        out, turned, filters, shift, height, width, deep, outer, tall, wide, high, broad,
        kh, kw, sh, sw, ph, pw, dh, dw, sh // math.gcd(sh, dh), sw // math.gcd(sw, dw),
        BIAS=bias is not None, WHOLE=deep % depth == 0,
        PIXELS=pixels, CHANNELS=columns, DEPTH=depth, num_stages=3 if inner > 32 < outer else 4
    )  # fmt: skip
    return out
