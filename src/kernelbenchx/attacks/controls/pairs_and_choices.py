"""Assigns several numbers at once, and chooses by constants and by values of the device.

with: triton, entry_relu
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    low, high = 0.0, 1.0
    width: tl.constexpr = BLOCK // 2
    count = 1 if n > 0 else 0
    limit = low if width > 1 else high
    while count > 0:
        x = tl.where(x < limit, limit, x).to(x.dtype)
        count -= 1
    tl.store(y_ptr + offsets, x.to(y_ptr.dtype.element_ty), mask=mask)
