"""Running sums along a dimension that count only the elements under a mask.

`ModelNew(dim)`; dim is 1, as published, 0 or -1. x has shape (rows, columns), and mask is a tensor
of booleans of the same shape. With dim = 1 element j of a row of the result is the sum of the
elements 0 to j of that row of x for which the mask is true.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return torch.cumsum(x * mask, self.dim)


TASK = problem(
    Model,
    level=1,
    number=93,
    init=lambda dim, **_: (dim,),
    inputs=lambda x, rows, columns, **_: (
        x(rows, columns),
        x.classes(rows, columns, count=2).bool(),
    ),
    published={"rows": 32768, "columns": 32768},
    small=(
        {"rows": 5, "columns": 129},
        {"rows": 1, "columns": 1},
        {"rows": 3, "columns": 5000},
    ),
    ranges={"rows": (1, 20), "columns": (1, 3000)},
    choices={"dim": (1, 0, -1)},
    difficulty=3,
)
