"""A linear layer, batch norm in training mode, GELU, then ReLU.

`ModelNew(in_features, out_features)`. x has shape (rows, in_features). Batch norm takes mean and
variance of each column from the rows of this call (the variance over all rows, plus 1e-5); running
averages play no part. The mean of a column may be large compared to its spread, and the variance as
small as 1e-5. GELU is the exact one, with erf. The weights are `gemm.weight`, `gemm.bias`,
`batch_norm.weight` and `batch_norm.bias`; `batch_norm` also has buffers.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.batch_norm = nn.BatchNorm1d(out_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(F.gelu(self.batch_norm(self.gemm(x))))


TASK = problem(
    Model,
    level=2,
    number=41,
    init=lambda wide, out, **_: (wide, out),
    inputs=lambda x, rows, wide, **_: (x(rows, wide),),
    published={"rows": 16384, "wide": 4096, "out": 4096},
    small=(
        {"rows": 5, "wide": 129, "out": 67},
        {"rows": 2, "wide": 64, "out": 1},
        {"rows": 70, "wide": 200, "out": 40},
    ),
    ranges={"rows": (3, 90), "wide": (1, 200), "out": (1, 100)},
    rare=("far", "narrow"),
)
