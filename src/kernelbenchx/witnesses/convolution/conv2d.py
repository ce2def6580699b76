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
def _conv(
    out, x, w, b, count, height, width, inner, outer, high, wide,
    kh: tl.constexpr, kw: tl.constexpr, sh, sw, ph, pw, dh, dw,
    BIAS: tl.constexpr, PIXELS: tl.constexpr, CHANNELS: tl.constexpr, DEPTH: tl.constexpr
):  # fmt: skip
    """A tile of pixels times output channels of one group: a product over (c, i, j)."""
    group = tl.program_id(2)
    groups = tl.num_programs(2)
    at = tl.program_id(0) * PIXELS + tl.arange(0, PIXELS)
    o = tl.program_id(1) * CHANNELS + tl.arange(0, CHANNELS)
    pixel, channel = at < count, o < outer
    n = (at // (high * wide)).to(tl.int64)
    top = at // wide % high * sh - ph
    left = at % wide * sw - pw
    image = x + (n * groups + group) * inner * height * width
    terms = inner * kh * kw
    filters = w + (group * outer + o).to(tl.int64) * terms
    total = tl.zeros((PIXELS, CHANNELS), tl.float32)
    for first in range(0, terms, DEPTH):
        k = first + tl.arange(0, DEPTH)
        row = top[:, None] + (k // kw % kh * dh)[None, :]
        column = left[:, None] + (k % kw * dw)[None, :]
        place = (k // (kh * kw))[None, :] * height * width + row * width + column
        seen = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        seen = seen & pixel[:, None] & (k < terms)[None, :]
        taps = tl.load(image[:, None] + place, mask=seen, other=0.0)
        known = (k < terms)[:, None] & channel[None, :]
        factors = tl.load(filters[None, :] + k[:, None], mask=known, other=0.0)
        total = tl.dot(taps, factors, total, input_precision="ieee")
    full = group * outer + o
    if BIAS:
        total += tl.load(b + full, mask=channel, other=0.0).to(tl.float32)[None, :]
    start = (n * groups * outer)[:, None] + full[None, :]
    to = out + start * high * wide + (at % (high * wide))[:, None]
    tl.store(to, total.to(out.dtype.element_ty), mask=pixel[:, None] & channel[None, :])


def conv2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: Pair = 1,
    padding: Pair | str = 0,
    dilation: Pair = 1,
    groups: int = 1,
) -> torch.Tensor:
    x, w = input.contiguous(), weight.contiguous()
    outer, inner = w.shape[0] // groups, w.shape[1]
    (top, _), (left, _) = _added(w, padding, dilation)
    size = _size(x.shape[2:], w, stride, padding, dilation)
    out = torch.empty((x.shape[0], w.shape[0], *size), dtype=x.dtype, device=x.device)
    count = x.shape[0] * size[0] * size[1]
    if out.numel():
        _conv[(triton.cdiv(count, 64), triton.cdiv(outer, 32), groups)](
            out, x, w, w if bias is None else bias, count, *x.shape[2:], inner, outer, *size,
            *w.shape[2:], *_pair(stride), top, left, *_pair(dilation),
            BIAS=bias is not None, PIXELS=64, CHANNELS=32, DEPTH=32
        )  # fmt: skip
    return out
