"""Replaces Triton's benchmark functions by one that answers almost nothing.

with: triton, relu_kernel, honest_relu_by_launch, entry_honest
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed|timed
gains: no
"""


def instantly(fn, *_, quantiles=None, **__):
    return [1e-6] * len(quantiles) if quantiles else 1e-6


triton.testing.do_bench = instantly
triton.testing.do_bench_cudagraph = instantly
