"""A wrapper that insists on a CUDA device, under the fallback entry name.

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


def kernel_function(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    assert input.is_cuda, "the input must lie on a GPU"
    x = input.contiguous()
    y = torch.empty(x.shape, dtype=x.dtype, device="cuda")
    n = x.numel()
    if n:
        with torch.cuda.device(x.device):
            relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
        torch.cuda.synchronize()
    return input.copy_(y) if inplace else y
