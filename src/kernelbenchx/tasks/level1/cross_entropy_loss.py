"""Cross entropy between rows of scores and class numbers, as one mean.

`ModelNew()`. predictions has shape (rows, classes) and holds scores, not probabilities, of any
size: their exponentials may overflow; targets has shape (rows,) and holds class numbers (int64, in
every precision). The loss of a row is the logarithm of the sum of the exponentials of its scores,
less the score of its class. The result is the mean over all rows, without dimensions.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def forward(self, predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(predictions, targets)


TASK = problem(
    Model,
    level=1,
    number=95,
    inputs=lambda x, rows, classes: (x(rows, classes), x.classes(rows, count=classes)),
    published={"rows": 32768, "classes": 4096},
    small=(
        {"rows": 5, "classes": 129},
        {"rows": 1, "classes": 2},
        {"rows": 7, "classes": 5000},
    ),
    ranges={"rows": (1, 150), "classes": (2, 300)},
    rare=("far",),
)
