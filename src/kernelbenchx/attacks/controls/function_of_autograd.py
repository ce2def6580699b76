"""A function of autograd that keeps what it needs in its context.

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


class Relu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.size = x.numel()
        y = torch.empty_like(x)
        if ctx.size:
            relu_kernel[(triton.cdiv(ctx.size, 1024),)](y, x, ctx.size, BLOCK=1024)
        return y

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = Relu.apply(input.contiguous())
    return input.copy_(y) if inplace else y
