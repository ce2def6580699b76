import math

import torch
import triton
import triton.language as tl


@triton.jit
def _linear(
    parts, x, w, m, n, k, piece, x_row, x_col, w_row, w_col,
    PRECISION: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Product over one piece of k: few rows give too few tiles to keep the GPU busy."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    first = tl.program_id(2).to(tl.int64) * piece
    inner = first + tl.arange(0, BK)
    # Past the end other rows and columns are read, but not stored: no mask for them in the loop.
    x += (rows % m).to(tl.int64)[:, None] * x_row + inner[None, :] * x_col
    w += (cols % n).to(tl.int64)[None, :] * w_row + inner[:, None] * w_col
    length = tl.minimum(k - first, piece).to(tl.int32)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, length, BK):
        known = tl.arange(0, BK) < length - start
        a = tl.load(x, mask=known[None, :], other=0.0)
        b = tl.load(w, mask=known[:, None], other=0.0)
        acc = tl.dot(a, b, acc, input_precision=PRECISION)
        x += tl.cast(BK, tl.int64) * x_col
        w += tl.cast(BK, tl.int64) * w_col
    line = tl.program_id(2).to(tl.int64) * m + rows
    inside = (rows < m)[:, None] & (cols < n)[None, :]
    tl.store(parts + line[:, None] * n + cols[None, :], acc, mask=inside)


@triton.jit
def _rectified(parts, bias, at, live, size, columns, bias_at, BIAS, PIECES):
    total = tl.load(parts + at, mask=live, other=0.0)
    for piece in tl.static_range(1, PIECES):
        total += tl.load(parts + piece * size + at, mask=live, other=0.0)
    if BIAS:
        total += tl.load(bias + at % columns * bias_at, mask=live, other=0.0).to(tl.float32)
    return tl.where((total < 0.0) | (live == 0), 0.0, total)  # NaN stays


@triton.jit
def _normalise(
    y, parts, bias, n, size, columns, bias_at, eps,
    BIAS: tl.constexpr, PIECES: tl.constexpr, WHOLE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64) * n
    at, mean, width = tl.arange(0, BLOCK), 0.0, 1.0
    if WHOLE:  # a row that fits into a block is read once
        r = _rectified(parts, bias, row + at, at < n, size, columns, bias_at, BIAS, PIECES)
    for step in tl.static_range(3):
        part = tl.zeros((BLOCK,), dtype=tl.float32)
        for start in range(0, n, BLOCK):
            to, live = row + start + at, start + at < n
            if not WHOLE:
                r = _rectified(parts, bias, to, live, size, columns, bias_at, BIAS, PIECES)
            if step == 0:
                part += r
            elif step == 1:
                part += tl.where(live, (r - mean) * (r - mean), 0.0)
            else:
                tl.store(y + to, ((r - mean) / width).to(y.dtype.element_ty), mask=live)
        if step == 0:
            mean = tl.sum(part, axis=0) / n
        elif step == 1:
            width = tl.sqrt(tl.sum(part, axis=0) / n + eps)


def fused_layer_norm_relu_linear(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    normalized_shape: int | tuple[int, ...] | torch.Size | None = None,
    eps: float = 1e-05,
    elementwise_affine: bool = True,
) -> torch.Tensor:
    n, k = weight.shape
    x = input.reshape(-1, k)
    m, single = x.shape[0], x.dtype == torch.float32
    y = torch.empty((*input.shape[:-1], n), dtype=input.dtype, device=input.device)
    if y.numel() == 0:
        return y
    bm, bn, bk, warps, stages, precision, pieces = 32, 64, 64, 4, 3, "ieee", 1
    if m * n >= 2**16 and k >= 64:
        precision = "tf32x3"  # of float32 only: as good as one product in float32, and faster
        if m <= 32:
            bk, stages = 64 if single else 128, 4
        else:
            bm, bn, bk, warps, stages = (128, 64, 32, 4, 4) if single else (128, 128, 64, 8, 4)
    while m <= 32 and triton.cdiv(n, bn) * pieces < 120 and k // pieces >= 16 * bk:
        pieces *= 2
    parts = torch.empty((pieces, m, n), dtype=torch.float32, device=input.device)
    _linear[(triton.cdiv(m, bm), triton.cdiv(n, bn), pieces)](
        parts, x, weight, m, n, k, triton.cdiv(triton.cdiv(k, pieces), bk) * bk,
        *x.stride(), *weight.stride(),
        PRECISION=precision, BM=bm, BN=bn, BK=bk, num_warps=warps, num_stages=stages,
    )  # fmt: skip
    over = n
    if not (normalized_shape is None or isinstance(normalized_shape, int)):
        over = math.prod(normalized_shape)
    block = min(triton.next_power_of_2(over), 8192)
    added = weight if bias is None else bias
    _normalise[(m * n // over,)](
        y, parts, added, over, m * n, n, added.stride(0), eps,
        BIAS=bias is not None, PIECES=pieces, WHOLE=over <= block, BLOCK=block,
        num_warps=min(max(block // 512, 1), 16),
    )  # fmt: skip
    return y
