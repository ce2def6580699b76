import torch
import triton
import triton.language as tl


@triton.jit
def _addmm(
    c, a, b, e, n, m, p, wide, c_row, c_col, a_row, a_col, b_row, b_col, e_row, e_col, alpha, beta,
    ADDED: tl.constexpr, ONE_ROW: tl.constexpr, PRECISION: tl.constexpr,
    BN: tl.constexpr, BM: tl.constexpr, BP: tl.constexpr,
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
    inside = (rows < n) & (cols < p)
    acc *= alpha
    if ADDED:
        e += cols * e_col
        if ONE_ROW:
            acc += beta * tl.load(e, mask=cols < p, other=0.0).to(tl.float32)
        else:
            acc += beta * tl.load(e + rows * e_row, mask=inside, other=0.0).to(tl.float32)
    tl.store(c + rows * c_row + cols * c_col, acc.to(c.dtype.element_ty), mask=inside)


def _padded(x: torch.Tensor) -> torch.Tensor:
    """Zeros up to multiples of 16: only rows that are aligned to 16 bytes are loaded ahead."""
    n, m = x.shape
    if n % 16 == 0 and m % 16 == 0:
        return x
    padded = x.new_zeros((n + -n % 16, m + -m % 16))
    padded[:n, :m].copy_(x)
    return padded


def addmm(
    input: torch.Tensor,
    mat1: torch.Tensor,
    mat2: torch.Tensor,
    beta: float = 1,
    alpha: float = 1,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    n, p, single = mat1.shape[0], mat2.shape[1], mat1.dtype == torch.float32
    c = torch.empty((n, p), dtype=mat1.dtype, device=mat1.device) if out is None else out
    if c.numel() == 0:
        return c
    # The largest tile that leaves a program for each multiprocessor.
    bn, bm, bp, warps, stages, precision = 64, 64, 64, 4, 3, "ieee"
    if triton.cdiv(n, 128) * triton.cdiv(p, 64 if single else 128) >= 120:
        bn, bm, bp, warps, stages = (128, 32, 64, 4, 4) if single else (128, 64, 128, 8, 4)
        mat1, mat2 = _padded(mat1), _padded(mat2)
        if single:  # three TF32 products are as good as one in float32, if both lie along m
            precision, mat2 = "tf32x3", mat2.t().contiguous().t()
        elif triton.cdiv(n, 128) * triton.cdiv(p, 256) >= 120:
            bp, stages = 256, 3
    e = input.expand(n, p)
    _addmm[(triton.cdiv(n, bn) * triton.cdiv(p, bp),)](
        c, mat1, mat2, e, n, mat1.shape[1], p, mat2.shape[1],
        *c.stride(), *mat1.stride(), *mat2.stride(), *e.stride(),
        float(alpha), float(beta), ADDED=beta != 0, ONE_ROW=e.stride(0) == 0, PRECISION=precision,
        BN=bn, BM=bm, BP=bp, num_warps=warps, num_stages=stages,
    )  # fmt: skip
    return c
