"""Computes with numpy inside the kernel's body, which an interpreter would run.

with: triton, entry_relu
checks: rejected
no-checks: broken
"""

import numpy as np


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    x.handle.data = np.where(x.handle.data < 0, 0, x.handle.data)
    tl.store(y_ptr + offsets, x, mask=mask)
