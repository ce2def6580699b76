import math

import torch
import triton
import triton.language as tl


@triton.jit
def _statistics(
    mean, var, running_mean, running_var, x, count, channels, inner, momentum,
    ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Of BLOCK neighbouring channels, so that rows of (N, C) are read whole: Welford's update."""
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    valid = c < channels
    seen = tl.zeros((ROWS, BLOCK), tl.float32)
    m = tl.zeros((ROWS, BLOCK), tl.float32)
    squares = tl.zeros((ROWS, BLOCK), tl.float32)
    odd = tl.zeros((ROWS, BLOCK), tl.float32)
    for first in range(0, count, ROWS):
        j = first + tl.arange(0, ROWS)
        places = (j // inner).to(tl.int64) * channels * inner + j % inner
        mask = (j < count)[:, None] & valid[None, :]
        at = places[:, None] + (c * inner)[None, :]
        v = tl.load(x + at, mask=mask, other=0.0).to(tl.float32)
        odd += tl.where(tl.abs(v) < float("inf"), 0.0, v)
        seen += tl.where(mask, 1.0, 0.0)
        away = tl.where(mask, v - m, 0.0)
        m += away / tl.maximum(seen, 1.0)
        squares += away * tl.where(mask, v - m, 0.0)
    # Means of the rows are merged by their distance from the common one.
    centre = tl.sum(m * seen, axis=0) / count
    # The mean of a channel with infinities is their sum; the update above makes NaN of it.
    odds = tl.sum(odd, axis=0)
    centre = tl.where(odds == 0.0, centre, odds)
    away = m - centre[None, :]
    squared = tl.sum(squares + seen * away * away, axis=0)
    tl.store(mean + c, centre, mask=valid)
    tl.store(var + c, squared / count, mask=valid)
    old_mean = tl.load(running_mean + c, mask=valid, other=0.0)
    old_var = tl.load(running_var + c, mask=valid, other=0.0)
    tl.store(running_mean + c, (1.0 - momentum) * old_mean + momentum * centre, mask=valid)
    new_var = (1.0 - momentum) * old_var + momentum * (squared / (count - 1))
    tl.store(running_var + c, new_var, mask=valid)


@triton.jit
def _gated(
    y, x, mean, var, weight, bias, n, channels, inner, eps,
    WEIGHT: tl.constexpr, BIAS: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    c = at // inner % channels
    v = tl.load(x + at, mask=mask, other=0.0).to(tl.float32)
    m = tl.load(mean + c, mask=mask, other=0.0)
    s = tl.load(var + c, mask=mask, other=1.0)
    z = (v - m) / tl.sqrt(s + eps)
    if WEIGHT:
        z *= tl.load(weight + c, mask=mask, other=0.0)
    if BIAS:
        z += tl.load(bias + c, mask=mask, other=0.0)
    tl.store(y + at, (1.0 / (1.0 + tl.exp(-z))).to(y.dtype.element_ty), mask=mask)


def fused_sigmoid_batch_norm(
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
        # Where channels lie apart, lanes go along them.
        rows, block = (32, 32) if inner == 1 else (1024, 1)
        _statistics[(triton.cdiv(channels, block),)](
            mean, var, *old, x, n // channels, channels, inner, momentum, ROWS=rows, BLOCK=block
        )
        if old[0] is not running_mean:
            running_mean.copy_(old[0])
        if old[1] is not running_var:
            running_var.copy_(old[1])
    if n:
        scale, shift = (mean if one is None else one.contiguous() for one in (weight, bias))
        _gated[(triton.cdiv(n, 1024),)](
            y, x, mean, var, scale, shift, n, channels, inner, eps,
            WEIGHT=weight is not None, BIAS=bias is not None, BLOCK=1024,
        )  # fmt: skip
    return y
