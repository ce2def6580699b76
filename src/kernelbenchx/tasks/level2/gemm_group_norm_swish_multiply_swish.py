"""A linear layer, group norm, Swish, a number per column as a factor, Swish again.

`ModelNew(in_features, out_features, num_groups, multiply_weight_shape)`. x has shape (rows,
in_features); a group is out_features / num_groups neighbouring columns of one row (the variance
over all of them, plus 1e-5); its variance may be as small as 1e-5. Swish is y * sigmoid(y). The
weights are `gemm.weight`, `gemm.bias`, `group_norm.weight`, `group_norm.bias` and `multiply_weight`
of shape (out_features,).
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self,
        in_features: int,
        out_features: int,
        num_groups: int,
        multiply_weight_shape: tuple[int, ...],
    ) -> None:
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.group_norm = nn.GroupNorm(num_groups, out_features)
        self.multiply_weight = nn.Parameter(torch.randn(multiply_weight_shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        normed: torch.Tensor = self.group_norm(self.gemm(x))
        scaled = normed * torch.sigmoid(normed) * self.multiply_weight
        return scaled * torch.sigmoid(scaled)


TASK = problem(
    Model,
    level=2,
    number=88,
    init=lambda wide, groups, each, **_: (wide, groups * each, groups, (groups * each,)),
    inputs=lambda x, rows, wide, **_: (x(rows, wide),),
    published={"rows": 1024, "wide": 8192, "groups": 256, "each": 32},
    small=(
        {"rows": 5, "wide": 129, "groups": 9, "each": 7},
        {"rows": 1, "wide": 64, "groups": 1, "each": 2},
        {"rows": 33, "wide": 300, "groups": 3, "each": 40},
    ),
    ranges={"rows": (1, 70), "wide": (1, 300), "groups": (1, 12), "each": (2, 32)},
    rare=("narrow",),
)
