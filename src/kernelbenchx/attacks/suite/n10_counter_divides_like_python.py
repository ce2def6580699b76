"""Is right where -3 // 2 of a counter is rounded down, which no device does.

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
    for i in range(-3, -2):
        down = tl.where(i // 2 == -2, 1, 0)
        tl.store(y_ptr + offsets, tl.where((x < 0.0) & (down == 1), 0.0, x), mask=mask)
