"""Computes with a default for an attribute that no compiled value has.

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
    step = tl.where(getattr(x.type, "sizes", 0) == 0, 0, 1)
    tl.store(y_ptr + offsets, tl.where((x < 0.0) & (step == 1), 0.0, x), mask=mask)
