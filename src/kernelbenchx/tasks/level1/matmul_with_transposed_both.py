"""The product of two matrices that both come transposed: A^T @ B^T.

`ModelNew()`. A has shape (K, M) and B has shape (N, K); the result has shape (M, N). There are no
weights.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return A.T @ B.T


TASK = problem(
    Model,
    level=1,
    number=18,
    inputs=lambda x, M, K, N: (x(K, M), x(N, K)),
    published={"M": 2048, "K": 8192, "N": 4096},
    small=(
        {"M": 5, "K": 129, "N": 67},
        {"M": 1, "K": 64, "N": 1},
        {"M": 70, "K": 300, "N": 131},
    ),
    ranges={"M": (1, 150), "K": (1, 300), "N": (1, 150)},
)
