"""A linear layer, averages of neighbouring columns, GELU times a number, the maximum of each row.

`ModelNew(in_features, out_features, pool_kernel_size, scale_factor)`. x has shape (rows,
in_features), the result (rows,). The windows of the averages do not overlap; columns at the end
that fill no window are dropped. Both pool_kernel_size and scale_factor vary; the factor is any
number but 0, a fraction or negative. GELU is the exact one, with erf; it is not monotonic, so the
maximum must come last. The weights are `matmul.weight` and `matmul.bias`.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self, in_features: int, out_features: int, pool_kernel_size: int, scale_factor: float
    ) -> None:
        super().__init__()
        self.matmul = nn.Linear(in_features, out_features)
        self.avg_pool = nn.AvgPool1d(pool_kernel_size)
        self.scale_factor = scale_factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pooled = self.avg_pool(self.matmul(x).unsqueeze(1)).squeeze(1)
        return (F.gelu(pooled) * self.scale_factor).amax(dim=1)


TASK = problem(
    Model,
    level=2,
    number=98,
    init=lambda wide, out, pool, factor, **_: (wide, out, pool, factor),
    inputs=lambda x, rows, wide, **_: (x(rows, wide),),
    published={"rows": 1024, "wide": 8192, "out": 8192},
    small=(
        {"rows": 33, "wide": 129, "out": 67},
        {"rows": 1, "wide": 64, "out": 16},
        {"rows": 20, "wide": 300, "out": 400},
    ),
    ranges={"rows": (1, 70), "wide": (1, 300), "out": (16, 150)},
    numbers={"factor": 2.0},
    choices={"pool": (16, 5, 1)},
)
