"""Group normalization: the channels of each image in groups, each by its own mean and variance.

`ModelNew(num_features, num_groups)`. x has shape (images, num_features, height, width). A group is
num_features / num_groups channels that follow each other; its mean and variance (the sum of squares
over the count) are taken over its channels, height and width, and eps = 1e-5 is added to the
variance. The mean may be large compared to the spread, and the variance as small as eps. Then each
channel is multiplied by `gn.weight` and `gn.bias` is added.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(self, num_features: int, num_groups: int) -> None:
        super().__init__()
        self.gn = nn.GroupNorm(num_groups, num_features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.gn(x)
        return result


TASK = problem(
    Model,
    level=1,
    number=35,
    init=lambda images, groups, each, height, width: (groups * each, groups),
    inputs=lambda x, images, groups, each, height, width: (
        x(images, groups * each, height, width),
    ),
    published={"images": 112, "groups": 8, "each": 8, "height": 512, "width": 512},
    small=(
        {"images": 2, "groups": 3, "each": 2, "height": 5, "width": 7},
        {"images": 1, "groups": 2, "each": 1, "height": 1, "width": 3},
        {"images": 2, "groups": 2, "each": 3, "height": 41, "width": 37},
    ),
    ranges={"groups": (1, 4), "each": (1, 4), "height": (1, 40), "width": (2, 40)},
    rare=("far", "narrow"),
    difficulty=3,
)
