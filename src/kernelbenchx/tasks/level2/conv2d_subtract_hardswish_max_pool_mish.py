"""A convolution minus a number, hardswish, max pooling, then Mish.

`ModelNew(in_channels, out_channels, kernel_size, subtract_value, pool_kernel_size)`. x has shape
(batch, in_channels, height, width); no padding, stride 1. The numbers vary: subtract_value is any
one, a fraction or negative. The windows of the pooling do not overlap; rows and columns that fill
no window are dropped. The weights are `conv.weight` and `conv.bias`.
"""

import torch
from torch import nn
from torch.nn import functional as F

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        subtract_value: float,
        pool_kernel_size: int,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.subtract_value = subtract_value
        self.pool = nn.MaxPool2d(pool_kernel_size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.mish(self.pool(F.hardswish(self.conv(x) - self.subtract_value)))


TASK = problem(
    Model,
    level=2,
    number=35,
    init=lambda channels, out, kernel, less, pool, **_: (channels, out, kernel, less, pool),
    inputs=lambda x, batch, channels, height, width, **_: (x(batch, channels, height, width),),
    published={"batch": 128, "channels": 64, "out": 128, "height": 128, "width": 128},
    small=(
        {"batch": 2, "channels": 3, "out": 5, "height": 9, "width": 13},
        {"batch": 1, "channels": 1, "out": 1, "height": 5, "width": 5},
        {"batch": 3, "channels": 17, "out": 70, "height": 10, "width": 11},
    ),
    ranges={
        "batch": (1, 3),
        "channels": (1, 9),
        "out": (1, 20),
        "height": (5, 14),
        "width": (5, 14),
    },
    numbers={"less": 0.5},
    choices={"kernel": (3, 2), "pool": (2, 1, 3)},
    rare=("far",),
)
