"""The product A @ B of two matrices whose sizes are no multiples of a block.

`ModelNew()`. A has shape (M, K) and B has shape (K, N); the result has shape (M, N). There are no
weights.
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
    number=8,
    inputs=lambda x, M, K, N: (x(M, K), x(K, N)),
    published={"M": 8205, "K": 2949, "N": 5921},
    small=(
        {"M": 5, "K": 129, "N": 67},
        {"M": 1, "K": 1, "N": 1},
        {"M": 70, "K": 300, "N": 131},
    ),
    ranges={"M": (1, 150), "K": (1, 300), "N": (1, 150)},
)
