import math

import torch
import triton
import triton.language as tl
from torch import nn


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
    out, x, w, b, height, width, deep, outer, tall, wide, high, broad, k, s, pad, d, every,
    BIAS: tl.constexpr, PRECISION: tl.constexpr,
    PIXELS: tl.constexpr, CHANNELS: tl.constexpr, DEPTH: tl.constexpr,
):  # fmt: skip
    """Outputs whose place leaves the same rest after division by the stride see the same taps.

    So a tile has pixels of one rest, `high` times `broad` in all, times output channels: a product
    over (i, j, c) of the taps that count.
    """
    blocks = tl.cdiv(high * broad, PIXELS)
    rest, place = tl.program_id(0) % (s * s), tl.program_id(0) // (s * s)
    n = (place // blocks).to(tl.int64)
    p = (place % blocks * PIXELS + tl.arange(0, PIXELS))[:, None]
    o = tl.program_id(1) * CHANNELS + tl.arange(0, CHANNELS)
    down, right = rest // s, rest % s
    i0, j0 = _first_tap(down + pad, k, every, d, s), _first_tap(right + pad, k, every, d, s)
    rows, columns = tl.cdiv(k - i0, every), tl.maximum(tl.cdiv(k - j0, every), 1)
    top = p // broad + (down + pad - i0 * d) // s
    left = p % broad + (right + pad - j0 * d) // s
    x += n * height * width * deep
    # Past the last channel an earlier one is read, but not stored: no mask for it in the loop.
    w += (o % outer)[:, None] * (k * k * deep)
    total = tl.zeros((PIXELS, CHANNELS), tl.float32)
    for first in range(0, tl.where(j0 < k, rows * columns * deep, 0), DEPTH):
        tap = first // deep  # a step stays within one tap
        c = first - tap * deep + tl.arange(0, DEPTH)[None, :]
        i, j = tap // columns, tap % columns
        row, column = top - i * (every * d // s), left - j * (every * d // s)
        seen = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        taps = tl.load(x + (row * width + column) * deep + c, mask=seen, other=0.0)
        factors = tl.load(w + ((i0 + i * every) * k + j0 + j * every) * deep + c)
        total = tl.dot(taps, factors.T, total, input_precision=PRECISION)
    if BIAS:
        total += tl.load(b + o, mask=o < outer, other=0.0).to(tl.float32)[None, :]
    y, x_out = p // broad * s + down, p % broad * s + right
    to = out + (n * outer + o[None, :]) * (tall * wide) + y * wide + x_out
    mask = (y < tall) & (x_out < wide) & (o < outer)[None, :]
    tl.store(to, total.to(out.dtype.element_ty), mask=mask)


class ModelNew(nn.Module):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv_transpose2d = nn.ConvTranspose2d(
            in_channels, out_channels, kernel_size, stride, padding, bias=bias, dilation=dilation
        )
        self.steps = kernel_size, stride, padding, dilation

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x, (k, s, pad, d) = x.contiguous(), self.steps
        weight, bias = self.conv_transpose2d.weight, self.conv_transpose2d.bias
        (images, inner, height, width), outer = x.shape, weight.shape[1]
        tall, wide = ((size - 1) * s - 2 * pad + d * (k - 1) + 1 for size in (height, width))
        out = torch.empty((images, outer, tall, wide), dtype=x.dtype, device=x.device)
        deep = triton.cdiv(inner, 32) * 32
        turned = x.new_empty((images, height * width, deep))
        tiles = triton.cdiv(height * width, 64) * triton.cdiv(deep, 64)
        _turn[(images * tiles,)](turned, x, inner, deep, height * width, BLOCK=64)
        filters = x.new_zeros((outer, k, k, deep))
        filters[..., :inner].copy_(weight.permute(1, 2, 3, 0))
        high, broad = triton.cdiv(tall, s), triton.cdiv(wide, s)
        pixels = min(128, max(triton.next_power_of_2(high * broad), 16))
        channels = min(max(triton.next_power_of_2(outer), 16), 64)
        programs = images * triton.cdiv(high * broad, pixels) * s * s
        _conv[(programs, triton.cdiv(outer, channels))](
            out, turned, filters, filters if bias is None else bias, height, width, deep, outer,
            tall, wide, high, broad, k, s, pad, d, s // math.gcd(s, d),
            BIAS=bias is not None, PRECISION="tf32x3" if programs >= 3000 else "ieee",
            PIXELS=pixels, CHANNELS=channels, DEPTH=32, num_warps=4, num_stages=3,
        )  # fmt: skip
        return out
