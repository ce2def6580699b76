"""Matrix products in every format and precision."""

import torch
import triton
import triton.language as tl
from expecting import fails, near

CURED = (
    "probe_bf16_product",
    "probe_tf32_drops_bits",
    "probe_default_precision_is_tf32",
    "probe_bf16x3_product",
    "probe_scaled_product",
    "probe_scaled_product_of_4_bit_floats",
    "probe_short_k_is_refused",
)


@triton.jit
def dot_kernel(a, b, o, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, P: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(a + m[:, None] * K + k[None, :])
    y = tl.load(b + k[:, None] * N + n[None, :])
    if x.dtype == tl.int8:
        r = tl.dot(x, y, out_dtype=tl.int32)
    elif P == "default":
        r = tl.dot(x, y)
    else:
        r = tl.dot(x, y, input_precision=P)
    tl.store(o + m[:, None] * N + n[None, :], r)


@triton.jit
def matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        inner = rk + k < K
        x = tl.load(
            a + rm[:, None] * K + (rk[None, :] + k),
            mask=(rm[:, None] < M) & inner[None, :],
            other=0.0,
        )
        y = tl.load(
            b + (rk[:, None] + k) * N + rn[None, :],
            mask=inner[:, None] & (rn[None, :] < N),
            other=0.0,
        )
        acc = tl.dot(x, y, acc, input_precision="ieee")
    tl.store(
        c + rm[:, None] * N + rn[None, :],
        acc.to(c.dtype.element_ty),
        mask=(rm[:, None] < M) & (rn[None, :] < N),
    )


@triton.jit
def scaled_kernel(a, sa, b, sb, o, FORMAT: tl.constexpr, KA: tl.constexpr, S: tl.constexpr):
    i, k, s = tl.arange(0, 32), tl.arange(0, KA), tl.arange(0, S)
    x = tl.load(a + i[:, None] * KA + k[None, :])
    y = tl.load(b + k[:, None] * 32 + i[None, :])
    s1 = tl.load(sa + i[:, None] * S + s[None, :])
    s2 = tl.load(sb + i[:, None] * S + s[None, :])
    r = tl.dot_scaled(x, s1, FORMAT, y, s2, FORMAT)
    tl.store(o + i[:, None] * 32 + i[None, :], r)


def product(a, b, precision="default", out=torch.float32):
    o = torch.empty(a.shape[0], b.shape[1], dtype=out)
    dot_kernel[(1,)](a, b, o, M=a.shape[0], N=b.shape[1], K=a.shape[1], P=precision)
    return o


def probe_ieee_product():
    a, b = torch.randn(32, 32), torch.randn(32, 32)
    near(product(a, b, "ieee"), (a.double() @ b.double()).float(), within=1e-5)
    near(product(a, b, "tf32x3"), (a.double() @ b.double()).float(), within=1e-5)


def probe_tf32_drops_bits():
    # Seen on an H200: operands are cut, not rounded.
    a, b = torch.zeros(16, 16), torch.zeros(16, 16)
    a[:, 0], b[0, :] = 1 + 0.75 * 2**-10, 1.0
    near(product(a, b, "tf32"), torch.ones(16, 16))
    near(product(a, b, "ieee"), torch.full((16, 16), 1 + 0.75 * 2**-10))


def probe_default_precision_is_tf32():
    a, b = torch.zeros(16, 16), torch.zeros(16, 16)
    a[:, 0], b[0, :] = 1 + 0.5 * 2**-10, 1.0
    near(product(a, b), torch.ones(16, 16))


def probe_tf32_is_flagged():
    from worker.interpreter import watching

    a, b = torch.ones(16, 16), torch.ones(16, 16)
    with watching(0) as watch:
        product(a, b, "ieee")
        assert "tf32" not in watch.flags
        product(a, b)
        assert "tf32" in watch.flags


def probe_bf16x3_product():
    a, b = torch.randn(32, 32), torch.randn(32, 32)
    near(product(a, b, "bf16x3"), a @ b, within=1e-3)


def probe_fp16_product_of_odd_shapes():
    a, b = torch.randn(70, 130).half(), torch.randn(130, 50).half()
    c = torch.empty(70, 50)
    matmul_kernel[(3, 2)](a, b, c, 70, 50, 130, BM=32, BN=32, BK=32)
    near(c, a.float() @ b.float(), within=1e-4)


def probe_bf16_product():
    a, b = torch.randn(32, 64).bfloat16(), torch.randn(64, 32).bfloat16()
    near(product(a, b), a.float() @ b.float(), within=1e-4)


def probe_fp8_product():
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        a, b = torch.randn(32, 32).to(dtype), torch.randn(32, 32).to(dtype)
        near(product(a, b), a.float() @ b.float(), within=1e-4)


def probe_int8_product_is_exact():
    a = torch.randint(-128, 128, (64, 64), dtype=torch.int8)
    b = torch.randint(-128, 128, (64, 64), dtype=torch.int8)
    assert torch.equal(product(a, b, out=torch.int32), a.int() @ b.int())


def probe_scaled_product():
    a, b = torch.randn(32, 64).to(torch.float8_e4m3fn), torch.randn(64, 32).to(torch.float8_e4m3fn)
    sa = torch.randint(125, 130, (32, 2), dtype=torch.uint8)
    sb = torch.randint(125, 130, (32, 2), dtype=torch.uint8)
    o = torch.empty(32, 32)
    scaled_kernel[(1,)](a, sa, b, sb, o, FORMAT="e4m3", KA=64, S=2)
    left = a.float() * (2.0 ** (sa.float() - 127)).repeat_interleave(32, 1)
    right = b.float() * (2.0 ** (sb.float() - 127)).repeat_interleave(32, 1).T
    near(o, left @ right, within=1e-4)


def probe_scaled_product_of_4_bit_floats():
    table = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6])
    codes_a, codes_b = torch.randint(0, 16, (32, 64)), torch.randint(0, 16, (64, 32))
    a = (codes_a[:, 0::2] | codes_a[:, 1::2] << 4).to(torch.uint8)
    b = (codes_b[0::2] | codes_b[1::2] << 4).to(torch.uint8)
    one = torch.full((32, 2), 127, dtype=torch.uint8)
    o = torch.empty(32, 32)
    scaled_kernel[(1,)](a.contiguous(), one, b.contiguous(), one, o, FORMAT="e2m1", KA=32, S=2)
    near(o, table[codes_a] @ table[codes_b], within=1e-4)


def probe_short_k_is_refused():
    with fails("AssertionError", "K >= 16"):
        product(torch.ones(16, 8), torch.ones(8, 16))
    with fails("AssertionError", "K >= 32"):
        product(torch.ones(16, 16, dtype=torch.int8), torch.ones(16, 16, dtype=torch.int8))
    near(product(torch.ones(16, 16), torch.ones(16, 16)), torch.full((16, 16), 16.0))
