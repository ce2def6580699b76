import math

import torch
import triton
import triton.language as tl


@triton.jit
def _matmul(
    c, a, b, m, n, k, a_batch, a_row, a_col, b_batch, b_row, b_col,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    tiles_n = tl.cdiv(n, BN)
    tiles = tl.cdiv(m, BM) * tiles_n
    batch = (tl.program_id(0) // tiles).to(tl.int64)
    tile = tl.program_id(0) % tiles
    rows = ((tile // tiles_n) * BM + tl.arange(0, BM)).to(tl.int64)
    cols = ((tile % tiles_n) * BN + tl.arange(0, BN)).to(tl.int64)
    a += batch * a_batch + rows[:, None] * a_row
    b += batch * b_batch + cols[None, :] * b_col
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        inner = (start + tl.arange(0, BK)).to(tl.int64)
        x = tl.load(
            a + inner[None, :] * a_col, mask=(rows[:, None] < m) & (inner[None, :] < k), other=0.0
        )
        y = tl.load(
            b + inner[:, None] * b_row, mask=(inner[:, None] < k) & (cols[None, :] < n), other=0.0
        )
        acc = tl.dot(x, y, acc)
    c += batch * m * n + rows[:, None] * n + cols[None, :]
    tl.store(c, acc.to(tl.float16), mask=(rows[:, None] < m) & (cols[None, :] < n))


def matmul_fp16(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    a = input.unsqueeze(0) if input.dim() == 1 else input
    b = other.unsqueeze(1) if other.dim() == 1 else other
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    count = math.prod(batch)
    c = torch.empty((count, m, n), dtype=input.dtype, device=input.device)
    if c.numel():
        a = a.expand(*batch, m, k).reshape(count, m, k)
        b = b.expand(*batch, k, n).reshape(count, k, n)
        programs = count * triton.cdiv(m, 64) * triton.cdiv(n, 64)
        _matmul[(programs,)](c, a, b, m, n, k, *a.stride(), *b.stride(), BM=64, BN=64, BK=32)
    rows = () if input.dim() == 1 else (m,)
    cols = () if other.dim() == 1 else (n,)
    return c.view(batch + rows + cols)
