"""A convolution, instance norm without weights, then division by a number.

`ModelNew(in_channels, out_channels, kernel_size, divide_by)`. x has shape (batch, in_channels,
height, width); no padding, stride 1. Each channel of each image is taken to mean 0 and variance 1
(the variance over all its values, plus 1e-5), also where the mean is large compared to the spread
or the variance small. kernel_size and divide_by vary; divide_by is any number but 0. The weights
are `conv.weight` and `conv.bias`.
"""

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int, divide_by: float
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.instance_norm = nn.InstanceNorm2d(out_channels)
        self.divide_by = divide_by

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        normed: torch.Tensor = self.instance_norm(self.conv(x))
        return normed / self.divide_by


TASK = problem(
    Model,
    level=2,
    number=17,
    init=lambda channels, out, kernel, divisor, **_: (channels, out, kernel, divisor),
    inputs=lambda x, batch, channels, height, width, **_: (x(batch, channels, height, width),),
    published={"batch": 128, "channels": 64, "out": 128, "height": 128, "width": 128},
    small=(
        {"batch": 2, "channels": 3, "out": 5, "height": 9, "width": 13},
        {"batch": 1, "channels": 1, "out": 1, "height": 3, "width": 4},
        {"batch": 3, "channels": 17, "out": 20, "height": 19, "width": 18},
    ),
    ranges={
        "batch": (1, 3),
        "channels": (1, 9),
        "out": (1, 20),
        "height": (4, 14),
        "width": (4, 14),
    },
    numbers={"divisor": 2.0},
    choices={"kernel": (3, 2, 1)},
    rare=("far", "narrow"),
)
