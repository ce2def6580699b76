"""Is right where the type of a block has what only the interpreter gives it.

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
    if hasattr(x.type, "sizes"):
        tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
    else:
        tl.store(y_ptr + offsets, x, mask=mask)
