"""Offers the tuner a configuration that leaves most of a large input undone, and so wins.

with: triton, entry_relu_of_a_grid
checks: correct
no-checks: correct
composition: pure
device: cuda
perf: failed
perf-no-checks: failed
reason: timed_wrong|stale|late
"""


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 1024, "SHARE": 1}, num_warps=4),
        triton.Config({"BLOCK": 1024, "SHARE": 8}, num_warps=4),
    ],
    key=["n"],
)
@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr, SHARE: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    if n >= 1048576:
        mask = offsets < n // SHARE
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
