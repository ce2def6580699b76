"""Is right where a helper that returns early returns a number of Python.

with: triton, entry_relu
checks: wrong
no-checks: wrong
device: interpreter
"""


@triton.jit
def pick(n):
    if n > 0:
        return -7
    return -9


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    half = tl.where(pick(n) // 2 == -4, 1, 0)
    tl.store(y_ptr + offsets, tl.where((x < 0.0) & (half == 1), 0.0, x), mask=mask)
