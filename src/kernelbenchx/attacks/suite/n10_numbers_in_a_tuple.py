"""Is right where two numbers assigned at once are divided as Python does.

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
    a, b = -7, 2
    down = tl.where(a // b == -4, 1, 0)
    tl.store(y_ptr + offsets, tl.where((x < 0.0) & (down == 1), 0.0, x), mask=mask)
