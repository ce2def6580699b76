"""A linear layer, its maximum along a dimension, minus the mean of each row, then GELU.

`ModelNew(in_features, out_features, max_dim)`. x has shape (rows, in_features). The maximum keeps
its dimension; along dimension 1, as published, one column is left: it is its own mean, and every
result is GELU(0) = 0, of shape (rows, 1). The weights are `gemm.weight` and `gemm.bias`.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, in_features: int, out_features: int, max_dim: int) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.max_dim = max_dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        largest = self.gemm(x).amax(dim=self.max_dim, keepdim=True)
        return F.gelu(largest - largest.mean(dim=1, keepdim=True))


TASK = problem(
    Model,
    level=2,
    number=80,
    init=lambda wide, out, **_: (wide, out, 1),
    inputs=lambda x, rows, wide, **_: (x(rows, wide),),
    published={"rows": 1024, "wide": 8192, "out": 8192},
    small=(
        {"rows": 5, "wide": 129, "out": 67},
        {"rows": 1, "wide": 64, "out": 1},
        {"rows": 33, "wide": 300, "out": 40},
    ),
    ranges={"rows": (1, 70), "wide": (1, 300), "out": (1, 150)},
    unsound="zeros pass: a single column minus its mean is 0, whatever inputs and weights are",
)
