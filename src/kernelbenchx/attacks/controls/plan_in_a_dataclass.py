"""A plan in a dataclass, a cached block size, and a list that an inner function fills.

task: relu
"""

from dataclasses import dataclass
from functools import lru_cache

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


@dataclass
class Plan:
    type: str
    block: int = 1024

    def grid(self, n):
        return (triton.cdiv(n, self.block),)


@lru_cache(maxsize=None)
def block_for(n: int) -> int:
    return min(1024, triton.next_power_of_2(max(n, 16)))


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    outputs = []

    def add(tensor):
        outputs.append(tensor)

    add(torch.empty_like(x))
    plan = Plan("elementwise")
    plan.block = block_for(x.numel())
    if x.numel():
        relu_kernel[plan.grid(x.numel())](outputs[0], x, x.numel(), BLOCK=plan.block)
    return input.copy_(outputs[0]) if inplace else outputs[0]
