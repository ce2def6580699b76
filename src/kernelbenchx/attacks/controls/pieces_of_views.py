"""Cuts tensors into pieces by numbers that no data decides, and launches for each.

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


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    flat = y.ravel()
    pairs = zip(flat.tensor_split(3), x.view_as(y).ravel().tensor_split(3), strict=True)
    for piece, part in pairs:
        for to, of in zip(piece.chunk(2), part.type_as(input).chunk(2), strict=True):
            n = to.numel()
            if n and not of.is_complex():
                relu_kernel[(triton.cdiv(n, 1024),)](to, of, n, BLOCK=1024)
    return input.copy_(y) if inplace else y
