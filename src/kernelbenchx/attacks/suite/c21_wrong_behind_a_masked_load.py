"""Hides a wrong answer behind a load whose masked lanes would excuse it.

with: triton, entry_relu_256
checks: wrong
no-checks: wrong
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    outside = tl.sum(tl.where(mask, 0.0, x.to(tl.float32)), axis=0)
    y = tl.where(x < 0.0, 0.0, x) + outside
    tl.store(y_ptr + offsets, tl.where(offsets == n - 1, y + 1.0, y), mask=mask)
