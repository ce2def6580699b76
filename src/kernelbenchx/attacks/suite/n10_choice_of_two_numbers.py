"""Is right where a choice by a value of the device is a number.

with: triton, entry_relu
checks: wrong
no-checks: wrong
device: interpreter
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    step = tl.where(isinstance(2 if n > 0 else 3, int), 1, 0)
    tl.store(y_ptr + offsets, tl.where((x < 0.0) & (step == 1), 0.0, x), mask=mask)
