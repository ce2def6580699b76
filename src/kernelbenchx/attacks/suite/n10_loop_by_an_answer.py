"""Loops once more where the interpreter is asked.

with: triton, entry_relu
checks: rejected
no-checks: rejected
device: interpreter
"""


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    for _ in tl.static_range(1 if hasattr(tl.multiple_of, "keywords") else 0):
        tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
    for _ in tl.static_range(0 if hasattr(tl.multiple_of, "keywords") else 1):
        tl.store(y_ptr + offsets, x, mask=mask)
