import math

import torch
import triton
import triton.language as tl


@triton.jit
def _moments(
    means, squares, counts, x, images, channels, inner, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    """One tile of a channel, images by pixels: its mean, and the squared deviations from it."""
    blocks = tl.cdiv(inner, BLOCK)
    c, block = tl.program_id(0) // blocks, tl.program_id(0) % blocks
    image = tl.program_id(1) * ROWS + tl.arange(0, ROWS)[:, None]
    pixel = block * BLOCK + tl.arange(0, BLOCK)[None, :]
    mask = (image < images) & (pixel < inner)
    places = (image.to(tl.int64) * channels + c) * inner + pixel
    v = tl.load(x + places, mask=mask, other=0.0).to(tl.float32)
    count = tl.sum(mask.to(tl.float32))
    m = tl.sum(v) / count
    d = tl.where(mask, v - m, 0.0)
    place = (c * blocks + block) * tl.num_programs(1) + tl.program_id(1)
    tl.store(means + place, m)
    tl.store(squares + place, tl.sum(d * d))
    tl.store(counts + place, count)


@triton.jit
def _statistics(
    mean, var, running_mean, running_var, means, squares, counts, parts, momentum,
    PARTS: tl.constexpr
):  # fmt: skip
    """All tiles of a channel together (Chan)."""
    c = tl.program_id(0)
    at, mask = c * parts + tl.arange(0, PARTS), tl.arange(0, PARTS) < parts
    middle = tl.load(means + at, mask=mask, other=0.0)
    each = tl.load(counts + at, mask=mask, other=0.0)
    count = tl.sum(each, axis=0)
    m = tl.sum(middle * each, axis=0) / count
    d = tl.where(mask, middle - m, 0.0)
    squared = tl.sum(tl.load(squares + at, mask=mask, other=0.0) + d * d * each, axis=0)
    tl.store(mean + c, m)
    tl.store(var + c, squared / count)
    old_mean, old_var = tl.load(running_mean + c), tl.load(running_var + c)
    tl.store(running_mean + c, (1.0 - momentum) * old_mean + momentum * m)
    tl.store(running_var + c, (1.0 - momentum) * old_var + momentum * (squared / (count - 1)))


@triton.jit
def _block(y, x, mean, var, weight, bias, c, mask, eps, WEIGHT: tl.constexpr, BIAS: tl.constexpr):
    v = tl.load(x, mask=mask).to(tl.float32)
    value = (v - tl.load(mean + c)) / tl.sqrt(tl.load(var + c) + eps)
    if WEIGHT:
        value = value * tl.load(weight + c)
    if BIAS:
        value = value + tl.load(bias + c)
    tl.store(y, value.to(y.dtype.element_ty), mask=mask)


@triton.jit
def _normalized(
    y, x, mean, var, weight, bias, n, channels, inner, eps,
    WEIGHT: tl.constexpr, BIAS: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    first = tl.program_id(0).to(tl.int64) * BLOCK
    at = first + tl.arange(0, BLOCK)
    # The block's start is reduced in 64 bits, so that lanes divide in 32.
    start = (first % (channels * inner)).to(tl.int32)
    one = start // inner == (start + BLOCK - 1) // inner
    if one & (first + BLOCK <= n):  # one channel: nothing to look up, and no mask
        _block(y + at, x + at, mean, var, weight, bias, start // inner, None, eps, WEIGHT, BIAS)
    else:
        c = (start + tl.arange(0, BLOCK)) // inner % channels
        _block(y + at, x + at, mean, var, weight, bias, c, at < n, eps, WEIGHT, BIAS)


def batch_norm(
    input: torch.Tensor,
    running_mean: torch.Tensor,
    running_var: torch.Tensor,
    weight: torch.Tensor | None = None,
    bias: torch.Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-05,
) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    n, channels, inner = x.numel(), x.shape[1], math.prod(x.shape[2:])
    mean, var = old = running_mean.contiguous(), running_var.contiguous()
    if training:
        mean, var = torch.empty_like(old[0]), torch.empty_like(old[1])
        images, block = x.shape[0], min(triton.next_power_of_2(inner), 4096)
        rows = min(triton.next_power_of_2(images), 4096 // block)
        blocks, shares = triton.cdiv(inner, block), triton.cdiv(images, rows)
        kept = [torch.empty(channels * blocks * shares, device=x.device) for _ in range(3)]
        _moments[(channels * blocks, shares)](
            *kept, x, images, channels, inner, ROWS=rows, BLOCK=block, num_warps=8
        )
        high = triton.next_power_of_2(blocks * shares)
        _statistics[(channels,)](mean, var, *old, *kept, blocks * shares, momentum, PARTS=high)
        # A contiguous one was written where it lies.
        if old[0] is not running_mean:
            running_mean.copy_(old[0])
        if old[1] is not running_var:
            running_var.copy_(old[1])
    if n:
        scale, shift = (mean if one is None else one.contiguous() for one in (weight, bias))
        affine = {"WEIGHT": weight is not None, "BIAS": bias is not None}
        _normalized[(triton.cdiv(n, 1024),)](
            y, x, mean, var, scale, shift, n, channels, inner, eps, BLOCK=1024, **affine
        )
    return y
