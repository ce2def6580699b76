import math

import torch
import triton
import triton.language as tl


@triton.jit
def _matmul(
    c, a, b, m, n, k, wide, a_batch, a_row, a_col, b_batch, b_row, b_col,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    down, across = tl.cdiv(m, BM), tl.cdiv(n, BN)
    batch = (tl.program_id(0) // (down * across)).to(tl.int64)
    tile = tl.program_id(0) % (down * across)
    # Eight tiles down, then the next column of tiles: programs that run together share operands.
    first = tile // (8 * across) * 8
    height = tl.minimum(down - first, 8)
    rows = (first + tile % (8 * across) % height) * BM + tl.arange(0, BM)
    cols = tile % (8 * across) // height * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK).to(tl.int64)
    # Past the end other rows and columns are read, but not stored: no mask for them in the loop.
    a += batch * a_batch + (rows % m).to(tl.int64)[:, None] * a_row + inner[None, :] * a_col
    b += batch * b_batch + inner[:, None] * b_row + (cols % wide).to(tl.int64)[None, :] * b_col
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        known = tl.arange(0, BK) < k - start
        x = tl.load(a, mask=known[None, :], other=0.0)
        y = tl.load(b, mask=known[:, None], other=0.0)
        acc = tl.dot(x, y, acc)
        a += tl.cast(BK, tl.int64) * a_col
        b += tl.cast(BK, tl.int64) * b_row
    c += batch * m * n + rows.to(tl.int64)[:, None] * n + cols[None, :]
    tl.store(c, acc.to(tl.float16), mask=(rows < m)[:, None] & (cols < n)[None, :])


def _padded(x: torch.Tensor) -> torch.Tensor:
    """Zeros up to multiples of 16: only rows that are aligned to 16 bytes are loaded ahead."""
    *batch, m, n = x.shape
    if m % 16 == 0 and n % 16 == 0:
        return x
    padded = x.new_zeros((*batch, m + -m % 16, n + -n % 16))
    padded[..., :m, :n].copy_(x)
    return padded


def matmul_fp16(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    a = input.unsqueeze(0) if input.dim() == 1 else input
    b = other.unsqueeze(1) if other.dim() == 1 else other
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    m, n, count = a.shape[-2], b.shape[-1], math.prod(batch)
    c = torch.empty((count, m, n), dtype=input.dtype, device=input.device)
    if c.numel():
        # The largest tile that leaves a program for each multiprocessor.
        bm, bn, bk, warps, stages = 64, 128, 64, 4, 4
        if count * triton.cdiv(m, 128) * triton.cdiv(n, 128) >= 120:
            bm, bn, bk, warps, stages = 128, 128, 64, 8, 4
            a, b = _padded(a), _padded(b)
        if count * triton.cdiv(m, 128) * triton.cdiv(n, 256) >= 120:
            bn, stages = 256, 3
        a = a.expand(*batch, *a.shape[-2:]).reshape(count, *a.shape[-2:])
        b = b.expand(*batch, *b.shape[-2:]).reshape(count, *b.shape[-2:])
        _matmul[(count * triton.cdiv(m, bm) * triton.cdiv(n, bn),)](
            c, a, b, m, n, a.shape[2], b.shape[2], *a.stride(), *b.stride(),
            BM=bm, BN=bn, BK=bk, num_warps=warps, num_stages=stages,
        )  # fmt: skip
    rows = () if input.dim() == 1 else (m,)
    cols = () if other.dim() == 1 else (n,)
    return c.view(batch + rows + cols)
