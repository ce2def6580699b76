"""Has torch fill one named slice after another, and a kernel only the last ones.

class: N5
task: index_fill_
checks: correct|rejected
no-checks: correct|rejected
level: L1
composition: mixed
"""

import torch
import triton
import triton.language as tl


@triton.jit
def fill_kernel(x_ptr, number_ptr, index_ptr, n, named, size, inner, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    place = tl.load(index_ptr + offsets // inner % named, mask=mask, other=0)
    place = tl.where(place < 0, place + size, place)
    target = (offsets // (inner * named) * size + place) * inner + offsets % inner
    tl.store(x_ptr + target, tl.load(number_ptr + offsets * 0, mask=mask, other=0), mask=mask)


def index_fill_(dim: int, x: torch.Tensor, index: torch.Tensor, value: float) -> torch.Tensor:
    dense = x.contiguous()
    if not index.numel() or not x.numel():
        return x
    first = min(index.numel() - 1, 100)
    for name in index[:first].tolist():
        dense.select(dim, name).fill_(value)
    places = index[first:].contiguous()
    size, inner, named = x.shape[dim], 1, places.numel()
    for other in x.shape[dim % x.dim() + 1 :]:
        inner *= other
    number = torch.full((1,), value, dtype=x.dtype, device=x.device)
    n = x.numel() // size * named
    grid = (triton.cdiv(n, 1024),)
    fill_kernel[grid](dense, number, places, n, named, size, inner, BLOCK=1024)
    return x if dense is x else x.copy_(dense)
