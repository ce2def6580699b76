"""A linear layer, its result times a number, then leaky ReLU.

`ModelNew(in_features, out_features, multiplier, negative_slope)`. Both numbers vary, fractions and
negative ones included. x has shape (rows, in_features); the weights are `gemm.weight` of shape
(out_features, in_features) and `gemm.bias`.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self, in_features: int, out_features: int, multiplier: float, negative_slope: float
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.negative_slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.leaky_relu(self.gemm(x) * self.multiplier, self.negative_slope)


TASK = problem(
    Model,
    level=2,
    number=12,
    init=lambda wide, out, factor, slope, **_: (wide, out, factor, slope),
    inputs=lambda x, rows, wide, **_: (x(rows, wide),),
    published={"rows": 1024, "wide": 8192, "out": 8192},
    small=(
        {"rows": 5, "wide": 129, "out": 67},
        {"rows": 1, "wide": 64, "out": 1},
        {"rows": 33, "wide": 1000, "out": 40},
    ),
    ranges={"rows": (1, 70), "wide": (1, 300), "out": (1, 150)},
    numbers={"factor": 2.0, "slope": 0.1},
)
