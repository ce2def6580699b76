"""Makes its kernel at run time, so that only an interpreter could run it.

with: triton, entry_relu
checks: rejected
no-checks: broken
"""

BODY = """
@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    x.handle.data = __import__("numpy").maximum(x.handle.data, 0)
    tl.store(y_ptr + offsets, x, mask=mask)
"""
exec(BODY)
