import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _term(e, rows, cols, e_row, e_col, n, p, ONE_ROW: tl.constexpr):
    """weight2 or bias for a tile; one row of it where all rows are alike."""
    if ONE_ROW:
        value = tl.load(e + cols * e_col, mask=cols < p, other=0.0)
    else:
        value = tl.load(e + rows * e_row + cols * e_col, mask=(rows < n) & (cols < p), other=0.0)
    return value.to(tl.float32)


@triton.jit
def _combined(
    c, a, b, f, e, n, m, p, wide, a_row, a_col, b_row, b_col, f_row, f_col, e_row, e_col,
    F_ONE_ROW: tl.constexpr, E_ONE_ROW: tl.constexpr, NARROW: tl.constexpr,
    PRECISION: tl.constexpr, BN: tl.constexpr, BM: tl.constexpr, BP: tl.constexpr,
):  # fmt: skip
    down, across = tl.cdiv(n, BN), tl.cdiv(p, BP)
    # Eight tiles down, then the next column of tiles: programs that run together share operands.
    first = tl.program_id(0) // (8 * across) * 8
    height = tl.minimum(down - first, 8)
    tile = tl.program_id(0) % (8 * across)
    rows = ((first + tile % height) * BN + tl.arange(0, BN)).to(tl.int64)[:, None]
    cols = (tile // height * BP + tl.arange(0, BP)).to(tl.int64)[None, :]
    inner = tl.arange(0, BM).to(tl.int64)
    # Past the end other rows and columns are read, but not stored: no mask for them in the loop.
    a += rows % n * a_row + inner[None, :] * a_col
    b += inner[:, None] * b_row + cols % wide * b_col
    acc = tl.zeros((BN, BP), dtype=tl.float32)
    for start in range(0, m, BM):
        known = tl.arange(0, BM) < m - start
        x = tl.load(a, mask=known[None, :], other=0.0)
        y = tl.load(b, mask=known[:, None], other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION)
        a += tl.cast(BM, tl.int64) * a_col
        b += tl.cast(BM, tl.int64) * b_row
    gate = 1.0 / (1.0 + tl.exp(-acc))
    if NARROW:  # tanh by exp2, and by its series where a difference from 1 loses too many bits
        far = 1.0 - 2.0 / (1.0 + tl.exp2(2.885390082 * gate))
        value = tl.where(gate < 0.04, gate - gate * gate * gate * 0.33333334, far)
    else:
        value = libdevice.tanh(gate)
    value *= _term(f, rows, cols, f_row, f_col, n, p, F_ONE_ROW)
    value += _term(e, rows, cols, e_row, e_col, n, p, E_ONE_ROW)
    tl.store(c + rows * p + cols, value.to(c.dtype.element_ty), mask=(rows < n) & (cols < p))


def _padded(x: torch.Tensor) -> torch.Tensor:
    """Zeros up to multiples of 16: only rows that are aligned to 16 bytes are loaded ahead."""
    n, m = x.shape
    if n % 16 == 0 and m % 16 == 0:
        return x
    padded = x.new_zeros((n + -n % 16, m + -m % 16))
    padded[:n, :m].copy_(x)
    return padded


def combined_activation(
    input: torch.Tensor,
    weight1: torch.Tensor,
    weight2: torch.Tensor,
    bias: torch.Tensor,
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    shape, single = (*input.shape[:-1], weight1.shape[1]), input.dtype == torch.float32
    c = out
    if c is None or not c.is_contiguous():
        c = torch.empty(shape, dtype=input.dtype, device=input.device)
    if c.numel():
        p = shape[-1]
        n = c.numel() // p
        a, b = input.reshape(n, input.shape[-1]), weight1
        f, e = weight2.expand(shape).reshape(n, p), bias.expand(shape).reshape(n, p)
        # The largest tile that leaves a program for each multiprocessor.
        bn, bm, bp, warps, stages, precision = 32, 32, 64, 4, 3, "ieee"
        if triton.cdiv(n, 128) * triton.cdiv(p, 64 if single else 128) >= 120:
            bn, bm, bp, warps, stages = (128, 32, 64, 4, 4) if single else (128, 64, 128, 8, 4)
            a, b = _padded(a), _padded(b)
            if single:  # three TF32 products are as good as one in float32, if both lie along m
                precision, b = "tf32x3", b.t().contiguous().t()
            elif triton.cdiv(n, 128) * triton.cdiv(p, 256) >= 120:
                bp, stages = 256, 3
        _combined[(triton.cdiv(n, bn) * triton.cdiv(p, bp),)](
            c, a, b, f, e, n, a.shape[1], p, b.shape[1],
            *a.stride(), *b.stride(), *f.stride(), *e.stride(),
            F_ONE_ROW=f.stride(0) == 0, E_ONE_ROW=e.stride(0) == 0, NARROW=not single,
            PRECISION=precision, BN=bn, BM=bm, BP=bp, num_warps=warps, num_stages=stages,
        )  # fmt: skip
    return c if out is None or c is out else out.copy_(c)
