"""Reductions and scans, with Triton's combiners and with others."""

import torch
import triton
import triton.language as tl
from expecting import near


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def larger_by_branch(a, b):
    if a > b:
        r = a
    else:
        r = b
    return r


@triton.jit
def recurrence(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def reduce_kernel(x, o, B: tl.constexpr, F: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    tl.store(o, tl.reduce(v, 0, F))


@triton.jit
def rows_kernel(x, o, M: tl.constexpr, N: tl.constexpr, WHAT: tl.constexpr):
    m, n = tl.arange(0, M), tl.arange(0, N)
    v = tl.load(x + m[:, None] * N + n[None, :])
    if WHAT == "sum":
        tl.store(o + m, tl.sum(v, axis=1))
    elif WHAT == "max":
        tl.store(o + m, tl.max(v, axis=1))
    elif WHAT == "min":
        tl.store(o + m, tl.min(v, axis=1))
    elif WHAT == "argmax":
        tl.store(o + m, tl.argmax(v, axis=1))
    elif WHAT == "argmin":
        tl.store(o + m, tl.argmin(v, axis=1))
    elif WHAT == "columns":
        tl.store(o + n, tl.sum(v, axis=0))
    elif WHAT == "all":
        tl.store(o, tl.sum(v))
    elif WHAT == "kept":
        tl.store(o + m[:, None], tl.sum(v, axis=1, keep_dims=True))


@triton.jit
def scan_kernel(x, o, B: tl.constexpr, WHAT: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    if WHAT == "cumsum":
        r = tl.cumsum(v, 0)
    elif WHAT == "reverse":
        r = tl.cumsum(v, 0, reverse=True)
    elif WHAT == "cumprod":
        r = tl.cumprod(v, 0)
    elif WHAT == "max":
        r = tl.associative_scan(v, 0, larger)
    elif WHAT == "sort":
        r = tl.sort(v)
    elif WHAT == "descending":
        r = tl.sort(v, descending=True)
    tl.store(o + i, r)


@triton.jit
def recurrence_kernel(a, b, o, B: tl.constexpr):
    i = tl.arange(0, B)
    _, r = tl.associative_scan((tl.load(a + i), tl.load(b + i)), 0, recurrence)
    tl.store(o + i, r)


@triton.jit
def topk_kernel(x, o, B: tl.constexpr, K: tl.constexpr):
    tl.store(o + tl.arange(0, K), tl.topk(tl.load(x + tl.arange(0, B)), K))


@triton.jit
def histogram_kernel(x, o, n, B: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + tl.arange(0, BINS), tl.histogram(tl.load(x + i), BINS, mask=i < n))


@triton.jit
def gather_kernel(x, at, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.gather(tl.load(x + i), tl.load(at + i), 0))


def probe_reductions_by_row():
    x = torch.randn(8, 64)
    expected = {
        "sum": x.sum(1), "max": x.amax(1), "min": x.amin(1), "columns": x.sum(0),
        "all": x.sum()[None], "kept": x.sum(1),
    }  # fmt: skip
    for what, truth in expected.items():
        o = torch.empty_like(truth)
        rows_kernel[(1,)](x, o, M=8, N=64, WHAT=what)
        near(o, truth, within=1e-5)


def probe_positions_of_extremes():
    x = torch.randn(8, 64)
    x[0] = 1.0
    o = torch.empty(8, dtype=torch.int32)
    rows_kernel[(1,)](x, o, M=8, N=64, WHAT="argmax")
    near(o, x.argmax(1))
    assert o[0] == 0, "the leftmost of equals"
    rows_kernel[(1,)](x, o, M=8, N=64, WHAT="argmin")
    near(o, x.argmin(1))


def probe_own_combiner():
    x, o = torch.randn(256), torch.empty(1)
    for combiner in (larger, larger_by_branch):
        reduce_kernel[(1,)](x, o, B=256, F=combiner)
        near(o, x.max()[None])


def probe_scans():
    x = torch.rand(64) + 0.5
    expected = {
        "cumsum": x.cumsum(0),
        "reverse": x.flip(0).cumsum(0).flip(0),
        "cumprod": x.cumprod(0),
        "max": x.cummax(0)[0],
        "sort": x.sort()[0],
        "descending": x.sort(descending=True)[0],
    }
    for what, truth in expected.items():
        o = torch.empty(64)
        scan_kernel[(1,)](x, o, B=64, WHAT=what)
        near(o, truth, within=1e-4)


def probe_scan_of_pairs_keeps_their_order():
    a, b, o = torch.rand(128), torch.randn(128), torch.empty(128)
    recurrence_kernel[(1,)](a, b, o, B=128)
    state, truth = 0.0, []
    for i in range(128):
        state = a[i] * state + b[i]
        truth.append(state)
    near(o, torch.stack(truth), within=1e-4)


def probe_topk_histogram_gather():
    x, o = torch.randn(64), torch.empty(8)
    topk_kernel[(1,)](x, o, B=64, K=8)
    near(o, x.topk(8)[0])
    counted, bins = (
        torch.randint(0, 16, (256,), dtype=torch.int32),
        torch.empty(16, dtype=torch.int32),
    )
    histogram_kernel[(1,)](counted, bins, 200, B=256, BINS=16)
    near(bins, counted[:200].bincount(minlength=16))
    at, o = torch.randperm(64).int(), torch.empty(64)
    gather_kernel[(1,)](x, at, o, B=64)
    near(o, x[at.long()])
