"""Arithmetic in every format, and casts between them."""

import torch
import triton
import triton.language as tl
from expecting import fails, near

CURED = (
    "probe_bf16_adds_and_multiplies",
    "probe_bf16_takes_constants",
    "probe_bf16_sum_rounds_in_bf16",
    "probe_fp16_sum_rounds_in_fp16",
    "probe_casts_round_to_nearest_even",
    "probe_fp8_casts_agree_with_torch",
    "probe_fp8_casts_saturate",
    "probe_maximum_ignores_nan",
    "probe_float_argument_is_float32",
    "probe_and_combines_blocks",
    "probe_loop_counter_can_be_cast",
    "probe_fma_rounds_once",
    "probe_block_is_no_condition",
)


@triton.jit
def add_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def multiply_add_kernel(x, y, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(o + i, v * tl.load(y + i) - v)


@triton.jit
def constant_kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i) * 2.5 + 1)


@triton.jit
def sum_kernel(x, o, B: tl.constexpr):
    tl.store(o, tl.sum(tl.load(x + tl.arange(0, B)), 0))


@triton.jit
def cast_kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i).to(o.dtype.element_ty))


@triton.jit
def toward_zero_kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i).to(tl.bfloat16, fp_downcast_rounding="rtz"))


@triton.jit
def maximum_kernel(x, y, o, B: tl.constexpr, PROPAGATE: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i), tl.load(y + i)
    if PROPAGATE:
        r = tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
    else:
        r = tl.maximum(a, b)
    tl.store(o + i, r)


@triton.jit
def scale_kernel(x, o, factor, B: tl.constexpr):
    i = tl.arange(0, B)
    scaled = tl.load(x + i) * factor
    tl.store(o + i, scaled.to(tl.float32))


@triton.jit
def both_kernel(o, low, high, B: tl.constexpr):
    i = tl.arange(0, B)
    keep = (i >= low) and (i < high)
    tl.store(o + i, tl.where(keep, 1, 0))
    tl.store(o + B + i, tl.where(not keep, 1, 0))


@triton.jit
def counter_kernel(o, n):
    total = tl.zeros((1,), dtype=tl.int64)
    for k in range(n):
        total += k.to(tl.int64)
    tl.store(o + tl.arange(0, 1), total)


@triton.jit
def fma_kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(o + i, tl.fma(v, v, -1.0))


@triton.jit
def divide_kernel(x, y, q, r, B: tl.constexpr):
    i = tl.arange(0, B)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(q + i, a // b)
    tl.store(r + i, a % b)


@triton.jit
def condition_kernel(x, o, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    if v > 0:
        tl.store(o, 1.0)


def probe_adds_in_every_type():
    for dtype in (
        torch.float16,
        torch.float32,
        torch.float64,
        torch.int8,
        torch.int32,
        torch.int64,
    ):
        x, y = torch.randint(0, 50, (1000,)).to(dtype), torch.randint(0, 50, (1000,)).to(dtype)
        o = torch.empty_like(x)
        add_kernel[(4,)](x, y, o, 1000, B=256)
        near(o, x + y)


def probe_bools_are_loaded_and_stored():
    x = torch.tensor([True, False, True, False])
    o = torch.empty(4, dtype=torch.bool)
    cast_kernel[(1,)](x, o, B=4)
    assert torch.equal(o, x)


def probe_bf16_adds_and_multiplies():
    x, y = torch.randn(256).bfloat16(), torch.randn(256).bfloat16()
    o = torch.empty_like(x)
    add_kernel[(1,)](x, y, o, 256, B=256)
    assert torch.equal(o, x + y)
    multiply_add_kernel[(1,)](x, y, o, B=256)
    assert torch.equal(o, x * y - x)


def probe_bf16_takes_constants():
    x = torch.randn(256).bfloat16()
    o = torch.empty_like(x)
    constant_kernel[(1,)](x, o, B=256)
    assert torch.equal(o, x * 2.5 + 1)


def probe_fp16_sum_rounds_in_fp16():
    rounded = 0
    for seed in range(8):
        x = torch.rand(1024, generator=torch.Generator().manual_seed(seed)).half()
        o = torch.empty(1, dtype=torch.half)
        sum_kernel[(1,)](x, o, B=1024)
        near(o.float(), x.float().sum()[None], within=0.01)
        rounded += o.item() != x.float().sum().half().item()
    assert rounded > 0, "every sum is as good as one in float32"


def probe_bf16_sum_rounds_in_bf16():
    x = torch.rand(1024).bfloat16()
    o = torch.empty(1, dtype=torch.bfloat16)
    sum_kernel[(1,)](x, o, B=1024)
    near(o.float(), x.float().sum()[None], within=0.02)


def probe_casts_round_to_nearest_even():
    x = torch.cat([torch.randn(252), torch.tensor([1 + 2**-8, 1 + 3 * 2**-8, float("inf"), 0.0])])
    o = torch.empty(256, dtype=torch.bfloat16)
    cast_kernel[(1,)](x, o, B=256)
    assert torch.equal(o, x.bfloat16())


def probe_casts_round_toward_zero_when_asked():
    x = torch.tensor([1 + 2**-8, 1 + 3 * 2**-8, -1 - 3 * 2**-8, 0.5])
    o = torch.empty(4, dtype=torch.bfloat16)
    toward_zero_kernel[(1,)](x, o, B=4)
    near(o.float(), torch.tensor([1.0, 1 + 2**-7, -1 - 2**-7, 0.5]))


def probe_fp8_casts_agree_with_torch():
    x = torch.randn(256) * 8
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        o = torch.empty(256, dtype=dtype)
        cast_kernel[(1,)](x, o, B=256)
        near(o.float(), x.to(dtype).float())


def probe_fp8_casts_saturate():
    # Seen on an H200: neither NaN nor infinity comes out of a finite number or an infinity.
    x = torch.tensor(
        [447.0, 465.0, 1e9, float("inf"), -float("inf"), float("nan"), 2**-10, 57344.0]
    )
    o = torch.empty(8, dtype=torch.float8_e4m3fn)
    cast_kernel[(1,)](x, o, B=8)
    near(o.float(), torch.tensor([448, 448, 448, 448, -448, float("nan"), 0, 448]))
    o = torch.empty(8, dtype=torch.float8_e5m2)
    cast_kernel[(1,)](x, o, B=8)
    expected = [448, 448, 57344, 57344, -57344, float("nan"), 2**-10, 57344]
    near(o.float(), torch.tensor(expected))


def probe_casts_to_integer_saturate():
    x = torch.tensor([1e10, -1e10, float("nan"), float("inf"), -1.5, 2.5, -(2.0**31), 3e9])
    o = torch.empty(8, dtype=torch.int32)
    cast_kernel[(1,)](x, o, B=8)
    assert o.tolist() == [2**31 - 1, -(2**31), 0, 2**31 - 1, -1, 2, -(2**31), 2**31 - 1]


def probe_maximum_ignores_nan():
    nan = float("nan")
    x, y = torch.tensor([nan, 1.0, 2.0, nan]), torch.tensor([1.0, nan, 1.0, nan])
    o = torch.empty(4)
    maximum_kernel[(1,)](x, y, o, B=4, PROPAGATE=False)
    near(o, torch.tensor([1.0, 1.0, 2.0, nan]))
    maximum_kernel[(1,)](x, y, o, B=4, PROPAGATE=True)
    near(o, torch.tensor([nan, nan, 2.0, nan]))


def probe_float_argument_is_float32():
    # A half times a float32 scalar is a float32 in a compiled kernel, not a half.
    x = torch.rand(16).half()
    o = torch.empty(16)
    scale_kernel[(1,)](x, o, 0.1, B=16)
    near(o, x.float() * torch.tensor(0.1))
    assert not torch.equal(o, (x * 0.1).float())


def probe_and_combines_blocks():
    o = torch.empty(32, dtype=torch.int32)
    both_kernel[(1,)](o, 4, 9, B=16)
    assert o[:16].tolist() == [int(4 <= i < 9) for i in range(16)]
    assert o[16:].tolist() == [int(not 4 <= i < 9) for i in range(16)]


def probe_loop_counter_can_be_cast():
    o = torch.zeros(1, dtype=torch.int64)
    counter_kernel[(1,)](o, 10)
    assert o.item() == 45


def probe_fma_rounds_once():
    x = torch.full((16,), 1 + 2**-12)
    o = torch.empty(16)
    fma_kernel[(1,)](x, o, B=16)
    near(o, (x.double() * x.double() - 1).float())
    assert not torch.equal(o, x * x - 1)


def probe_integer_division_truncates():
    x = torch.tensor([7, -7, 7, -7], dtype=torch.int32)
    y = torch.tensor([2, 2, -2, -2], dtype=torch.int32)
    q, r = torch.empty_like(x), torch.empty_like(x)
    divide_kernel[(1,)](x, y, q, r, B=4)
    assert q.tolist() == [3, -3, -3, 3]
    assert r.tolist() == [1, -1, 1, -1]


def probe_block_is_no_condition():
    with fails("ValueError", "condition"):
        condition_kernel[(1,)](torch.ones(4), torch.zeros(1), B=4)
    o = torch.zeros(1)
    condition_kernel[(1,)](torch.ones(1), o, B=1)
    assert o.item() == 1
