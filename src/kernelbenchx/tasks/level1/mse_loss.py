"""The mean of the squared differences of predictions and targets.

`ModelNew()`. predictions and targets have shape (rows, columns). The result is the sum of
(predictions - targets) squared over all elements, divided by their number; it has no dimensions.
Both may be large compared to their differences.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return (predictions - targets).square().mean()


TASK = problem(
    Model,
    level=1,
    number=94,
    # The published problem scales all predictions by one number.
    inputs=lambda x, rows, columns: (x(rows, columns) * x.factor(), x(rows, columns)),
    published={"rows": 32768, "columns": 32768},
    small=(
        {"rows": 5, "columns": 129},
        {"rows": 1, "columns": 1},
        {"rows": 33, "columns": 700},
    ),
    ranges={"rows": (1, 150), "columns": (1, 300)},
    rare=("far",),
    difficulty=1,
)
