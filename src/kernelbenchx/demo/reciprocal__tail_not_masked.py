"""No mask at all: reads and writes beyond the end of the tensors."""

import torch
import triton
import triton.language as tl


@triton.jit
def reciprocal_kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets).to(tl.float32)
    tl.store(y_ptr + offsets, (1.0 / x).to(y_ptr.dtype.element_ty))


def reciprocal(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    reciprocal_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, BLOCK=1024)
    if out is not None:
        out.copy_(y)
        return out
    return y
