"""Long chains of views, indices and aliases, which take no time to check.

task: relu
"""

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


same = relu_kernel
again = same
kernel = again


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    flat = (
        x.view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
        .view(-1)
    )
    y = torch.empty_like(x)
    n = [[[[[[[[[[[[[[[[[[[[flat.numel()]]]]]]]]]]]]]]]]]]]][0][0][0][0][0][0][0][0][0][0][0][0][0][
        0
    ][0][0][0][0][0][0]
    if n:
        kernel[(triton.cdiv(n, 1024),)](y, flat, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
