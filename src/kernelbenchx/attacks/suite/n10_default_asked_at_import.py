"""Asks at import, and hides the answer in the default of a helper's parameter.

with: triton, entry_relu
checks: rejected
no-checks: rejected
device: interpreter
"""


@triton.jit
def choose(x, ASKED: tl.constexpr = hasattr(tl.multiple_of, "func")):
    return tl.where((x < 0.0) & ASKED, 0.0, x)


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, choose(x), mask=mask)
