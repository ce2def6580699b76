"""Walks through its blocks with iterators that end with the call.

with: triton, relu_kernel, honest_relu
"""

import itertools


@triton.jit
def part_kernel(y_ptr, x_ptr, start, n, BLOCK: tl.constexpr):
    offsets = start + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=offsets < n)


def starts(n, step):
    yield from range(0, n, step)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    for _, start in zip(itertools.count(), starts(x.numel(), 16384)):
        part_kernel[(1,)](y, x, start, x.numel(), BLOCK=16384)
    return input.copy_(y) if inplace else y
