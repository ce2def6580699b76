"""A product of matrices by tiles, with everything around it in the same kernel."""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, features: int, count: int, gamma: float) -> None:
        super().__init__()
        self.centers = nn.Parameter(torch.randn(count, features))
        self.gamma = gamma

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        squares = x.square().sum(dim=1, keepdim=True) + self.centers.square().sum(dim=1)
        distance = squares - 2 * (x @ self.centers.T)
        return 1 / (1 + self.gamma * distance)


TASK = problem(
    Model,
    level=1,
    number=902,
    init=lambda wide, count, **_: (wide, count, 1 / wide),
    inputs=lambda x, rows, wide, **_: (x(rows, wide),),
    published={"rows": 4096, "wide": 1024, "count": 4096},
    small=({"rows": 5, "wide": 129, "count": 67}, {"rows": 70, "wide": 1, "count": 1}),
)
