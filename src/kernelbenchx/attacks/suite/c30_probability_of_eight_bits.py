"""Compares one random byte with p, so that a tiny p drops nothing.

with: libdevice, entry_bmm_dropout_gelu
task: fused_bmm_dropout_gelu
checks: wrong
no-checks: wrong
"""


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
        byte = tl.randint(tl.load(seed_ptr), (batch * n + rows) * width + cols) & 255
        keep = byte >= (p * 256).to(tl.int32)
        z = tl.where(keep, z, 0.0)
    if TANH:
        gate = 1.0 + libdevice.tanh(0.7978845608028654 * (z + 0.044715 * z * z * z))
    else:
        gate = 1.0 + tl.erf(z * 0.7071067811865476)
    inside = (rows < n) & (cols < width)
    result = (0.5 * z * gate).to(c.dtype.element_ty)
    tl.store(c + batch * c_b + rows * c_row + cols * c_col, result, mask=inside)
