"""The logistic function 1 / (1 + exp(-x)) of each element.

`ModelNew()`. x has shape (rows, columns) and may hold NaN, which stays NaN, and infinities; the
result has the same shape. There are no weights.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sigmoid()


TASK = problem(
    Model,
    level=1,
    number=21,
    inputs=lambda x, rows, columns: (x(rows, columns),),
    published={"rows": 4096, "columns": 393216},
    small=(
        {"rows": 5, "columns": 129},
        {"rows": 1, "columns": 1},
        {"rows": 3, "columns": 1500},
    ),
    ranges={"rows": (1, 20), "columns": (1, 3000)},
    rare=("special",),
    difficulty=1,
)
