"""Computes with the counter of a loop: casts it, takes remainders, compares it.

with: triton, entry_relu
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    y = tl.zeros_like(x)
    for i in range(0, 3):
        part = i.to(tl.float32) + i % 2 - i // 2
        y = tl.where((part > 9.0) & (i == 2), y, tl.where(x < 0.0, 0.0, x))
    for i in tl.static_range(2):
        if i == 1:
            tl.store(y_ptr + offsets, y, mask=mask)
