"""Is right where the counter of a loop has no type, which every compiled one has.

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
    for i in tl.range(1):
        if hasattr(i, "type"):
            tl.store(y_ptr + offsets, x, mask=mask)
        else:
            tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)
