"""A plan in a dataclass, a cached block size, and a list that an inner function fills.

with: triton, relu_kernel
"""

from dataclasses import dataclass
from functools import lru_cache


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
