"""The MBConv block of EfficientNet: a wider layer, a depthwise convolution, a projection.

`ModelNew(in_channels, out_channels, kernel_size, stride, expand_ratio)`. x has shape (batch,
in_channels, height, width). `expand_conv` (only if expand_ratio is not 1) is a 1 x 1 convolution to
in_channels * expand_ratio channels, batch norm, ReLU6; `depthwise_conv` a convolution of each
channel with the given stride, kernel_size (an odd number, which varies) and padding (kernel_size -
1) // 2, batch norm, ReLU6; `project_conv` a 1 x 1 convolution and batch norm. x is added if stride
is 1 and the channels agree. No convolution has a bias. Batch norms are in training mode: they use
mean and variance of this call.
"""

from typing import Any

import torch
from torch import nn

from kernelbenchx.spec import problem


class Model(nn.Module):
    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int, stride: int, expand_ratio: int
    ) -> None:
        super().__init__()
        self.shortcut = stride == 1 and in_channels == out_channels
        self.expands = expand_ratio != 1
        wide, pad = in_channels * expand_ratio, (kernel_size - 1) // 2
        if self.expands:
            expand = nn.Conv2d(in_channels, wide, 1, bias=False)
            self.expand_conv = nn.Sequential(expand, nn.BatchNorm2d(wide), nn.ReLU6())
        depthwise = nn.Conv2d(wide, wide, kernel_size, stride, pad, groups=wide, bias=False)
        self.depthwise_conv = nn.Sequential(depthwise, nn.BatchNorm2d(wide), nn.ReLU6())
        project = nn.Conv2d(wide, out_channels, 1, bias=False)
        self.project_conv = nn.Sequential(project, nn.BatchNorm2d(out_channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wide = self.expand_conv(x) if self.expands else x
        out: torch.Tensor = self.project_conv(self.depthwise_conv(wide))
        return out + x if self.shortcut else out


def with_a_bright_pixel(x: Any, *shape: int) -> torch.Tensor:
    """Among wide values one pixel stands out: else no batch norm reaches the bound of ReLU6."""
    image: torch.Tensor = x(*shape)
    if x.values == "wide":
        image[0, :, 0, 0] *= 100.0
    return image


TASK = problem(
    Model,
    level=3,
    number=21,
    init=lambda channels, out, kernel, stride, ratio, **_: (channels, out, kernel, stride, ratio),
    inputs=lambda x, batch, channels, height, width, **_: (
        with_a_bright_pixel(x, batch, channels, height, width),
    ),
    published={
        "batch": 10, "channels": 112, "out": 192, "stride": 2, "ratio": 6, "height": 224,
        "width": 224,
    },
    small=(
        {"batch": 2, "channels": 3, "out": 5, "stride": 2, "ratio": 6, "height": 9, "width": 13},
        {"batch": 1, "channels": 2, "out": 2, "stride": 1, "ratio": 1, "height": 3, "width": 3},
        {"batch": 3, "channels": 8, "out": 8, "stride": 1, "ratio": 4, "height": 12, "width": 11},
    ),
    ranges={"batch": (1, 3), "channels": (1, 8), "out": (1, 12), "height": (6, 9), "width": (6, 9)},
    choices={"kernel": (5, 3)},
)  # fmt: skip
