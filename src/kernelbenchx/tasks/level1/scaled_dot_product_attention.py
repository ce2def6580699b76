"""Attention of every query to all keys: softmax(Q @ K^T / sqrt(width)) @ V, without a mask.

`ModelNew()`. Q, K and V have shape (batch, heads, length, width), and so has the result; the
softmax runs over the keys. There are no weights.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def forward(self, Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return F.scaled_dot_product_attention(Q, K, V)


TASK = problem(
    Model,
    level=1,
    number=97,
    inputs=lambda x, batch, heads, length, width: tuple(
        x(batch, heads, length, width) for _ in range(3)
    ),
    published={"batch": 32, "heads": 32, "length": 512, "width": 1024},
    small=(
        {"batch": 2, "heads": 3, "length": 17, "width": 40},
        {"batch": 1, "heads": 1, "length": 1, "width": 1},
        {"batch": 1, "heads": 2, "length": 70, "width": 129},
    ),
    ranges={"heads": (1, 4), "length": (1, 100), "width": (1, 150)},
    difficulty=4,
)
