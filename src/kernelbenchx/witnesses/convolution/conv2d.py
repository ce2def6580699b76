from typing import Any

import torch
import triton
import triton.language as tl

Pair = int | tuple[int, int]


def _pair(value: Any) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def _added(weight: torch.Tensor, padding: Any, dilation: Any) -> tuple[tuple[int, int], ...]:
    """Rows above and below, columns left and right."""
    if padding == "valid":
        return (0, 0), (0, 0)
    if padding == "same":
        sizes = zip(weight.shape[2:], _pair(dilation), strict=True)
        extents = [step * (size - 1) for size, step in sizes]
        return tuple((extent // 2, extent - extent // 2) for extent in extents)
    return tuple((amount, amount) for amount in _pair(padding))


def _size(
    image: Any, weight: torch.Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1
) -> list[int]:
    """Height and width of the output."""
    added, steps, gaps = _added(weight, padding, dilation), _pair(stride), _pair(dilation)
    return [
        (image[d] + sum(added[d]) - gaps[d] * (weight.shape[2 + d] - 1) - 1) // steps[d] + 1
        for d in (0, 1)
    ]


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
def _conv(
    out, x, w, b, height, width, deep, outer, area, wide, kh, kw, sh, sw, ph, pw, dh, dw,
    BIAS: tl.constexpr, WHOLE: tl.constexpr,
    PIXELS: tl.constexpr, CHANNELS: tl.constexpr, DEPTH: tl.constexpr
):  # fmt: skip
    """A tile of pixels of one image times output channels: a product over (i, j, c).

    Both operands lie densely along c, as tensor cores want them, float32 most of all.
    """
    blocks, group, groups = tl.cdiv(area, PIXELS), tl.program_id(2), tl.num_programs(2)
    n = (tl.program_id(0) // blocks).to(tl.int64) * groups + group
    p = (tl.program_id(0) % blocks * PIXELS + tl.arange(0, PIXELS))[:, None]
    o = tl.program_id(1) * CHANNELS + tl.arange(0, CHANNELS)
    full = group * outer + o
    top, left = p // wide * sh - ph, p % wide * sw - pw
    x += n * height * width * deep
    terms = kh * kw * deep
    # Past the last channel an earlier one is read, but not stored: no mask for it in the loop.
    w += (group * outer + o % outer).to(tl.int64)[:, None] * terms
    total = tl.zeros((PIXELS, CHANNELS), tl.float32)
    for first in range(0, terms, DEPTH):
        k = first + tl.arange(0, DEPTH)[None, :]
        tap = first // deep if WHOLE else k // deep  # WHOLE: a step stays within one tap
        row, column = top + tap // kw * dh, left + tap % kw * dw
        seen = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        place = (row * width + column) * deep + (k - tap * deep)
        if WHOLE:
            taps = tl.load(x + place, mask=seen, other=0.0)
            factors = tl.load(w + k)
        else:
            taps = tl.load(x + place, mask=seen & (k < terms), other=0.0)
            factors = tl.load(w + k, mask=k < terms, other=0.0)
        total = tl.dot(taps, factors.T, total, input_precision="tf32")
    if BIAS:
        total += tl.load(b + full, mask=o < outer, other=0.0).to(tl.float32)[None, :]
    to = out + (n * outer + o[None, :]) * area + p
    tl.store(to, total.to(out.dtype.element_ty), mask=(p < area) & (o < outer)[None, :])


def conv2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: Pair = 1,
    padding: Pair | str = 0,
    dilation: Pair = 1,
    groups: int = 1,
) -> torch.Tensor:
    x, (images, _, height, width), single = input.contiguous(), input.shape, input.itemsize == 4
    outer, (inner, kh, kw) = weight.shape[0] // groups, weight.shape[1:]
    (top, _), (left, _) = _added(weight, padding, dilation)
    size = _size(x.shape[2:], weight, stride, padding, dilation)
    out = torch.empty((images, weight.shape[0], *size), dtype=x.dtype, device=x.device)
    if out.numel() == 0:
        return out
    pixels, channels, depth = 64, 64 if single else 128, 32 if single else 64
    if inner <= 32 or outer <= 32:
        pixels, channels, depth = 128, min(max(triton.next_power_of_2(outer), 16), 64), 32
    deep = inner if inner < 16 else triton.cdiv(inner, depth) * depth
    turned = x.new_empty((images * groups, height * width, deep))
    tiles = triton.cdiv(height * width, 64) * triton.cdiv(deep, 64)
    _turn[(images * groups * tiles,)](turned, x, inner, deep, height * width, BLOCK=64)
    filters = (x.new_empty if deep == inner else x.new_zeros)((weight.shape[0], kh, kw, deep))
    filters[..., :inner].copy_(weight.permute(0, 2, 3, 1))
    shift = weight if bias is None else bias.contiguous()
    area = size[0] * size[1]
    _conv[(images * triton.cdiv(area, pixels), triton.cdiv(outer, channels), groups)](
        out, turned, filters, shift, height, width, deep, outer, area, size[1], kh, kw,
        *_pair(stride), top, left, *_pair(dilation),
        BIAS=bias is not None, WHOLE=deep % depth == 0,
        PIXELS=pixels, CHANNELS=channels, DEPTH=depth, num_stages=3 if inner > 32 < outer else 4
    )  # fmt: skip
    return out
