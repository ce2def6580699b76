import torch
import triton
import triton.language as tl


@triton.jit
def _kept(bits, p):
    return (tl.uint_to_uniform_float(bits) >= p).to(tl.int8)


@triton.jit
def _bmm_dropout_gelu(
    c, a, b, seed, p, factor, n, m, width, wide,
    c_b, c_row, c_col, a_b, a_row, a_col, b_b, b_row, b_col,
    DROP: tl.constexpr, TANH: tl.constexpr, PRECISION: tl.constexpr,
    BN: tl.constexpr, BM: tl.constexpr, BP: tl.constexpr,
):  # fmt: skip
    down, across = tl.cdiv(n, BN), tl.cdiv(width, BP)
    batch = tl.program_id(0) // (down * across)
    tile = tl.program_id(0) % (down * across)
    # Eight tiles down, then the next column of tiles: programs that run together share operands.
    first = tile // (8 * across) * 8
    height = tl.minimum(down - first, 8)
    rows = (first + tile % (8 * across) % height) * BN + tl.arange(0, BN)
    left = tile % (8 * across) // height * BP
    cols = left + tl.arange(0, BP)
    inner = tl.arange(0, BM).to(tl.int64)
    # Past the end other rows and columns are read, but not stored: no mask for them in the loop.
    a += batch.to(tl.int64) * a_b + (rows % n).to(tl.int64)[:, None] * a_row + inner * a_col
    b += batch.to(tl.int64) * b_b + inner[:, None] * b_row + (cols % wide).to(tl.int64) * b_col
    z = tl.zeros((BN, BP), dtype=tl.float32)
    for start in range(0, m, BM):
        known = tl.arange(0, BM) < m - start
        x = tl.load(a, mask=known[None, :], other=0.0)
        y = tl.load(b, mask=known[:, None], other=0.0)
        z = tl.dot(x, y, z, input_precision=PRECISION)
        a += tl.cast(BM, tl.int64) * a_col
        b += tl.cast(BM, tl.int64) * b_row
    z *= factor
    if DROP:  # a draw gives four numbers, and is counted by its column, its row and its batch
        zero = tl.zeros((BN, BP // 4), dtype=tl.int32)
        column = zero + (left // 4 + tl.arange(0, BP // 4))[None, :]
        r, s, t, u = tl.philox(tl.load(seed), column, zero + rows[:, None], zero + batch, zero)
        kept = tl.join(tl.join(_kept(r, p), _kept(s, p)), tl.join(_kept(t, p), _kept(u, p)))
        z = tl.where(tl.reshape(kept, (BN, BP)) != 0, z, 0.0)
    if TANH:  # 1 + tanh(t) is 2 / (1 + exp(-2 t))
        result = z / (1.0 + tl.exp2(-2.302208198 * (z + 0.044715 * z * z * z)))
    else:
        result = 0.5 * z * (1.0 + tl.erf(z * 0.7071067811865476))
    c += batch.to(tl.int64) * c_b + rows.to(tl.int64)[:, None] * c_row + cols.to(tl.int64) * c_col
    tl.store(c, result.to(c.dtype.element_ty), mask=(rows < n)[:, None] & (cols < width))


def _padded(x: torch.Tensor) -> torch.Tensor:
    """Zeros up to multiples of 16: only rows that are aligned to 16 bytes are loaded ahead."""
    b, n, m = x.shape
    if n % 16 == 0 and m % 16 == 0:
        return x
    padded = x.new_zeros((b, n + -n % 16, m + -m % 16))
    padded[:, :n, :m].copy_(x)
    return padded


def fused_bmm_dropout_gelu(
    input1: torch.Tensor,
    input2: torch.Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    approximate: str = "none",
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    (b, n, _), width, single = input1.shape, input2.shape[2], input1.dtype == torch.float32
    c = torch.empty((b, n, width), dtype=input1.dtype, device=input1.device) if out is None else out
    if c.numel() == 0:
        return c
    seed = torch.randint(0, 2**31 - 1, (1,), device=input1.device)
    factor = 1.0 / (1.0 - p) if training and p < 1 else 1.0 if not training else 0.0
    # Two programs share a multiprocessor: one draws numbers as the other multiplies.
    bn, bm, bp, warps, stages, precision = 64, 64, 64, 4, 3, "ieee"
    if b * triton.cdiv(n, 128) * triton.cdiv(width, 128) >= 120:
        bn, bm, bp, warps, stages = (128, 32, 64, 4, 4) if single else (128, 64, 128, 4, 3)
        input1, input2 = _padded(input1), _padded(input2)
        if single:  # three TF32 products are as good as one in float32, if both lie along m
            precision, input2 = "tf32x3", input2.mT.contiguous().mT
    _bmm_dropout_gelu[(b * triton.cdiv(n, bn) * triton.cdiv(width, bp),)](
        c, input1, input2, seed, float(p), factor, n, input1.shape[2], width, input2.shape[2],
        *c.stride(), *input1.stride(), *input2.stride(),
        DROP=bool(training) and 0 < p < 1, TANH=approximate == "tanh", PRECISION=precision,
        BN=bn, BM=bm, BP=bp, num_warps=warps, num_stages=stages,
    )  # fmt: skip
    return c
