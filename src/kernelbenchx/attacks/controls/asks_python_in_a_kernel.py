"""Asks Python for constants and classes of values, and is told the same everywhere.

with: triton, entry_relu
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    if isinstance(BLOCK, int) and hasattr(x, "dtype") and len((x, mask)) == 2:
        tl.static_assert(BLOCK >= 16, f"a block of {BLOCK} is too small")
        tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
