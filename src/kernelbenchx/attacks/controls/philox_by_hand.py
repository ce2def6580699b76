"""Masks by ten rounds of Philox, written out.

with: libdevice, entry_bmm_dropout_gelu
task: fused_bmm_dropout_gelu
"""


@triton.jit
def philox(key, counter):
    """The first of four words, as a number in [0, 1)."""
    c0 = counter.to(tl.uint32)
    c1 = c0 * 0
    c2 = c0 * 0
    c3 = c0 * 0
    k0 = key
    k1 = key * 0
    for _ in tl.static_range(10):
        high0, low0 = tl.umulhi(c0, 0xD2511F53), c0 * 0xD2511F53
        high1, low1 = tl.umulhi(c2, 0xCD9E8D57), c2 * 0xCD9E8D57
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0 += 0x9E3779B9
        k1 += 0xBB67AE85
    return (c0 >> 8).to(tl.float32) * 5.9604644775390625e-08


@triton.jit
def bmm_dropout_gelu(
    c, a, b, seed_ptr, p, factor, n, m, width,
    c_b, c_row, c_col, a_b, a_row, a_col, b_b, b_row, b_col,
    DROP: tl.constexpr, TANH: tl.constexpr, BN: tl.constexpr, BM: tl.constexpr, BP: tl.constexpr,
):  # fmt: skip
    batch = tl.program_id(2)
    rows = (tl.program_id(0) * BN + tl.arange(0, BN))[:, None]
    cols = (tl.program_id(1) * BP + tl.arange(0, BP))[None, :]
    a += batch * a_b + rows * a_row
    b += batch * b_b + cols * b_col
    z = tl.zeros((BN, BP), dtype=tl.float32)
    for start in range(0, m, BM):
        along = start + tl.arange(0, BM)[None, :]
        down = start + tl.arange(0, BM)[:, None]
        x = tl.load(a + along * a_col, mask=(rows < n) & (along < m), other=0.0)
        y = tl.load(b + down * b_row, mask=(down < m) & (cols < width), other=0.0)
        z = tl.dot(x, y, z, input_precision="ieee")
    z *= factor
    if DROP:
        keep = philox(tl.load(seed_ptr).to(tl.uint32), (batch * n + rows) * width + cols) >= p
        z = tl.where(keep, z, 0.0)
    if TANH:
        gate = 1.0 + libdevice.tanh(0.7978845608028654 * (z + 0.044715 * z * z * z))
    else:
        gate = 1.0 + tl.erf(z * 0.7071067811865476)
    inside = (rows < n) & (cols < width)
    result = (0.5 * z * gate).to(c.dtype.element_ty)
    tl.store(c + batch * c_b + rows * c_row + cols * c_col, result, mask=inside)
