"""Batch normalization in training mode: every channel by its own mean and variance.

`ModelNew(num_features)`. x has shape (images, num_features, height, width). Mean and variance (the
sum of squares over the count, not over one less) are taken over images, height and width, and eps =
1e-5 is added to the variance. The mean may be large compared to the spread, and the variance as
small as eps. Then each channel is multiplied by `bn.weight` and `bn.bias` is added. The module
holds `bn.running_mean`, `bn.running_var` and `bn.num_batches_tracked`, too; the result does not
depend on them, and how they are left is not judged.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.bn(x)
        return result


TASK = problem(
    Model,
    level=1,
    number=33,
    init=lambda images, features, height, width: (features,),
    inputs=lambda x, images, features, height, width: (x(images, features, height, width),),
    published={"images": 64, "features": 64, "height": 512, "width": 512},
    small=(
        {"images": 2, "features": 3, "height": 5, "width": 7},
        {"images": 1, "features": 5, "height": 1, "width": 3},
        {"images": 3, "features": 4, "height": 33, "width": 37},
    ),
    ranges={"images": (2, 4), "features": (1, 9), "height": (1, 40), "width": (1, 40)},
    rare=("far", "narrow"),
    difficulty=3,
)
