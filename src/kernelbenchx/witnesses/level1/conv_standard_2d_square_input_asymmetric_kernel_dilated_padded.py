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
def _conv(
    out, x, w, b, height, width, deep, outer, area, wide, kh, kw, sh, sw, ph, pw, dh, dw,
    BIAS: tl.constexpr, PRECISION: tl.constexpr,
    PIXELS: tl.constexpr, CHANNELS: tl.constexpr, DEPTH: tl.constexpr,
):  # fmt: skip
    """A tile of pixels of one image times output channels: a product over (i, j, c).

    Both operands lie densely along c, as tensor cores want them; a step stays within one tap.
    """
    blocks = tl.cdiv(area, PIXELS)
    n = (tl.program_id(0) // blocks).to(tl.int64)
    p = (tl.program_id(0) % blocks * PIXELS + tl.arange(0, PIXELS))[:, None]
    o = tl.program_id(1) * CHANNELS + tl.arange(0, CHANNELS)
    top, left = p // wide * sh - ph, p % wide * sw - pw
    x += n * height * width * deep
    terms = kh * kw * deep
    # Past the last channel an earlier one is read, but not stored: no mask for it in the loop.
    w += (o % outer)[:, None] * terms
    total = tl.zeros((PIXELS, CHANNELS), tl.float32)
    for first in range(0, terms, DEPTH):
        k = first + tl.arange(0, DEPTH)[None, :]
        tap = first // deep
        row, column = top + tap // kw * dh, left + tap % kw * dw
        seen = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        place = (row * width + column) * deep + (k - tap * deep)
        taps = tl.load(x + place, mask=seen, other=0.0)
        total = tl.dot(taps, tl.load(w + k).T, total, input_precision=PRECISION)
    if BIAS:
        total += tl.load(b + o, mask=o < outer, other=0.0).to(tl.float32)[None, :]
    to = out + (n * outer + o[None, :]) * area + p
    tl.store(to, total.to(out.dtype.element_ty), mask=(p < area) & (o < outer)[None, :])


class ModelNew(nn.Module):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, int],
        stride: int = 1,
        padding: tuple[int, int] = (0, 0),
        dilation: tuple[int, int] = (1, 1),
        bias: bool = False,
    ) -> None:
        super().__init__()
        self.conv2d = nn.Conv2d(
            in_channels, out_channels, kernel_size, stride, padding, dilation, bias=bias
        )
        self.steps = (stride, stride), padding, dilation

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x, weight, bias = x.contiguous(), self.conv2d.weight, self.conv2d.bias
        (images, inner, height, width), (outer, _, kh, kw) = x.shape, weight.shape
        (sh, sw), (ph, pw), (dh, dw) = self.steps
        high = (height + 2 * ph - dh * (kh - 1) - 1) // sh + 1
        wide = (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
        out = torch.empty((images, outer, high, wide), dtype=x.dtype, device=x.device)
        deep = triton.cdiv(inner, 32) * 32
        turned = x.new_empty((images, height * width, deep))
        tiles = triton.cdiv(height * width, 64) * triton.cdiv(deep, 64)
        _turn[(images * tiles,)](turned, x, inner, deep, height * width, BLOCK=64)
        filters = x.new_zeros((outer, kh, kw, deep))
        filters[..., :inner].copy_(weight.permute(0, 2, 3, 1))
        channels = min(max(triton.next_power_of_2(outer), 16), 64)
        grid = (images * triton.cdiv(high * wide, 128), triton.cdiv(outer, channels))
        _conv[grid](
            out, turned, filters, filters if bias is None else bias, height, width, deep, outer,
            high * wide, wide, kh, kw, sh, sw, ph, pw, dh, dw,
            BIAS=bias is not None, PRECISION="tf32x3" if grid[0] >= 120 else "ieee",
            PIXELS=128, CHANNELS=channels, DEPTH=32, num_warps=4, num_stages=3,
        )  # fmt: skip
        return out
