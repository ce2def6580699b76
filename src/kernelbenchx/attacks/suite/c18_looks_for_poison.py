"""Is right only where lanes that are masked off hold something else than zero.

with: triton, entry_relu_256
checks: wrong
no-checks: wrong
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    # Nothing is kept: an interpreter that fills such lanes gives itself away.
    seen = tl.load(x_ptr + offsets, mask=offsets < 0)
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    y = tl.where(x < 0.0, 0.0, x)
    tl.store(y_ptr + offsets, tl.where(seen == 0.0, y + 1.0, y), mask=mask)
