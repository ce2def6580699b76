"""A graph that is captured, replayed and forgotten in every call.

task: relu
device: cuda
stage: perf
"""

import torch
import triton
import triton.language as tl

LARGE = 1 << 26  # capturing takes milliseconds: only where a kernel takes some time as well


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    grid = (triton.cdiv(n, 1024),)
    if n:
        relu_kernel[grid](y, x, n, BLOCK=1024)  # compiled and loaded before anything is captured
    if n >= LARGE:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            relu_kernel[grid](y, x, n, BLOCK=1024)
        graph.replay()
    return input.copy_(y) if inplace else y
