import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def _rows(y, x, mask, n, BLOCK: tl.constexpr):
    """A program for a row: block after block, each upon the sum of those before it."""
    start = tl.program_id(0).to(tl.int64) * n
    before = 0.0
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        v = tl.load(x + start + at, mask=at < n, other=0.0).to(tl.float32)
        v *= tl.load(mask + start + at, mask=at < n, other=0).to(tl.float32)
        sums = tl.cumsum(v, axis=0) + before
        tl.store(y + start + at, sums.to(y.dtype.element_ty), mask=at < n)
        before += tl.sum(v, axis=0)


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x, mask = (one.transpose(self.dim, -1).contiguous() for one in (x, mask))
        y = torch.empty_like(x)
        n = x.shape[-1]
        block = min(triton.next_power_of_2(n), 4096)
        warps = min(max(block // 512, 1), 8 if x.itemsize > 2 else 4)
        _rows[(x.numel() // n,)](y, x, mask, n, BLOCK=block, num_warps=warps)
        return y.transpose(self.dim, -1)
