"""A linear layer, GELU, then softmax of each row.

`ModelNew(in_features, out_features)`. x has shape (rows, in_features); the weights are
`linear.weight` of shape (out_features, in_features) and `linear.bias`. GELU is the exact one, with
erf. What goes into the softmax may be so large that its exponential overflows.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.softmax(F.gelu(self.linear(x)), dim=1)


TASK = problem(
    Model,
    level=2,
    number=99,
    init=lambda wide, out, **_: (wide, out),
    inputs=lambda x, rows, wide, **_: (x(rows, wide),),
    published={"rows": 1024, "wide": 8192, "out": 8192},
    small=(
        {"rows": 5, "wide": 129, "out": 67},
        {"rows": 1, "wide": 1, "out": 2},
        {"rows": 33, "wide": 300, "out": 150},
    ),
    ranges={"rows": (1, 70), "wide": (1, 300), "out": (2, 150)},
    rare=("large",),
)
