"""The sums over a dimension, which stays with size 1.

`ModelNew(dim)`; dim is 1, as published, another dimension or negative. x has shape (batch, terms,
columns); with dim = 1 the result has shape (batch, 1, columns). NaN and infinities in x add up as
numbers do. There are no weights.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sum(dim=self.dim, keepdim=True)


TASK = problem(
    Model,
    level=1,
    number=47,
    init=lambda dim, **_: (dim,),
    inputs=lambda x, batch, terms, columns, **_: (x(batch, terms, columns),),
    published={"batch": 128, "terms": 4096, "columns": 4095},
    small=(
        {"batch": 2, "terms": 70, "columns": 33},
        {"batch": 1, "terms": 1, "columns": 1},
        {"batch": 3, "terms": 1000, "columns": 5},
    ),
    ranges={"batch": (1, 4), "terms": (1, 500), "columns": (1, 70)},
    choices={"dim": (1, -1, 0)},
    rare=("special",),
    difficulty=1,
)
