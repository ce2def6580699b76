"""A kernel that an object holds in `self.kernel`.

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


class Launcher:
    def __init__(self, kernel, block):
        self.kernel = kernel
        self.block = block

    def run(self, y, x, n):
        self.kernel[(triton.cdiv(n, self.block),)](y, x, n, BLOCK=self.block)


LAUNCHER = Launcher(relu_kernel, 1024)


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        LAUNCHER.run(y, x, x.numel())
    return input.copy_(y) if inplace else y
