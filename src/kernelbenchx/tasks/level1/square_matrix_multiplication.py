"""The product A @ B of two square matrices.

`ModelNew()`. A and B have shape (N, N), and so has the result. There are no weights.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return A @ B


TASK = problem(
    Model,
    level=1,
    number=1,
    inputs=lambda x, N: (x(N, N), x(N, N)),
    published={"N": 4096},
    small=({"N": 67}, {"N": 1}, {"N": 160}),
    ranges={"N": (1, 200)},
)
