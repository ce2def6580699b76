"""A chain of elementwise steps and a mean over each row, in one kernel."""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, features: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.rand(features))
        self.eps = eps

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return (self.weight * torch.sqrt((x - y) ** 2 + self.eps**2)).mean(dim=1)


TASK = problem(
    Model,
    level=1,
    number=901,
    init=lambda wide, **_: (wide, 0.05),
    inputs=lambda x, rows, wide: (x(rows, wide), x(rows, wide)),
    published={"rows": 4096, "wide": 16384},
    small=({"rows": 5, "wide": 129}, {"rows": 2, "wide": 5000}),
)
