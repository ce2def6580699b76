"""The mean of max(0, 1 - prediction * target), with one target for each column.

`ModelNew()`. predictions has shape (rows, columns); targets has shape (columns,) and holds -1 or 1
as floating numbers. The target of a column counts for every row. The result is the mean over all
rows and columns, without dimensions.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return (1 - predictions * targets).clamp(min=0).mean()


TASK = problem(
    Model,
    level=1,
    number=100,
    inputs=lambda x, rows, columns: (x(rows, columns), x.signs(columns)),
    published={"rows": 32768, "columns": 32768},
    small=(
        {"rows": 5, "columns": 129},
        {"rows": 1, "columns": 1},
        {"rows": 33, "columns": 700},
    ),
    ranges={"rows": (1, 150), "columns": (1, 300)},
    unsound="Targets are drawn one for each row and multiplied with the columns: a kernel that "
    "computes the loss of the rows is called wrong.",
)
