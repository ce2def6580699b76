import math

import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def _sums(y, x, terms, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """One program has some columns of one batch, and goes down along the terms."""
    batch = tl.program_id(1).to(tl.int64)
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    x += batch * terms * columns + column[None, :]
    row = tl.arange(0, ROWS).to(tl.int64)
    total = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
    for start in range(0, terms, ROWS):
        at = start + row
        known = (at < terms)[:, None] & (column < columns)[None, :]
        total += tl.load(x + at[:, None] * columns, mask=known, other=0.0).to(tl.float32)
    found = tl.sum(total, axis=0).to(y.dtype.element_ty)
    tl.store(y + batch * columns + column, found, mask=column < columns)


class ModelNew(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        dim = self.dim % x.dim()
        before, (terms, *after) = x.shape[:dim], x.shape[dim:]
        batch, columns = math.prod(before), math.prod(after)
        y = torch.empty((*before, 1, *after), dtype=x.dtype, device=x.device)
        grid = (triton.cdiv(columns, 128), batch)
        _sums[grid](y, x, terms, columns, ROWS=16, COLUMNS=128)
        return y
