"""The Kullback-Leibler divergence between rows of probabilities, as a mean over the rows.

`ModelNew()`. predictions and targets have shape (rows, columns); every row of each is positive and
adds up to 1. The result is the sum of targets * (log(targets) - log(predictions)) over all
elements, divided by the number of rows only; it has no dimensions.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return F.kl_div(predictions.log(), targets, reduction="batchmean")


TASK = problem(
    Model,
    level=1,
    number=98,
    # Within (-3, 3): no probability underflows to zero in 16 bits.
    inputs=lambda x, rows, columns: (
        (x(rows, columns) * x(1)).clamp(-3, 3).softmax(1),
        x(rows, columns).clamp(-3, 3).softmax(1),
    ),
    published={"rows": 16384, "columns": 16384},
    small=(
        {"rows": 5, "columns": 129},
        {"rows": 1, "columns": 2},
        {"rows": 33, "columns": 700},
    ),
    ranges={"rows": (1, 150), "columns": (2, 300)},
)
