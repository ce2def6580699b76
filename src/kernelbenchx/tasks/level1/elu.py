"""The exponential linear unit: x where x is positive, alpha * (exp(x) - 1) elsewhere.

`ModelNew(alpha=1.0)`. alpha is any number but 0, negative ones and fractions included. x has shape
(rows, columns) and may hold NaN, which stays NaN, and infinities; the result has the same shape.
There are no weights.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.elu(x, self.alpha)


TASK = problem(
    Model,
    level=1,
    number=31,
    init=lambda alpha, **_: (alpha,),
    inputs=lambda x, rows, columns, **_: (x(rows, columns),),
    published={"rows": 4096, "columns": 393216},
    small=(
        {"rows": 5, "columns": 129},
        {"rows": 1, "columns": 1},
        {"rows": 3, "columns": 1500},
    ),
    ranges={"rows": (1, 20), "columns": (1, 3000)},
    numbers={"alpha": 1.0},
    rare=("special",),
    difficulty=1,
)
