"""Shows the compiler one body and the interpreter another that computes with numpy.

with: triton, entry_relu
checks: rejected
no-checks: broken
device: interpreter
"""

import os

import numpy as np

if os.environ.get("TRITON_INTERPRET") == "1":

    @triton.jit
    def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
        x.handle.data = np.where(x.handle.data < 0, 0, x.handle.data)
        tl.store(y_ptr + offsets, x, mask=mask)

else:

    @triton.jit
    def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
        offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask), mask=mask)
