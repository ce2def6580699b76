"""The Kullback-Leibler divergence between rows of probabilities, as a mean over the rows.

`ModelNew()`. predictions and targets have shape (rows, columns); every row of each adds up to 1.
Predictions are positive; targets may be 0, and such an element adds 0 to the sum. The result is the
sum of targets * (log(targets) - log(predictions)) over all elements, divided by the number of rows
only; it has no dimensions.
"""

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return F.kl_div(predictions.log(), targets, reduction="batchmean")


def draw_probabilities(scores: torch.Tensor) -> torch.Tensor:
    """Softmax of scores within (-3, 3): no probability underflows to zero in 16 bits."""
    return (scores - scores.mean()).clamp(-3, 3).softmax(1)


def draw_targets(x: Any, rows: int, columns: int) -> torch.Tensor:
    """Probabilities: all of it in one class of each row where values are far from 0."""
    if x.values == "far":
        return F.one_hot(x.classes(rows, count=columns), columns).to(x.dtype)
    return draw_probabilities(x(rows, columns))


TASK = problem(
    Model,
    level=1,
    number=98,
    inputs=lambda x, rows, columns: (
        draw_probabilities(x(rows, columns) * x.factor()),
        draw_targets(x, rows, columns),
    ),
    published={"rows": 16384, "columns": 16384},
    small=(
        {"rows": 5, "columns": 129},
        {"rows": 1, "columns": 2},
        {"rows": 33, "columns": 700},
    ),
    ranges={"rows": (1, 150), "columns": (2, 300)},
    rare=("far",),
)
