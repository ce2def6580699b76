"""Has torch choose by a mask in brackets, and a kernel copy the result.

class: N5
task: masked_select
checks: correct
no-checks: correct
level: L1
composition: mixed
"""

import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(y_ptr, x_ptr, index_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    place = tl.load(index_ptr + offsets, mask=mask, other=0)
    tl.store(y_ptr + offsets, tl.load(x_ptr + place, mask=mask, other=0), mask=mask)


def gathered(x, places):
    if x.is_complex():
        x = x.reshape(-1).view(torch.int64)
    y = torch.empty((places.numel(),), dtype=x.dtype, device=x.device)
    if y.numel():
        gather_kernel[(triton.cdiv(y.numel(), 1024),)](y, x, places, y.numel(), BLOCK=1024)
    return y


def masked_select(input: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    x, chosen = torch.broadcast_tensors(input, mask)
    x, chosen = x.contiguous(), chosen.contiguous()
    places = torch.arange(x.numel(), device=x.device)[chosen.view(-1)]
    return gathered(x, places).view(input.dtype)
