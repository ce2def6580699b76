import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _code(w, at, k, w_col, live, divisor):
    v = tl.load(w + at * w_col, mask=live & (at < k), other=0.0).to(tl.float32)
    code = libdevice.rint(tl.div_rn(v, divisor)).to(tl.int32)
    return tl.minimum(tl.maximum(code, -8), 7)


@triton.jit
def _pack(packed, scales, w, n, k, half, w_row, w_col, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = (tl.program_id(0) * ROWS + tl.arange(0, ROWS)).to(tl.int64)[:, None]
    live = rows < n
    w += rows * w_row
    top = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    for start in range(0, k, BLOCK):
        at = (start + tl.arange(0, BLOCK)).to(tl.int64)[None, :]
        v = tl.load(w + at * w_col, mask=live & (at < k), other=0.0).to(tl.float32)
        top = tl.maximum(top, tl.abs(v))
    scale = tl.div_rn(tl.max(top, axis=1, keep_dims=True), 7.0)
    tl.store(scales + rows, scale, mask=live)
    divisor = tl.where(scale > 0, scale, 1.0)
    for start in range(0, half, BLOCK):
        pair = (start + tl.arange(0, BLOCK)).to(tl.int64)[None, :]
        low = _code(w, 2 * pair, k, w_col, live, divisor) & 15
        high = _code(w, 2 * pair + 1, k, w_col, live, divisor) & 15
        byte = (low | (high << 4)).to(tl.uint8)
        tl.store(packed + rows * half + pair, byte, mask=live & (pair < half))


@triton.jit
def _weights(nibble, scale):
    signed = tl.where(nibble > 7, nibble - 16, nibble)
    return (signed.to(tl.float32) * scale[None, :]).to(tl.float16)


@triton.jit
def _linear(
    y, x, packed, scales, bias, b, n, k, half, x_row, x_col, bias_at,
    BIAS: tl.constexpr, BB: tl.constexpr, BN: tl.constexpr, BH: tl.constexpr,
):  # fmt: skip
    rows = (tl.program_id(0) * BB + tl.arange(0, BB)).to(tl.int64)
    cols = (tl.program_id(1) * BN + tl.arange(0, BN)).to(tl.int64)
    scale = tl.load(scales + cols, mask=cols < n, other=0.0)
    acc = tl.zeros((BB, BN), dtype=tl.float32)
    x += rows[:, None] * x_row
    for start in range(0, half, BH):
        pair = start + tl.arange(0, BH)
        inside = (pair[:, None] < half) & (cols[None, :] < n)
        byte = tl.load(packed + cols[None, :] * half + pair[:, None], mask=inside, other=0)
        even, odd = 2 * pair[None, :], 2 * pair[None, :] + 1
        first = tl.load(x + even * x_col, mask=(rows[:, None] < b) & (even < k), other=0.0)
        second = tl.load(x + odd * x_col, mask=(rows[:, None] < b) & (odd < k), other=0.0)
        acc = tl.dot(first, _weights(byte.to(tl.int32) & 15, scale), acc)
        acc = tl.dot(second, _weights(byte.to(tl.int32) >> 4, scale), acc)
    if BIAS:
        acc += tl.load(bias + cols * bias_at, mask=cols < n, other=0.0).to(tl.float32)[None, :]
    inside = (rows[:, None] < b) & (cols[None, :] < n)
    tl.store(y + rows[:, None] * n + cols[None, :], acc.to(tl.float16), mask=inside)


def linear_w4a16(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None
) -> torch.Tensor:
    (b, k), n = input.shape, weight.shape[0]
    y = torch.empty((b, n), dtype=torch.float16, device=input.device)
    if y.numel() == 0:
        return y
    half = (k + 1) // 2
    packed = torch.empty((n, half), dtype=torch.uint8, device=input.device)
    scales = torch.empty((n,), dtype=torch.float32, device=input.device)
    _pack[(triton.cdiv(n, 16),)](
        packed, scales, weight, n, k, half, *weight.stride(), ROWS=16, BLOCK=128
    )
    added = scales if bias is None else bias
    _linear[(triton.cdiv(b, 32), triton.cdiv(n, 64))](
        y, input, packed, scales, added, b, n, k, half, *input.stride(), added.stride(0),
        BIAS=bias is not None, BB=32, BN=64, BH=64,
    )  # fmt: skip
    return y
