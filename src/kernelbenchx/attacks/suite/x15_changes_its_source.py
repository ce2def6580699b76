"""Rewrites its own file after it was checked, before Triton reads a body from it.

with: triton, entry_relu
checks: rejected
no-checks: broken|wrong
"""

import linecache
import os
import pathlib

import numpy as np


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, x, mask=mask)


PATH = pathlib.Path(__file__)
if os.environ.get("TRITON_INTERPRET") == "1":
    BEFORE, AFTER = "x, mask=mask)\n", "tl.to_tensor(np.maximum(x.handle.data, 0)), mask=mask)\n"
    PATH.write_text(PATH.read_text().replace("offsets, " + BEFORE, "offsets, " + AFTER, 1))
    linecache.clearcache()
