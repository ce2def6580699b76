"""Is right where a number with an annotation stays a number.

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
    width: int = 4
    if isinstance(width, int):
        tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
    else:
        tl.store(y_ptr + offsets, x, mask=mask)
