import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _quantise(
    q, scales, x, count, k, wide, x_slice, x_along, SLICES: tl.constexpr, BLOCK: tl.constexpr
):
    """Codes lie densely along k, with zeros up to `wide`, so that their rows are aligned."""
    slices = (tl.program_id(0) * SLICES + tl.arange(0, SLICES)).to(tl.int64)[:, None]
    top = tl.zeros((SLICES, BLOCK), dtype=tl.float32)
    for start in range(0, k, BLOCK):
        at = (start + tl.arange(0, BLOCK)).to(tl.int64)[None, :]
        inside = (slices < count) & (at < k)
        v = tl.load(x + slices * x_slice + at * x_along, mask=inside, other=0.0).to(tl.float32)
        top = tl.maximum(top, tl.abs(v))
    scale = tl.div_rn(tl.max(top, axis=1, keep_dims=True), 127.0)
    tl.store(scales + slices, scale, mask=slices < count)
    divisor = tl.where(scale > 0, scale, 1.0)
    for start in range(0, wide, BLOCK):
        at = (start + tl.arange(0, BLOCK)).to(tl.int64)[None, :]
        inside = (slices < count) & (at < k)
        v = tl.load(x + slices * x_slice + at * x_along, mask=inside, other=0.0).to(tl.float32)
        code = libdevice.rint(tl.div_rn(v, divisor))
        tl.store(q + slices * wide + at, code.to(tl.int8), mask=(slices < count) & (at < wide))


@triton.jit
def _integer_product(
    c, xq, wq, sx, sw, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    down, across = tl.cdiv(m, BM), tl.cdiv(n, BN)
    # Eight tiles down, then the next column of tiles: programs that run together share operands.
    first = tl.program_id(0) // (8 * across) * 8
    height = tl.minimum(down - first, 8)
    tile = tl.program_id(0) % (8 * across)
    rows = (first + tile % height) * BM + tl.arange(0, BM)
    cols = tile // height * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    # Past the end other rows and columns are read, but not stored: no mask for them in the loop.
    xq += (rows % m).to(tl.int64)[:, None] * k + inner[None, :]
    wq += (cols % n).to(tl.int64)[None, :] * k + inner[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for start in range(0, k, BK):
        x = tl.load(xq + start, mask=inner[None, :] < k - start, other=0)
        w = tl.load(wq + start, mask=inner[:, None] < k - start, other=0)
        acc = tl.dot(x, w, acc, out_dtype=tl.int32)
    row_scale = tl.load(sx + rows, mask=rows < m, other=0.0)
    col_scale = tl.load(sw + cols, mask=cols < n, other=0.0)
    result = acc.to(tl.float32) * row_scale[:, None] * col_scale[None, :]
    inside = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows.to(tl.int64)[:, None] * n + cols[None, :], result, mask=inside)


def matmul_w8a8(input: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    (m, k), n = input.shape, weight.shape[1]
    c = torch.empty((m, n), dtype=torch.float32, device=input.device)
    if c.numel() == 0:
        return c
    wide = k + -k % 16
    xq, sx = c.new_empty((m, wide), dtype=torch.int8), c.new_empty((m,))
    wq, sw = c.new_empty((n, wide), dtype=torch.int8), c.new_empty((n,))
    few = 16 if m * k < 2**18 else 4  # rows a program; more of the columns, so that they coalesce
    _quantise[(triton.cdiv(m, few),)](
        xq, sx, input, m, k, wide, input.stride(0), input.stride(1), SLICES=few, BLOCK=256
    )
    _quantise[(triton.cdiv(n, 32),)](
        wq, sw, weight, n, k, wide, weight.stride(1), weight.stride(0),
        SLICES=32, BLOCK=256, num_warps=8,
    )  # fmt: skip
    bm, bn, bk, warps, stages = 64, 64, 128, 4, 3
    if triton.cdiv(m, 128) * triton.cdiv(n, 128) >= 120:
        bm, bn, warps, stages = 128, 128, 8, 4
    if triton.cdiv(m, 128) * triton.cdiv(n, 256) >= 120:
        bn, stages = 256, 3
    _integer_product[(triton.cdiv(m, bm) * triton.cdiv(n, bn),)](
        c, xq, wq, sx, sw, m, n, wide, BM=bm, BN=bn, BK=bk, num_warps=warps, num_stages=stages
    )
    return c
