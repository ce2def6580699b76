"""Forgets keepdim, and returns int32."""

import torch
import triton
import triton.language as tl


@triton.jit
def argmax_kernel(x_ptr, y_ptr, n, outer, inner, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    start = (row // inner) * n * inner + row % inner
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + start + at * inner, mask=at < n, other=-float("inf"))
    tl.store(y_ptr + row, tl.argmax(x, axis=0))


def argmax(input, dim, keepdim=False):
    x = input.contiguous()
    if dim is None or x.dim() == 0:
        x, dim = x.view(-1), 0
    dim = dim % x.dim()
    shape = list(x.shape)
    n = shape.pop(dim)
    outer, inner = 1, 1
    for size in x.shape[:dim]:
        outer *= size
    for size in x.shape[dim + 1 :]:
        inner *= size
    y = torch.empty(shape, dtype=torch.int32, device=x.device)
    if outer * inner > 0:
        block = triton.next_power_of_2(n)
        argmax_kernel[(outer * inner,)](x, y, n, outer, inner, BLOCK=block)
    return y
