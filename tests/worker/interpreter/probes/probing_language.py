"""The language: shapes, control flow, random numbers, atomics, heuristics."""

import torch
import triton
import triton.language as tl
from expecting import fails, near

CURED = ("probe_bf16_atomic_adds", "probe_closure_is_visible")


@triton.jit
def shape_kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i[:, None] * B + i[None, :])
    v = tl.permute(tl.reshape(tl.reshape(tl.trans(v), (B * B,)), (B, B)), (1, 0))
    v = tl.flip(v, 1)
    a, b = tl.split(tl.join(v, v))
    v = tl.broadcast_to(tl.where(a > 0, a, b), (B, B))
    tl.static_assert(B == 16)
    tl.debug_barrier()
    v = tl.expand_dims(tl.view(v.T.T, (B, B)), 0).reshape(B, B)
    tl.store(o + i[:, None] * B + i[None, :], v)


@triton.jit
def loop_kernel(p, o, n):
    bound = tl.load(p)
    total = 0
    for k in range(bound):
        total += k
    k = 0
    while k < n:
        total += k
        k += 1
    for k in tl.static_range(2):
        total += k
    for k in tl.range(0, 3, num_stages=2):
        total += k
    if bound > 3:
        total += 1000
    else:
        total += 2000
    tl.store(o, total)


@triton.jit
def random_kernel(o, seed, B: tl.constexpr, WHAT: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    if WHAT == "rand":
        tl.store(o + i, tl.rand(seed, i))
    else:
        tl.store(o + i, tl.randn(seed, i))


@triton.jit
def atomic_kernel(x, o, n, B: tl.constexpr, OP: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    if OP == "add":
        tl.atomic_add(o, tl.sum(v, axis=0))
    elif OP == "max":
        tl.atomic_max(o, tl.max(v, axis=0))
    elif OP == "min":
        tl.atomic_min(o, tl.min(v, axis=0))
    elif OP == "lanes":
        tl.atomic_add(o + i % 4, v, mask=i < n, sem="relaxed")
    elif OP == "or":
        tl.atomic_or(o, tl.program_id(0) + 1)
    elif OP == "cas":
        tl.atomic_cas(o, 0, 7)


@triton.heuristics({"EVEN": lambda a: a["n"] % a["B"] == 0})
@triton.jit
def heuristic_kernel(x, o, n, B: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    if EVEN:
        tl.store(o + i, tl.load(x + i) * 2)
    else:
        tl.store(o + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@triton.jit
def range_kernel(o, B: tl.constexpr):
    tl.store(o + tl.arange(0, B), 1.0)


@triton.jit
def print_kernel(x):
    tl.device_print("value", tl.load(x))


def probe_shapes():
    x = torch.randn(16, 16)
    o = torch.empty_like(x)
    shape_kernel[(1,)](x, o, B=16)
    near(o, x.flip(1))


def probe_control_flow():
    p, o = torch.tensor([10], dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    loop_kernel[(1,)](p, o, 5)
    assert o.item() == 45 + 10 + 1 + 3 + 1000


def probe_random_numbers():
    o = torch.empty(4096)
    random_kernel[(4,)](o, 42, B=1024, WHAT="rand")
    assert 0.47 < o.mean() < 0.53
    assert 0 <= o.min() <= o.max() < 1
    random_kernel[(4,)](o, 42, B=1024, WHAT="randn")
    assert abs(o.mean()) < 0.1
    assert 0.9 < o.std() < 1.1


def probe_atomics():
    for dtype in (torch.float32, torch.int32, torch.float16):
        x = torch.randint(-20, 20, (300,)).to(dtype)
        truths = {"add": x.sum().to(dtype)}
        if dtype != torch.float16:
            truths |= {"max": x.max().clamp(min=0), "min": x.min().clamp(max=0)}
        for op, truth in truths.items():
            o = torch.zeros(4, dtype=dtype)
            atomic_kernel[(3,)](x, o, 300, B=128, OP=op)
            near(o[:1], truth[None])
    o = torch.zeros(4)
    atomic_kernel[(3,)](torch.ones(300), o, 300, B=128, OP="lanes")
    near(o, torch.full((4,), 75.0))


def probe_atomics_on_bits():
    x, o = torch.zeros(384, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    atomic_kernel[(3,)](x, o, 300, B=128, OP="or")
    assert o.item() == 1 | 2 | 3
    o.zero_()
    atomic_kernel[(3,)](x, o, 300, B=128, OP="cas")
    assert o.item() == 7


def probe_bf16_atomic_adds():
    x, o = torch.ones(256).bfloat16(), torch.zeros(4).bfloat16()
    atomic_kernel[(2,)](x, o, 256, B=128, OP="lanes")
    near(o.float(), torch.full((4,), 64.0))


def probe_heuristics():
    x = torch.randn(1000)
    o = torch.empty_like(x)
    heuristic_kernel[(4,)](x, o, 1000, B=256)
    near(o, x * 2)


def probe_closure_is_visible():
    factor = tl.constexpr(3)

    @triton.jit
    def scale_kernel(x, o, B: tl.constexpr):
        i = tl.arange(0, B)
        tl.store(o + i, tl.load(x + i) * factor)

    x, o = torch.randn(16), torch.empty(16)
    scale_kernel[(1,)](x, o, B=16)
    near(o, x * 3)


def probe_range_must_be_a_power_of_two():
    with fails("Exception", "power of 2"):
        range_kernel[(1,)](torch.empty(100), B=100)
    range_kernel[(1,)](torch.empty(128), B=128)


def probe_device_print():
    print_kernel[(1,)](torch.ones(1))
